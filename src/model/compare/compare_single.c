/* Each point a part of its own: of studies whose curves have no levels. */
#include <math.h>
#include <stdlib.h>

#include "base/error.h"
#include "base/names.h"
#include "base/patterns.h"
#include "base/text.h"
#include "base/units.h"
#include "model/compare/compare_judge.h"
#include "model/compare/compare_parts.h"
#include "model/compare/compare_points.h"
#include "model/compare/compare_same_level.h"
#include "model/compare/compare_scatter.h"
#include "model/compare/compare_value.h"
#include "model/latency_numbers.h"

struct point_comparison {
	const struct compare_set *set;
	const struct compare_match *match;
	double *scratch;
	struct compare_sample sample;
	struct compare_scatter scatter; /* of that curve where no run tells intervals */
	size_t scatter_of;              /* SIZE_MAX: of none yet */
};

static bool is_of_levels(const struct fathom_result *result, const struct fathom_point *point)
{
	for (size_t i = 0; i < result->level_count; i++)
		if (compare_is_of_curve(result, result->levels[i].curve, point))
			return true;
	return false;
}

static const struct fathom_curve *curve_of(const struct fathom_result *result,
					   const struct fathom_point *point)
{
	size_t curve = 0;
	while (!compare_is_of_curve(result, curve, point))
		curve++;
	return &result->curves[curve];
}

/* A control and an independent twin only help to find the levels of the main curve; of a survey,
 * with hundreds of points in as many states of the clock, the levels say what there is to say, but
 * of NUMA nodes. */
static bool is_judged(const struct compare_set *set, const struct compare_match *match, size_t row)
{
	size_t reference = compare_reference(set);
	const struct fathom_result *result = compare_set_run(set, reference)->result;
	const struct fathom_point *point = match->points[row * match->runs + reference];
	const struct fathom_curve *curve = curve_of(result, point);
	return !result->level_count || curve->experiment == FATHOM_NODES ||
	       (!latency_numbers_is_survey(result) && !is_of_levels(result, point) &&
		(curve->experiment != FATHOM_LATENCY || curve->axis != FATHOM_AXIS_SIZE));
}

static void add_size(struct text *text, const char *before, uint64_t bytes)
{
	char size[UNITS_TEXT_BYTES];
	if (bytes)
		text_add(text, "%s%s", before, units_format_size(bytes, size));
}

static bool has_several_cpus(const struct fathom_result *result, enum fathom_experiment experiment)
{
	int first = -1;
	for (size_t i = 0; i < result->curve_count; i++) {
		int cpu = result->curves[i].cpu;
		if (result->curves[i].experiment != experiment || cpu < 0)
			continue;
		if (first >= 0 && cpu != first)
			return true;
		first = cpu;
	}
	return false;
}

/* "read, 2 threads, 32 KiB" */
static char *name_of(const struct fathom_spec *spec, const struct fathom_result *result,
		     const struct fathom_curve *curve)
{
	struct text text = {0};
	text_add(&text, "%s", fathom_pattern_name(spec->pattern));
	if (spec->warmth != FATHOM_WARM)
		text_add(&text, ", %s", warmth_name(spec->warmth));
	if (spec->page != FATHOM_PAGE_DEFAULT && page_name(spec->page))
		text_add(&text, ", %s pages", page_name(spec->page));
	if (!pattern_streams(spec->pattern))
		add_size(&text, ", nodes of ", spec->node_bytes);
	add_size(&text, ", stride ", spec->stride_bytes);
	add_size(&text, ", windows of ", spec->window_bytes);
	if (spec->lanes > 1 || spec->axis == FATHOM_AXIS_LANES)
		text_add(&text, ", %u lane%s", spec->lanes, spec->lanes == 1 ? "" : "s");
	if (pattern_streams(spec->pattern))
		text_add(&text, ", %u thread%s", spec->threads, spec->threads == 1 ? "" : "s");
	if (spec->lap)
		text_add(&text, ", lap %u", spec->lap);
	add_size(&text, ", ", spec->size_bytes);
	if (curve->sibling != FATHOM_SIBLING_ANY)
		text_add(&text, ", sibling %s", sibling_name((int)curve->sibling));
	if (curve->memory_node >= 0)
		text_add(&text, ", CPU %d, memory of node %d", curve->cpu, curve->memory_node);
	else if (has_several_cpus(result, curve->experiment))
		text_add(&text, ", CPU %d", curve->cpu);
	return text_take(&text);
}

