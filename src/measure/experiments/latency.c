/* Latency against size: one chain a size, `per_octave` sizes to each doubling; and beside a random
 * order its control. */
#include <math.h>
#include <stdlib.h>

#include "base/error.h"
#include "base/patterns.h"
#include "base/quoted.h"
#include "base/units.h"
#include "machine/machine.h"
#include "machine/pages.h"
#include "measure/experiments/experiments.h"
#include "measure/experiments/specs.h"
#include "measure/spec.h"

#define SMALLEST_BYTES      1024
#define USUAL_LARGEST_BYTES (1ull << 30) /* beyond every cache but the largest */
#define CACHES_TO_MEMORY    16
#define LEAST_LARGEST_BYTES (1ull << 24)
#define MOST_CURVES         3
#define FEWEST_OF_CONTROL   3
/* 16 pages of 4 KiB: no first-level TLB for data has fewer entries. */
#define CONTROL_WINDOW_BYTES 65536u
/* Windows of all lines are fetched ahead by prefetchers: on a machine with a last cache of 35 ns
 * and memory of 120 they read 17 and 20; with one line in 512 bytes at a time 34 and more than 100.
 */
#define CONTROL_STRIDE_BYTES 512u
#define QUOTED_SHARE         0.4
#define TOUCH_S_PER_BYTE     2e-9 /* 130 ns a line, at the slow end of what guests need */

/* As large as is usual, or less where touching that much memory once would take a quarter of the
 * budget. */
static uint64_t usual_largest(double budget_s)
{
	uint64_t bytes = USUAL_LARGEST_BYTES;
	while (bytes > LEAST_LARGEST_BYTES && (double)bytes * TOUCH_S_PER_BYTE > budget_s / 4)
		bytes /= 2;
	return bytes;
}

/* Memory is quoted there in every run that can touch so much in two fifths of its budget. */
static bool is_quoted(uint64_t bytes, double budget_s)
{
	return (double)bytes * TOUCH_S_PER_BYTE <= QUOTED_SHARE * budget_s;
}

/* The smallest and the largest size, and up to where all of them are measured. */
static int find_range(const struct fathom_request *request, const struct fathom_machine *machine,
		      uint64_t *low, uint64_t *high, uint64_t *always, struct fathom_error *error)
{
	char low_text[UNITS_TEXT_BYTES], high_text[UNITS_TEXT_BYTES];
	uint64_t most = pages_most_bytes(machine, request->spec.page);
	uint64_t quoted = quoted_bytes(machine, 0);
	*low = request->min_size_bytes ? request->min_size_bytes : SMALLEST_BYTES;
	*high = request->max_size_bytes;
	if (pages_check(machine, request->spec.page, *high ? *high : *low, error))
		return -1;
	*always = *high;
	if (*high == 0) {
		*high = CACHES_TO_MEMORY * machine_largest_cache_bytes(machine);
		if (*high < USUAL_LARGEST_BYTES)
			*high = USUAL_LARGEST_BYTES;
		if (*high < quoted)
			*high = quoted;
		if (*high > most)
			*high = most;
		*always = usual_largest(request->budget_s);
		if (*always < quoted && is_quoted(quoted, request->budget_s))
			*always = quoted;
		if (*always > *high)
			*always = *high;
	}
	if (request->min_size_bytes == 0 && *low > *high)
		*low = *high; /* nobody asked for it */
	*low += request->spec.node_bytes - 1;
	*low -= *low % request->spec.node_bytes;
	if (*low > *high)
		return error_set(error, FATHOM_USAGE, "check --min-size, --max-size and --spacing",
				 "the smallest size %s is larger than the largest %s",
				 units_format_size(*low, low_text),
				 units_format_size(*high, high_text));
	return 0;
}

/* Appends the curve of `spec` at `per_octave` sizes to each doubling. The plan has room. */
static void add_curve(struct fathom_plan *plan, const struct fathom_spec *spec, uint64_t low,
		      uint64_t high, uint32_t per_octave)
{
	uint64_t before = 0;
	for (size_t step = 0; before < high - high % spec->node_bytes; step++) {
		double size = (double)low * exp2((double)step / per_octave);
		uint64_t bytes = size < (double)high ? (uint64_t)llround(size) : high;
		bytes -= bytes % spec->node_bytes;
		if (bytes == before)
			continue;
		plan->specs[plan->spec_count] = *spec;
		plan->specs[plan->spec_count++].size_bytes = before = bytes;
	}
}

/* Every second size of the first `count` specs from two windows on: the same lines, but window by
 * window. A dTLB keeps a window's pages, a cache the whole span or not: one node of each line, as
 * the others of it would come back before their lap ends. */
