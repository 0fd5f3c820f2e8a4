/* The same memory in one order after another, warm and cold. */
#include "measure/experiments/experiments.h"
#include "measure/experiments/specs.h"
#include "measure/spec.h"

#include "base/error.h"
#include "base/patterns.h"
#include "base/units.h"
#include "base/warnings.h"

#define USUAL_BYTES        (256ull << 20)
#define USUAL_STRIDE_BYTES 256
#define WARMTHS            3

struct rows {
	struct fathom_plan *plan;
	const struct fathom_request *request;
	uint64_t usual_bytes;
};

/* A pattern in each warmth that is asked for. */
static void add_row(const struct rows *rows, const struct fathom_spec *row)
{
	const bool wanted[WARMTHS] = {[FATHOM_WARM] = true,
				      [FATHOM_COLD_FLUSHED] = rows->request->cold_flushed,
				      [FATHOM_COLD_MAPPED] = rows->request->cold_mapped};
	for (int warmth = 0; warmth < WARMTHS; warmth++) {
		struct fathom_spec spec = *row;
		spec.warmth = (enum fathom_warmth)warmth;
		if (wanted[warmth])
			specs_add(rows->plan, rows->request, &spec, rows->usual_bytes);
	}
}

static uint64_t rounded_up(uint64_t bytes, uint64_t multiple)
{
	return (bytes + multiple - 1) / multiple * multiple;
}

/* Nodes that hold a byte hold no link: those of a chain are made a little larger. */
static void fit_link(struct fathom_spec *spec)
{
	if (spec->link != FATHOM_LINK_BYTE)
		return;
	spec->link = FATHOM_LINK_INDEX32;
	spec->node_bytes = rounded_up(spec->node_bytes, spec_link_bytes(spec));
}

/* What its loop cannot take, the nodes are made: in random order a little larger, and where all
 * there is is read anyway, the least. */
static void fit_nodes(struct fathom_spec *spec)
{
	uint64_t multiple = pattern_traits(spec->pattern)->node_multiple;
	if (!multiple)
		fit_link(spec);
	else if (spec->node_bytes % multiple)
		spec->node_bytes = pattern_in_address_order(spec->pattern)
					   ? multiple
					   : rounded_up(spec->node_bytes, multiple);
}

static void add_strides(const struct rows *rows, struct fathom_spec spec)
{
	const struct fathom_request *request = rows->request;
	struct fathom_spec chain = request->spec;
	fit_link(&chain);
	uint64_t node_bytes = chain.node_bytes;
	uint64_t usual = USUAL_STRIDE_BYTES % node_bytes ? 2 * node_bytes : USUAL_STRIDE_BYTES;
	bool given = request->strides_bytes && request->stride_count;
	uint32_t multiple = pattern_traits(spec.pattern)->node_multiple;
	for (size_t i = 0; i < (given ? request->stride_count : 1); i++) {
		spec.stride_bytes = given ? request->strides_bytes[i] : usual;
		if (!multiple || spec.stride_bytes % multiple == 0)
			add_row(rows, &spec);
	}
}

/* Windows and pages are those that are translated at a time: the base pages. */
static void add_pattern(const struct rows *rows, const struct fathom_machine *machine,
			enum fathom_pattern pattern)
{
	const struct pattern_traits *traits = pattern_traits(pattern);
	struct fathom_spec spec = rows->request->spec;
	spec.pattern = pattern;
	fit_nodes(&spec);
	if (traits->has_pages)
		spec.node_bytes = machine->base_page_bytes;
	spec.window_bytes = traits->has_window ? machine->base_page_bytes : spec.window_bytes;
	if (traits->stride == PATTERN_STRIDE_OF_ACCESSES)
		add_strides(rows, spec);
	else if (!traits->has_window || spec_holds_nodes(&spec))
		add_row(rows, &spec);
}

