#include "measure/spec.h"

#include <inttypes.h>

#include "base/error.h"
#include "base/names.h"
#include "base/units.h"
#include "kernels/kernels.h"

#define SLOT_SPAN_BYTES    64 /* of laps: all in one line */
#define LARGEST_SIZE_BYTES (1ull << 48)
#define ALIASING_BYTES     4096 /* the bits of an address that loads and stores are first told by */
#define WIDEST_BYTES       64
#define MOST_THREADS       65536

static uint64_t link_bytes(const struct fathom_spec *spec)
{
	return spec->link == FATHOM_LINK_INDEX32 ? 4 : 8;
}

uint64_t spec_nodes(const struct fathom_spec *spec)
{
	return spec->size_bytes / spec->node_bytes;
}

uint64_t spec_accesses(const struct fathom_spec *spec)
{
	switch (spec->pattern) {
	case FATHOM_STRIDE_LOOP:
		return spec->size_bytes / spec->stride_bytes;
	case FATHOM_LINE_PAIR:
		return 2 * spec_nodes(spec);
	case FATHOM_SEPARATE_CYCLES:
		return spec_nodes(spec) / spec->lanes * spec->lanes;
	case FATHOM_COPY:
	case FATHOM_COPY_NT:
		return spec_nodes(spec) / 2;
	default:
		return spec_nodes(spec);
	}
}

uint64_t spec_index_offset(const struct fathom_spec *spec)
{
	return (spec->size_bytes + 63) / 64 * 64;
}

uint64_t spec_copy_offset(const struct fathom_spec *spec)
{
	uint64_t half_bytes = spec_accesses(spec) * spec->node_bytes;
	return (half_bytes + ALIASING_BYTES - 1) / ALIASING_BYTES * ALIASING_BYTES;
}

uint64_t spec_memory_bytes(const struct fathom_spec *spec)
{
	switch (spec->pattern) {
	case FATHOM_INDEX_ARRAY:
		return spec_index_offset(spec) + spec_nodes(spec) * sizeof(uint32_t);
	case FATHOM_COPY:
	case FATHOM_COPY_NT:
		return spec_copy_offset(spec) + spec_accesses(spec) * spec->node_bytes;
	default:
		return spec->size_bytes;
	}
}

uint64_t spec_total_bytes(const struct fathom_spec *spec)
{
	return spec->threads * spec_memory_bytes(spec);
}

uint64_t spec_lines_touched(const struct fathom_spec *spec, uint64_t line_bytes)
{
	if (spec->pattern == FATHOM_LINE_PAIR)
		return spec_nodes(spec) * (spec->stride_bytes < line_bytes ? 1 : 2);
	if (spec->pattern == FATHOM_STRIDE_LOOP && spec->stride_bytes > line_bytes)
		return spec_accesses(spec);
	if (spec->node_bytes >= line_bytes)
		return spec_nodes(spec);
	return (spec->size_bytes + line_bytes - 1) / line_bytes;
}

uint64_t spec_alignment(const struct fathom_spec *spec)
{
	return spec->pattern == FATHOM_ONE_PER_PAGE ? spec->node_bytes : 1;
}

bool spec_holds_nodes(const struct fathom_spec *spec)
{
	return spec->window_bytes >= 2 * spec->node_bytes &&
	       spec->window_bytes % spec->node_bytes == 0;
}

uint32_t spec_most_laps(const struct fathom_spec *spec)
{
	uint64_t span = spec->node_bytes < SLOT_SPAN_BYTES ? spec->node_bytes : SLOT_SPAN_BYTES;
	return (uint32_t)(span / link_bytes(spec));
}

static int check_names(const struct fathom_spec *spec, struct fathom_error *error)
{
	if (!fathom_pattern_name(spec->pattern) || spec->pattern == FATHOM_PATTERN_UNKNOWN)
		return error_set(error, FATHOM_USAGE, NULL, "pattern %d is not known",
				 (int)spec->pattern);
	if (!link_name(spec->link))
		return error_set(error, FATHOM_USAGE, NULL, "link %d is not known",
				 (int)spec->link);
	if (!page_name(spec->page))
		return error_set(error, FATHOM_USAGE, NULL, "page kind %d is not known",
				 (int)spec->page);
	if (!warmth_name(spec->warmth))
		return error_set(error, FATHOM_USAGE, NULL, "warmth %d is not known",
				 (int)spec->warmth);
	return 0;
}