static void add_control(struct fathom_plan *plan, size_t count, uint32_t per_octave,
			uint64_t line_bytes)
{
	struct fathom_spec spec = plan->specs[0];
	size_t first = 0, step = per_octave > 1 ? 2 : 1;
	spec.pattern = FATHOM_WINDOW;
	spec.laps = 0;
	if (spec.node_bytes < line_bytes)
		spec.node_bytes = line_bytes;
	spec.stride_bytes = CONTROL_STRIDE_BYTES;
	spec.window_bytes = CONTROL_WINDOW_BYTES;
	if (spec.node_bytes > CONTROL_STRIDE_BYTES || CONTROL_STRIDE_BYTES % spec.node_bytes) {
		spec.stride_bytes = 0;
		spec.window_bytes -= spec.window_bytes % spec.node_bytes;
	}
	while (first < count && plan->specs[first].size_bytes < 2 * CONTROL_WINDOW_BYTES)
		first++;
	if (spec.window_bytes < 2 * spec.node_bytes ||
	    (count - first + step - 1) / step < FEWEST_OF_CONTROL)
		return;
	for (size_t i = first; i < count; i += step) {
		spec.size_bytes = plan->specs[i].size_bytes;
		spec.size_bytes -= spec.size_bytes % spec.node_bytes;
		plan->specs[plan->spec_count++] = spec;
	}
}

/* A control has the sizes of the caches in common with random orders, in which pages lie as the
 * lines do. It is a chain: bytes name no next node. */
static bool has_control(const struct fathom_spec *spec)
{
	enum pattern_sweep sweep = pattern_traits(spec->pattern)->sweep;
	return (sweep == PATTERN_SWEPT_CYCLE || sweep == PATTERN_SWEPT_ORDER) &&
	       spec->link != FATHOM_LINK_BYTE;
}

/* The curve at the sizes that were asked for. The plan has room. */
static int add_list(struct fathom_plan *plan, const struct fathom_spec *spec,
		    const struct fathom_request *request, struct fathom_error *error)
{
	uint64_t before = 0;
	for (size_t i = 0; i < request->size_count; i++) {
		uint64_t bytes = request->sizes_bytes[i];
		char size[UNITS_TEXT_BYTES];
		if (bytes < spec->node_bytes)
			return error_set(error, FATHOM_USAGE, "check --size and --spacing",
					 "size %s is smaller than a node",
					 units_format_size(bytes, size));
		bytes -= bytes % spec->node_bytes;
		if (bytes <= before)
			continue;
		plan->specs[plan->spec_count] = *spec;
		plan->specs[plan->spec_count++].size_bytes = before = bytes;
	}
	return 0;
}

static int list_specs(const struct fathom_request *request, const struct fathom_machine *machine,
		      struct fathom_plan *plan, struct fathom_error *error)
{
	struct fathom_spec spec = request->spec;
	plan->specs = calloc(MOST_CURVES * request->size_count, sizeof(*plan->specs));
	if (!plan->specs)
		return error_no_memory(error);
	plan->always_bytes = request->sizes_bytes[request->size_count - 1];
	if (add_list(plan, &spec, request, error))
		return -1;
	size_t count = plan->spec_count;
	spec.pattern = FATHOM_INDEPENDENT;
	if (request->both_orders && add_list(plan, &spec, request, error))
		return -1;
	if (request->control && has_control(&request->spec))
		add_control(plan, count, 1, specs_line_bytes(machine));
	return 0;
}

int latency_specs(const struct fathom_request *request, const struct fathom_machine *machine,
		  struct fathom_plan *plan, struct fathom_error *error)
{
	uint64_t low, high, always;
	struct fathom_spec spec = request->spec;
	if (request->sizes_bytes && request->size_count)
		return list_specs(request, machine, plan, error);
	if (find_range(request, machine, &low, &high, &always, error))
		return -1;
	double octaves = log2((double)high / (double)low);
	size_t most = (size_t)(octaves * request->per_octave) + 2;
	plan->specs = calloc(MOST_CURVES * most, sizeof(*plan->specs));
	if (!plan->specs)
		return error_no_memory(error);
	plan->always_bytes = always;
	add_curve(plan, &spec, low, high, request->per_octave);
	size_t count = plan->spec_count;
	if (request->both_orders) {
		spec.pattern = FATHOM_INDEPENDENT;
		add_curve(plan, &spec, low, high, request->per_octave);
	}
	if (request->control && has_control(&request->spec))
		add_control(plan, count, request->per_octave, specs_line_bytes(machine));
	return 0;
}
