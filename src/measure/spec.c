#include "measure/spec.h"

#include <inttypes.h>

#include "base/error.h"
#include "base/names.h"
#include "base/patterns.h"
#include "base/units.h"
#include "kernels/kernels.h"

#define SLOT_SPAN_BYTES    64 /* of laps: all in one line */
#define LARGEST_SIZE_BYTES (1ull << 48)
#define ALIASING_BYTES     4096 /* the bits of an address that loads and stores are first told by */
#define WIDEST_BYTES       64
#define MOST_THREADS       65536
#define INDEX_WORD_BYTES   4

enum fathom_link spec_link_of(uint64_t node_bytes)
{
	return node_bytes % SPEC_WORD_BYTES == 0    ? FATHOM_LINK_POINTER
	       : node_bytes % INDEX_WORD_BYTES == 0 ? FATHOM_LINK_INDEX32
						    : FATHOM_LINK_BYTE;
}

uint64_t spec_link_bytes(const struct fathom_spec *spec)
{
	return spec->link == FATHOM_LINK_INDEX32 ? 4 : spec->link == FATHOM_LINK_BYTE ? 1 : 8;
}

uint64_t spec_index_unit(const struct fathom_spec *spec)
{
	return spec->node_bytes % INDEX_WORD_BYTES ? 1 : INDEX_WORD_BYTES;
}

uint64_t spec_index_span(const struct fathom_spec *spec)
{
	const uint64_t indexes = 1ull << 32;
	if (pattern_traits(spec->pattern)->kernel == KERNEL_INDEX_ARRAY)
		return spec_index_unit(spec) * indexes;
	return spec->link == FATHOM_LINK_INDEX32 ? INDEX_WORD_BYTES * indexes : UINT64_MAX;
}

uint64_t spec_nodes(const struct fathom_spec *spec)
{
	return spec->size_bytes / spec->node_bytes;
}

uint64_t spec_accesses(const struct fathom_spec *spec)
{
	const struct pattern_traits *traits = pattern_traits(spec->pattern);
	uint64_t nodes = spec_nodes(spec);
	if (traits->kernel == KERNEL_STRIDE_LOOP)
		return spec->size_bytes / spec->stride_bytes;
	return traits->order == PATTERN_PAIRED     ? 2 * nodes
	       : traits->order == PATTERN_SEPARATE ? nodes / spec->lanes * spec->lanes
	       : traits->copies                    ? nodes / 2
						   : nodes;
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
	const struct pattern_traits *traits = pattern_traits(spec->pattern);
	if (traits->kernel == KERNEL_INDEX_ARRAY)
		return spec_index_offset(spec) + spec_nodes(spec) * sizeof(uint32_t);
	if (traits->copies)
		return spec_copy_offset(spec) + spec_accesses(spec) * spec->node_bytes;
	return spec->size_bytes;
}

uint64_t spec_total_bytes(const struct fathom_spec *spec)
{
	return spec->threads * spec_memory_bytes(spec);
}

uint64_t spec_lines_touched(const struct fathom_spec *spec, uint64_t line_bytes)
{
	const struct pattern_traits *traits = pattern_traits(spec->pattern);
	if (traits->order == PATTERN_PAIRED)
		return spec_nodes(spec) * (spec->stride_bytes < line_bytes ? 1 : 2);
	if (traits->kernel == KERNEL_STRIDE_LOOP && spec->stride_bytes > line_bytes)
		return spec_accesses(spec);
	if (spec->node_bytes >= line_bytes)
		return spec_nodes(spec);
	return (spec->size_bytes + line_bytes - 1) / line_bytes;
}

uint64_t spec_alignment(const struct fathom_spec *spec)
{
	return pattern_traits(spec->pattern)->has_pages ? spec->node_bytes : 1;
}

bool spec_holds_nodes(const struct fathom_spec *spec)
{
	return spec->window_bytes >= 2 * spec->node_bytes &&
	       spec->window_bytes % spec->node_bytes == 0;
}