static int check_node(const struct fathom_spec *spec, struct fathom_error *error)
{
	char size[UNITS_TEXT_BYTES];
	uint64_t link = fathom_pattern_overlaps(spec->pattern) ? SPEC_WORD_BYTES : link_bytes(spec);
	const char *hint = NULL;
	units_format_size(spec->node_bytes, size);
	if (spec->node_bytes < link && spec->link == FATHOM_LINK_INDEX32)
		hint = "what overlaps is read in words of 8 bytes";
	else if (spec->node_bytes < link)
		hint = "use --link index32 for nodes of 4 bytes";
	if (spec->node_bytes < link || spec->node_bytes > SPEC_LARGEST_NODE_BYTES)
		return error_set(error, FATHOM_USAGE, hint,
				 "node spacing %s is not between %d B and 2 MiB", size, (int)link);
	if (spec->node_bytes % link)
		return error_set(error, FATHOM_USAGE, NULL,
				 "node spacing %s is not a multiple of the link's %d bytes", size,
				 (int)link);
	return 0;
}

static int check_size(const struct fathom_spec *spec, struct fathom_error *error)
{
	char size[UNITS_TEXT_BYTES];
	units_format_size(spec->size_bytes, size);
	if (spec->size_bytes < spec->node_bytes)
		return error_set(error, FATHOM_USAGE,
				 fathom_pattern_streams(spec->pattern) ? "a line has 64 bytes"
								       : NULL,
				 "size %s holds not one node", size);
	if (spec->size_bytes > LARGEST_SIZE_BYTES)
		return error_set(error, FATHOM_USAGE, "ask for less memory (--size or --max-size)",
				 "size %s is over 256 TiB, the largest that is measured", size);
	bool indexes = spec->link == FATHOM_LINK_INDEX32 || spec->pattern == FATHOM_INDEX_ARRAY;
	if (indexes && spec->size_bytes > SPEC_INDEX_SPAN_BYTES)
		return error_set(error, FATHOM_USAGE,
				 spec->link == FATHOM_LINK_INDEX32 ? "use --link pointer" : NULL,
				 "size %s is over the 16 GiB that 32-bit links reach", size);
	return 0;
}

static int check_passes(const struct fathom_spec *spec, struct fathom_error *error)
{
	char window[UNITS_TEXT_BYTES], node[UNITS_TEXT_BYTES];
	if (!spec_holds_nodes(spec))
		return error_set(error, FATHOM_USAGE, "say --window 128K",
				 "window %s is not two or more whole nodes of %s",
				 units_format_size(spec->window_bytes, window),
				 units_format_size(spec->node_bytes, node));
	if (spec->stride_bytes &&
	    (spec->stride_bytes % spec->node_bytes || spec->window_bytes % spec->stride_bytes ||
	     spec->stride_bytes / spec->node_bytes > SPEC_MOST_PASSES))
		return error_set(error, FATHOM_USAGE, NULL,
				 "the stride is a whole number of nodes, %d at most, and the "
				 "window of strides",
				 SPEC_MOST_PASSES);
	return 0;
}

static int check_laps(const struct fathom_spec *spec, struct fathom_error *error)
{
	if (spec->pattern == FATHOM_RANDOM_LAPS && spec->laps == 0)
		return error_set(error, FATHOM_USAGE, "say --laps 4",
				 "pattern random_laps needs a number of laps");
	if (spec->pattern != FATHOM_RANDOM_LAPS && spec->laps)
		return error_set(error, FATHOM_USAGE, "leave --laps out",
				 "laps belong to pattern random_laps alone");
	if (spec->laps > spec_most_laps(spec))
		return error_set(error, FATHOM_USAGE,
				 "larger nodes or --link index32 have more slots",
				 "%u laps need as many slots in a line, there are %u", spec->laps,
				 spec_most_laps(spec));
	return 0;
}

/* What is walked or read `stride_bytes` apart. */
static int check_stride(const struct fathom_spec *spec, struct fathom_error *error)
{
	char stride[UNITS_TEXT_BYTES], other[UNITS_TEXT_BYTES];
	units_format_size(spec->stride_bytes, stride);
	if (spec->stride_bytes == 0)
		return error_set(error, FATHOM_USAGE, "say --stride 256",
				 "a stride must be more than 0");
	if (spec->stride_bytes > spec->size_bytes)
		return error_set(error, FATHOM_USAGE, "see --stride and --size",
				 "stride %s is over the size %s", stride,
				 units_format_size(spec->size_bytes, other));
	if (spec->stride_bytes % spec->node_bytes)
		return error_set(error, FATHOM_USAGE, "see --stride and --node",
				 "stride %s is not a multiple of the node spacing %s", stride,
				 units_format_size(spec->node_bytes, other));
	return 0;
}

static int check_pair(const struct fathom_spec *spec, struct fathom_error *error)
{
	uint64_t link = link_bytes(spec);
	if (spec->stride_bytes == 0 || spec->stride_bytes % link ||
	    spec->stride_bytes > spec->node_bytes - link)
		return error_set(error, FATHOM_USAGE, NULL, "the stride does not fit in a node");
	return 0;
}