/* What costs the same at any size. */
static void add_own(const struct rows *rows, enum fathom_pattern pattern)
{
	const struct pattern_traits *traits = pattern_traits(pattern);
	struct fathom_plan *plan = rows->plan;
	struct fathom_spec spec = rows->request->spec;
	spec.pattern = pattern;
	spec.node_bytes = traits->own_node_bytes;
	spec.link = spec_link_of(spec.node_bytes);
	spec.window_bytes = 0;
	spec.size_bytes = traits->own_bytes;
	plan->specs[plan->spec_count++] = spec;
}

/* Of own size: by its name, or with the whole table. */
static bool is_asked(const struct fathom_request *request, enum fathom_pattern pattern)
{
	for (size_t i = 0; i < request->pattern_count; i++)
		if (request->patterns[i] == pattern)
			return true;
	return !request->patterns && !pattern_traits(pattern)->on_request;
}

int patterns_specs(const struct fathom_request *request, const struct fathom_machine *machine,
		   struct fathom_plan *plan, struct fathom_error *error)
{
	uint64_t most = request->max_size_bytes && request->max_size_bytes < USUAL_BYTES
				? request->max_size_bytes
				: USUAL_BYTES;
	const struct rows rows = {plan, request, specs_usual_bytes(machine, most)};
	size_t strides = request->stride_count ? request->stride_count : 1;
	size_t curves = WARMTHS * FATHOM_PATTERN_UNKNOWN * strides;
	if (specs_open(plan, request, curves, rows.usual_bytes, error))
		return -1;
	for (int pattern = 0; pattern < FATHOM_PATTERN_UNKNOWN; pattern++) {
		size_t before = plan->spec_count;
		if (!pattern_traits(pattern)->compared || !is_asked(request, pattern))
			continue;
		add_pattern(&rows, machine, (enum fathom_pattern)pattern);
		if (request->patterns && plan->spec_count == before)
			return error_set(error, FATHOM_USAGE,
					 "another --spacing, --stride or --size may do",
					 "no size, node and stride given suits the pattern '%s'",
					 fathom_pattern_name((enum fathom_pattern)pattern));
	}
	for (int pattern = 0; pattern < FATHOM_PATTERN_UNKNOWN; pattern++)
		if (pattern_traits(pattern)->own_bytes && is_asked(request, pattern))
			add_own(&rows, (enum fathom_pattern)pattern);
	return 0;
}

/* A stride of which there is a chain, but no loop: words cannot be so far apart. */
static void warn_of_stride(const struct fathom_spec *strided, struct fathom_warnings *warnings)
{
	char stride[UNITS_TEXT_BYTES];
	units_format_size(strided->stride_bytes, stride);
	if (strided->stride_bytes % SPEC_WORD_BYTES)
		warnings_add(warnings, "row-left-out", stride, "use a multiple for --stride",
			     "the stride loop of %s is left out: it reads words of %d bytes",
			     stride, SPEC_WORD_BYTES);
}

static void warn_of_indexes(const struct fathom_plan *plan, struct fathom_warnings *warnings)
{
	struct fathom_spec index = plan->specs[0];
	char span[UNITS_TEXT_BYTES];
	index.pattern = FATHOM_INDEX_ARRAY;
	if (plan->always_bytes > spec_index_span(&index))
		warnings_add(warnings, "row-left-out", "index_array", NULL,
			     "the index array is left out above %s: its indexes have 32 bits",
			     units_format_size(spec_index_span(&index), span));
}

void patterns_warn(const struct fathom_plan *plan, const struct fathom_machine *machine,
		   struct fathom_warnings *warnings)
{
	bool whole_table = specs_has(plan, FATHOM_LOCKS);
	if (whole_table)
		specs_warn_of_page_local(plan, machine, warnings);
	for (size_t i = 0; i < plan->spec_count; i++)
		if (plan->specs[i].pattern == FATHOM_STRIDED)
			warn_of_stride(&plan->specs[i], warnings);
	if (whole_table || specs_has(plan, FATHOM_INDEX_ARRAY))
		warn_of_indexes(plan, warnings);
}