uint32_t spec_most_laps(const struct fathom_spec *spec)
{
	uint64_t span = spec->node_bytes < SLOT_SPAN_BYTES ? spec->node_bytes : SLOT_SPAN_BYTES;
	return (uint32_t)(span / spec_link_bytes(spec));
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

/* Which of two options does not go with the other, and what does. */
static int refuse_link(const struct fathom_spec *spec, struct fathom_error *error)
{
	char size[UNITS_TEXT_BYTES];
	units_format_size(spec->node_bytes, size);
	if (spec->link == FATHOM_LINK_BYTE)
		return error_set(error, FATHOM_USAGE,
				 "use a multiple of 4 for --spacing, or pattern independent",
				 "nodes of %s ('--spacing') hold no link ('--link byte'), and "
				 "pattern %s needs one",
				 size, fathom_pattern_name(spec->pattern));
	return error_set(error, FATHOM_USAGE,
			 spec->node_bytes % INDEX_WORD_BYTES
				 ? "use a multiple of 4 for --spacing, or pattern independent with "
				   "--link byte"
				 : "leave out --link, or say --link index32",
			 "nodes of %s ('--spacing') are not a multiple of the %d bytes of a link "
			 "('--link %s')",
			 size, (int)spec_link_bytes(spec), link_name(spec->link));
}

static int check_node(const struct fathom_spec *spec, struct fathom_error *error)
{
	const struct pattern_traits *traits = pattern_traits(spec->pattern);
	uint64_t unit = traits->node_multiple ? traits->node_multiple : spec_link_bytes(spec);
	bool holds_bytes = traits->order == PATTERN_DRAWN || traits->node_multiple;
	char size[UNITS_TEXT_BYTES];
	units_format_size(spec->node_bytes, size);
	if (spec->node_bytes == 0 || spec->node_bytes > SPEC_LARGEST_NODE_BYTES)
		return error_set(error, FATHOM_USAGE, NULL,
				 "node spacing %s is not between %d B and 2 MiB", size, (int)unit);
	if (spec->node_bytes % unit && traits->node_multiple)
		return error_set(error, FATHOM_USAGE, NULL,
				 "node spacing %s is not a multiple of the %d bytes that "
				 "pattern %s reads at a time",
				 size, (int)unit, traits->name);
	return spec->node_bytes % unit || (spec->link == FATHOM_LINK_BYTE && !holds_bytes)
		       ? refuse_link(spec, error)
		       : 0;
}

static int check_size(const struct fathom_spec *spec, struct fathom_error *error)
{
	char size[UNITS_TEXT_BYTES], span[UNITS_TEXT_BYTES];
	units_format_size(spec->size_bytes, size);
	if (spec->size_bytes < spec->node_bytes)
		return error_set(error, FATHOM_USAGE,
				 pattern_streams(spec->pattern)
					 ? "nodes of a bandwidth pattern are lines of 64 bytes"
					 : NULL,
				 "size %s is smaller than a node", size);
	if (spec->size_bytes > LARGEST_SIZE_BYTES)
		return error_set(
			error, FATHOM_USAGE, "request less memory with --size or --max-size",
			"size %s is above 256 TiB, the largest that can be measured", size);
	if (spec->size_bytes > spec_index_span(spec))
		return error_set(error, FATHOM_USAGE,
				 spec->link == FATHOM_LINK_INDEX32 ? "use --link pointer" : NULL,
				 "size %s is above %s, the limit of 32-bit links", size,
				 units_format_size(spec_index_span(spec), span));
	return 0;
}

static int check_passes(const struct fathom_spec *spec, struct fathom_error *error)
{
	char window[UNITS_TEXT_BYTES], node[UNITS_TEXT_BYTES];
	if (!spec_holds_nodes(spec))
		return error_set(error, FATHOM_USAGE, "give one, for example --window 128K",
				 "window %s is not two or more whole nodes of %s",
				 units_format_size(spec->window_bytes, window),
				 units_format_size(spec->node_bytes, node));
	if (spec->stride_bytes &&
	    (spec->stride_bytes % spec->node_bytes || spec->window_bytes % spec->stride_bytes ||
	     spec->stride_bytes / spec->node_bytes > SPEC_MOST_PASSES))
		return error_set(error, FATHOM_USAGE, NULL,
				 "the stride must be 1 to %d whole nodes, and the window a whole "
				 "number of strides",
				 SPEC_MOST_PASSES);
	return 0;
}

static int check_laps(const struct fathom_spec *spec, struct fathom_error *error)
{
	const struct pattern_traits *traits = pattern_traits(spec->pattern);
	if (traits->has_laps && spec->laps == 0)
		return error_set(error, FATHOM_USAGE, "give one, for example --laps 4",
				 "pattern %s needs a number of laps", traits->name);
	if (!traits->has_laps && spec->laps)
		return error_set(error, FATHOM_USAGE, "leave out --laps", "pattern %s has no laps",
				 traits->name);
	if (spec->laps > spec_most_laps(spec))
		return error_set(error, FATHOM_USAGE,
				 "use larger nodes or --link index32, which have more slots",
				 "%u laps need as many slots in a line, but there are %u",
				 spec->laps, spec_most_laps(spec));
	return 0;
}

/* What is walked or read `stride_bytes` apart. */
static int check_stride(const struct fathom_spec *spec, struct fathom_error *error)
{
	char stride[UNITS_TEXT_BYTES], other[UNITS_TEXT_BYTES];
	units_format_size(spec->stride_bytes, stride);
	if (spec->stride_bytes == 0)
		return error_set(error, FATHOM_USAGE, "give one, for example --stride 256",
				 "a stride must be more than 0");
	if (spec->stride_bytes > spec->size_bytes)
		return error_set(error, FATHOM_USAGE, "check --stride and --size",
				 "stride %s is larger than the size %s", stride,
				 units_format_size(spec->size_bytes, other));
	if (spec->stride_bytes % spec->node_bytes)
		return error_set(error, FATHOM_USAGE, "check --stride and --spacing",
				 "stride %s is not a multiple of the node spacing %s", stride,
				 units_format_size(spec->node_bytes, other));
	return 0;
}

static int check_pair(const struct fathom_spec *spec, struct fathom_error *error)
{
	uint64_t link = spec_link_bytes(spec);
	if (spec->stride_bytes == 0 || spec->stride_bytes % link ||
	    spec->stride_bytes > spec->node_bytes - link)
		return error_set(error, FATHOM_USAGE, NULL, "the stride does not fit in a node");
	return 0;
}

static int check_pattern(const struct fathom_spec *spec, struct fathom_error *error)
{
	const struct pattern_traits *traits = pattern_traits(spec->pattern);
	if (check_laps(spec, error))
		return -1;
	if (traits->has_window && spec->window_bytes == 0)
		return error_set(error, FATHOM_USAGE, "give one, for example --window 128K",
				 "pattern %s needs a window size", traits->name);
	if (!traits->has_window && spec->window_bytes)
		return error_set(error, FATHOM_USAGE, "leave out --window",
				 "pattern %s has no window", traits->name);
	switch (traits->stride) {
	case PATTERN_STRIDE_OF_PASSES:
		return check_passes(spec, error);
	case PATTERN_STRIDE_IN_NODE:
		return check_pair(spec, error);
	case PATTERN_STRIDE_OF_ACCESSES:
		return check_stride(spec, error);
	default:
		return spec->stride_bytes ? error_set(error, FATHOM_USAGE, NULL,
						      "pattern %s has no stride", traits->name)
					  : 0;
	}
}

static int check_lanes(const struct fathom_spec *spec, struct fathom_error *error)
{
	char size[UNITS_TEXT_BYTES];
	if (spec->lanes < 1 || spec->lanes > FATHOM_MOST_LANES)
		return error_set(error, FATHOM_USAGE, NULL,
				 "the number of lanes, %u, is not between 1 and %d", spec->lanes,
				 FATHOM_MOST_LANES);
	if (spec->lanes > 1 &&
	    (!pattern_traits(spec->pattern)->has_lanes || spec->warmth != FATHOM_WARM))
		return error_set(error, FATHOM_USAGE, NULL,
				 "more than one lane needs pattern random_cycle or separate_cycles "
				 "and warm memory");
	if (!lane_store_name((int)spec->lane_store))
		return error_set(error, FATHOM_USAGE, NULL, "lane store %d is not known",
				 (int)spec->lane_store);
	if (spec->lane_store != FATHOM_STORE_UNKNOWN && spec->axis != FATHOM_AXIS_LANES)
		return error_set(error, FATHOM_USAGE, NULL,
				 "--lane-store needs a curve along the lanes");
	if (spec_nodes(spec) < spec->lanes)
		return error_set(error, FATHOM_USAGE, "use fewer lanes or a larger size",
				 "size %s has too few nodes for %u lanes",
				 units_format_size(spec->size_bytes, size), spec->lanes);
	return 0;
}

static int check_threads(const struct fathom_spec *spec, struct fathom_error *error)
{
	bool streams = pattern_streams(spec->pattern);
	if (spec->threads > MOST_THREADS)
		return error_set(error, FATHOM_USAGE, NULL,
				 "%u threads are more than the limit of %d", spec->threads,
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
		return error_set(error, FATHOM_USAGE, "use 64, 128, 256 or 512 bits",
				 "vectors of %" PRIu64 " bits are not known",
				 8 * (uint64_t)spec->vector_bytes);
	if (streams && spec_accesses(spec) == 0)
		return error_set(
			error, FATHOM_USAGE,
			"use 128 bytes or more, or select other operations with --operation",
			"pattern %s needs a line to read and one to write",
			fathom_pattern_name(spec->pattern));
	if (streams && (spec->node_bytes != KERNEL_LINE_BYTES || spec->warmth != FATHOM_WARM))
		return error_set(error, FATHOM_USAGE, NULL,
				 "pattern %s needs nodes of %d bytes and warm memory",
				 fathom_pattern_name(spec->pattern), KERNEL_LINE_BYTES);
	return 0;
}

bool spec_is_cold(const struct fathom_spec *spec)
{
	return spec->warmth != FATHOM_WARM && spec->warmth != FATHOM_SETTLED;
}

int spec_check(const struct fathom_spec *spec, struct fathom_error *error)
{
	if (check_names(spec, error) || check_node(spec, error) || check_size(spec, error) ||
	    check_pattern(spec, error))
		return -1;
	if (spec->lap && !spec_is_cold(spec))
		return error_set(error, FATHOM_USAGE, NULL,
				 "laps are counted from cold memory: warm memory has none");
	return check_lanes(spec, error) || check_threads(spec, error) ? -1 : 0;
}