static int check_pattern(const struct fathom_spec *spec, struct fathom_error *error)
{
	bool window = spec->pattern == FATHOM_WINDOW || spec->pattern == FATHOM_PAGE_LOCAL;
	if (check_laps(spec, error))
		return -1;
	if (window && spec->window_bytes == 0)
		return error_set(error, FATHOM_USAGE, "say --window 128K",
				 "pattern %s needs a window size",
				 fathom_pattern_name(spec->pattern));
	if (!window && spec->window_bytes)
		return error_set(error, FATHOM_USAGE, "leave --window out",
				 "a window size belongs to patterns window and page_local alone");
	switch (spec->pattern) {
	case FATHOM_WINDOW:
	case FATHOM_PAGE_LOCAL:
		return check_passes(spec, error);
	case FATHOM_LINE_PAIR:
		return check_pair(spec, error);
	case FATHOM_STRIDED:
	case FATHOM_STRIDE_LOOP:
		return check_stride(spec, error);
	default:
		if (spec->stride_bytes)
			return error_set(error, FATHOM_USAGE, NULL, "pattern %s has no stride",
					 fathom_pattern_name(spec->pattern));
		if (spec->pattern == FATHOM_LINEAR_SUM && spec->node_bytes % KERNEL_SUM_BYTES)
			return error_set(error, FATHOM_USAGE, "see --node",
					 "what is summed at a time is a multiple of %d bytes",
					 KERNEL_SUM_BYTES);
		return 0;
	}
}

static int check_lanes(const struct fathom_spec *spec, struct fathom_error *error)
{
	char size[UNITS_TEXT_BYTES];
	bool chains =
		spec->pattern == FATHOM_RANDOM_CYCLE || spec->pattern == FATHOM_SEPARATE_CYCLES;
	if (spec->lanes < 1 || spec->lanes > KERNEL_MOST_LANES)
		return error_set(error, FATHOM_USAGE, NULL, "%u lanes are not between 1 and %d",
				 spec->lanes, KERNEL_MOST_LANES);
	if (spec->lanes > 1 && (!chains || spec->warmth != FATHOM_WARM))
		return error_set(error, FATHOM_USAGE, NULL,
				 "several lanes walk warm random cycles alone");
	if (spec_nodes(spec) < spec->lanes)
		return error_set(error, FATHOM_USAGE, "fewer lanes, or more memory",
				 "size %s has not one node for each of %u lanes",
				 units_format_size(spec->size_bytes, size), spec->lanes);
	return 0;
}

static int check_threads(const struct fathom_spec *spec, struct fathom_error *error)
{
	bool streams = fathom_pattern_streams(spec->pattern);
	if (spec->threads > MOST_THREADS)
		return error_set(error, FATHOM_USAGE, NULL, "%u threads are over %d", spec->threads,
				 MOST_THREADS);
	if (spec->threads < 1 || (spec->threads > 1 && !streams))
		return error_set(error, FATHOM_USAGE, NULL,
				 "pattern %s is measured with one thread, not %u",
				 fathom_pattern_name(spec->pattern), spec->threads);
	if (spec->vector_bytes && !streams)
		return error_set(error, FATHOM_USAGE, NULL, "pattern %s has no vectors",
				 fathom_pattern_name(spec->pattern));
	if (spec->vector_bytes & (spec->vector_bytes - 1) || spec->vector_bytes > WIDEST_BYTES ||
	    (spec->vector_bytes && spec->vector_bytes < SPEC_WORD_BYTES))
		return error_set(error, FATHOM_USAGE, "64, 128, 256 and 512 bits are known",
				 "vectors of %" PRIu64 " bits are not known",
				 8 * (uint64_t)spec->vector_bytes);
	if (streams && spec_accesses(spec) == 0)
		return error_set(error, FATHOM_USAGE,
				 "ask for 128 bytes or more, or leave it out with --operation",
				 "pattern %s needs a line to read and one to write",
				 fathom_pattern_name(spec->pattern));
	if (streams && (spec->node_bytes != KERNEL_LINE_BYTES || spec->warmth != FATHOM_WARM))
		return error_set(error, FATHOM_USAGE, NULL,
				 "pattern %s takes lines of %d bytes, warm",
				 fathom_pattern_name(spec->pattern), KERNEL_LINE_BYTES);
	return 0;
}

int spec_check(const struct fathom_spec *spec, struct fathom_error *error)
{
	if (check_names(spec, error) || check_node(spec, error) || check_size(spec, error) ||
	    check_pattern(spec, error))
		return -1;
	if (spec->lap && spec->warmth == FATHOM_WARM)
		return error_set(error, FATHOM_USAGE, NULL,
				 "laps are counted since the memory was cold: a warm one has none");
	return check_lanes(spec, error) || check_threads(spec, error) ? -1 : 0;
}