static enum fathom_quantity choose(const struct point_comparison *comparison, size_t row)
{
	const struct fathom_point *first = comparison->match->points[row * comparison->match->runs];
	if (pattern_streams(first->spec.pattern))
		return FATHOM_QUANTITY_BYTES_PER_SECOND;
	bool ns = comparison->set->unit == FATHOM_UNIT_NS ||
		  (comparison->set->unit == FATHOM_UNIT_AUTO &&
		   compare_row_known(comparison->match, row, FATHOM_QUANTITY_NS));
	return ns ? FATHOM_QUANTITY_NS : FATHOM_QUANTITY_CYCLES;
}

static double ln_ratio(const struct compare_match *match, size_t row, enum fathom_quantity quantity)
{
	const struct fathom_point *const *points = match->points + row * match->runs;
	return log(compare_value_of(points[0], quantity).value /
		   compare_value_of(points[1], quantity).value);
}

/* How far the ratios along its curve scatter: what one point does not tell of itself. */
static struct compare_scatter scatter_along(struct point_comparison *comparison, size_t row,
					    enum fathom_quantity quantity)
{
	const struct compare_match *match = comparison->match;
	size_t curve = match->curves[row], count = 0;
	if (comparison->scatter_of == curve)
		return comparison->scatter;
	for (size_t i = 0; i < match->count; i++)
		if (match->curves[i] == curve && compare_row_known(match, i, quantity))
			comparison->scratch[count++] = ln_ratio(match, i, quantity);
	comparison->scatter = compare_scatter_of(comparison->scratch, count);
	comparison->scatter_of = curve;
	return comparison->scatter;
}

static const char *estimate(struct point_comparison *comparison, size_t row,
			    struct fathom_compared_part *part)
{
	compare_estimate(&comparison->sample, part);
	if (!isnan(part->error))
		return comparison->sample.runs > 2
			       ? "the spread is taken from the baselines and from blocks"
			       : "the spread is taken from blocks";
	const struct compare_scatter_sample sample = {
		.count = 1, .all = scatter_along(comparison, row, part->quantity)};
	compare_scatter_estimate(&sample, comparison->sample.ln[0] - comparison->sample.ln[1],
				 part);
	part->probability = NAN; /* points of one curve may be as different as its lanes */
	return isnan(part->error) ? "there are no intervals, and one baseline does not show the "
				    "spread between runs"
				  : "there are no intervals: the spread is taken from how far "
				    "ratios scatter along the curve";
}

static int add_point(struct point_comparison *comparison, size_t row,
		     struct fathom_compared_run *run, struct fathom_error *error)
{
	const struct compare_match *match = comparison->match;
	const struct fathom_point *const *points = match->points + row * match->runs;
	struct fathom_compared_part part = {.quantity = choose(comparison, row), .points = 1};
	const struct fathom_result *first = compare_set_run(comparison->set, 0)->result;
	size_t last = match->runs - 1;
	double sum = 0;
	if (!compare_row_known(match, row, part.quantity))
		return 0;
	bool reverse = part.quantity == FATHOM_QUANTITY_BYTES_PER_SECOND;
	for (size_t i = 0; i <= last; i++) {
		double ln = log(compare_value_of(points[i], part.quantity).value);
		sum += i < last ? ln : 0;
		comparison->sample.ln[i] = reverse ? -ln : ln;
		comparison->sample.spread[i] =
			compare_spread(points[i], part.quantity, comparison->scratch);
	}
	part.baseline = exp(sum / (double)last);
	part.value = compare_value_of(points[last], part.quantity).value;
	part.evidence = text_format("%s", estimate(comparison, row, &part));
	part.name = name_of(&points[0]->spec, first, &first->curves[match->curves[row]]);
	return compare_add_part(run, &part, error);
}

int compare_single_points(const struct compare_set *set, const struct compare_match *match,
			  struct fathom_compared_run *run, struct fathom_error *error)
{
	struct point_comparison comparison = {
		.set = set, .match = match, .sample.runs = match->runs, .scatter_of = SIZE_MAX};
	size_t room = match->count + compare_most_blocks(match) + 1;
	comparison.scratch = calloc(room, sizeof(*comparison.scratch));
	comparison.sample.ln = calloc(2 * match->runs, sizeof(*comparison.sample.ln));
	comparison.sample.spread = comparison.sample.ln + match->runs;
	int failed = !comparison.scratch || !comparison.sample.ln;
	if (failed)
		error_no_memory(error);
	for (size_t row = 0; !failed && row < match->count; row++)
		if (is_judged(set, match, row))
			failed = add_point(&comparison, row, run, error);
	free(comparison.scratch);
	free(comparison.sample.ln);
	return failed ? -1 : 0;
}
