#include "measure/sweep_report.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/stats.h"
#include "base/units.h"
#include "base/warnings.h"
#include "measure/reach.h"
#include "measure/schedule.h"

#define ALL_PAGES      0.999
#define CLOCK_WANDERED 0.03
#define OVER_BUDGET    1.1

static void warn_of_budget(const struct fathom_plan *plan, const struct sweep_outcome *outcome,
			   struct fathom_result *result)
{
	size_t unmeasured = 0, few = 0, always = 0;
	if (result->interrupted)
		return;
	for (size_t i = 0; i < plan->spec_count; i++) {
		size_t blocks = outcome->tallies[i].block_count;
		always += plan->specs[i].size_bytes <= plan->always_bytes;
		unmeasured += blocks == 0 && plan->specs[i].size_bytes <= plan->always_bytes;
		few += blocks > 0 && blocks < SCHEDULE_FEWEST_BLOCKS;
	}
	if (unmeasured)
		warnings_add(&result->warnings, "sizes-left-out", NULL,
			     "give more time with --budget",
			     "%zu of %zu sizes did not fit in the budget and are left out",
			     unmeasured, always);
	if (few)
		warnings_add(&result->warnings, "few-blocks", NULL, "give more time with --budget",
			     "%zu sizes got fewer than %d blocks and have no interval", few,
			     SCHEDULE_FEWEST_BLOCKS);
}

static void warn_of_limits(const struct fathom_plan *plan, const struct meter *meter,
			   struct fathom_result *result)
{
	if (plan->target < meter->resolution)
		warnings_add(
			&result->warnings, "target-too-fine", NULL, "ask for less with --target",
			"the wanted half-width of %.2g %% is finer than the %.2g %% that a timed "
			"run resolves",
			100 * plan->target, 100 * meter->resolution);
	if (result->elapsed_s > OVER_BUDGET * plan->budget_s)
		warnings_add(
			&result->warnings, "over-budget", NULL,
			"ask for less with --max-size, or allow for it with --budget",
			"it took %.3g s and not %.3g: memory has to be touched once, and one size "
			"an octave measured",
			result->elapsed_s, plan->budget_s);
}

static void warn_of_memory(const struct fathom_plan *plan, const struct sweep_outcome *outcome,
			   struct fathom_result *result)
{
	char reach[UNITS_TEXT_BYTES], largest[UNITS_TEXT_BYTES];
	uint64_t last = 0;
	for (size_t i = 0; i < plan->spec_count; i++)
		if (outcome->tallies[i].block_count)
			last = plan->specs[i].size_bytes;
	if (result->interrupted || !outcome->reach_bytes ||
	    last >= REACH_TO_MEMORY * outcome->reach_bytes)
		return;
	warnings_add(&result->warnings, "memory-not-reached", NULL,
		     "ask for more with --max-size and --budget",
		     "the latency still rises near %s and the sweep ends at %s: the last level may "
		     "not be memory alone",
		     units_format_size(outcome->reach_bytes, reach),
		     units_format_size(last, largest));
}

static void warn_of_points(const struct fathom_curve *curve, uint64_t base_page_bytes,
			   unsigned disturbed, struct fathom_result *result)
{
	size_t mixed = 0;
	double least_share = 1;
	for (size_t i = 0; i < curve->point_count; i++) {
		const struct fathom_point *point = &curve->points[i];
		bool wanted_large = point->spec.page > FATHOM_PAGE_4K;
		if (point->page_share < ALL_PAGES ||
		    (wanted_large && point->page_bytes == base_page_bytes)) {
			mixed++;
			least_share = fmin(least_share,
					   wanted_large && point->page_bytes == base_page_bytes
						   ? 0
						   : point->page_share);
		}
	}
	if (mixed)
		warnings_add(
			&result->warnings, "mixed-pages", NULL,
			"ask for one kind with --page 4K, thp or 2M",
			"%zu of %zu sizes did not get one page size throughout (the least share is "
			"%.0f %%)",
			mixed, curve->point_count, 100 * least_share);
	if (disturbed)
		warnings_add(&result->warnings, "disturbed", NULL,
			     "repeat on a quieter machine, or pin to another CPU with --cpu",
			     "%u blocks had not one undisturbed batch", disturbed);
}

static int fill_clock(struct tally *tallies, size_t count, struct fathom_result *result,
		      struct fathom_error *error)
{
	size_t blocks = 0, known = 0;
	for (size_t i = 0; i < count; i++)
		blocks += tallies[i].block_count;
	double *clocks = malloc((blocks + 1) * sizeof(*clocks));
	if (!clocks)
		return error_no_memory(error);
	for (size_t i = 0; i < count; i++)
		for (size_t k = 0; k < tallies[i].block_count; k++)
			if (!isnan(tallies[i].clock_hz[k]))
				clocks[known++] = tallies[i].clock_hz[k];
	stats_sort(clocks, known);
	result->clock_median_hz = stats_median_sorted(clocks, known);
	result->clock_min_hz = known ? clocks[0] : NAN;
	result->clock_max_hz = known ? clocks[known - 1] : NAN;
	free(clocks);
	if (result->clock_max_hz - result->clock_min_hz > CLOCK_WANDERED * result->clock_median_hz)
		warnings_add(&result->warnings, "clock-wandered", NULL,
			     "fix the clock, or read the cycles: they follow it",
			     "the core clock moved between %.2f and %.2f GHz during the run",
			     result->clock_min_hz * 1e-9, result->clock_max_hz * 1e-9);
	return 0;
}

static int add_curve(const struct fathom_plan *plan, struct meter *meter,
		     struct sweep_outcome *outcome, struct fathom_result *result,
		     struct fathom_error *error)
{
	unsigned disturbed = 0;
	struct fathom_point *points = calloc(plan->spec_count, sizeof(*points));
	struct fathom_curve *curves =
		realloc(result->curves, (result->curve_count + 1) * sizeof(*curves));
	if (curves)
		result->curves = curves;
	if (!points || !curves) {
		free(points);
		return error_no_memory(error);
	}
	struct fathom_curve curve = {plan->experiment, plan->axis, plan->cpu, points, 0};
	for (size_t i = 0; i < plan->spec_count; i++) {
		struct tally *tally = &outcome->tallies[i];
		if (tally->block_count == 0)
			continue;
		disturbed += tally->disturbed_blocks;
		tally_finish(tally, plan->target, meter->line_bytes, &points[curve.point_count++]);
	}
	curves[result->curve_count++] = curve;
	warn_of_points(&curve, result->machine ? result->machine->base_page_bytes : 0, disturbed,
		       result);
	return 0;
}

int sweep_report(const struct fathom_plan *plan, struct meter *meter, struct sweep_outcome *outcome,
		 struct fathom_result *result, struct fathom_error *error)
{
	result->elapsed_s = meter->ops->elapsed_s(meter);
	if (meter->clock_missing) {
		result->clock_missing = strdup(meter->clock_missing);
		if (!result->clock_missing)
			return error_no_memory(error);
	}
	if (fill_clock(outcome->tallies, plan->spec_count, result, error))
		return -1;
	warn_of_budget(plan, outcome, result);
	warn_of_limits(plan, meter, result);
	warn_of_memory(plan, outcome, result);
	return add_curve(plan, meter, outcome, result, error);
}
