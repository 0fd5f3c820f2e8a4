#include "measure/schedule/sweep_report.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/names.h"
#include "base/plan.h"
#include "base/units.h"
#include "base/warnings.h"
#include "measure/schedule/last_cliff.h"

#define ALL_PAGES   0.999
#define OVER_BUDGET 1.1
/* Times the fastest block no size is faster: of 22 documents no interval in L1 begins below 0.999
 * of it, and it is at most 0.4 % below the latency there. */
#define NOT_FASTER  0.99
#define MOVED_SHARE 0.01 /* of a run: less hardly changes a median */

/* How many sizes should be there, are not, and are there without an interval. */
struct completeness {
	size_t usual, missing, few;
};

static struct completeness look_for(const struct schedule *schedule, bool control)
{
	struct completeness found = {0};
	for (size_t i = 0; i < schedule->count; i++) {
		const struct accumulator *accumulator = &schedule->accumulators[i];
		bool usual = accumulator->spec.size_bytes <= schedule->always_bytes &&
			     schedule_allows(schedule, accumulator);
		if (schedule_is_control(accumulator) != control)
			continue;
		found.usual += usual;
		found.missing += usual && accumulator->block_count == 0;
		found.few += accumulator_is_measured(accumulator) &&
			     accumulator_counted(accumulator) < SCHEDULE_FEWEST_BLOCKS;
	}
	return found;
}

static void warn_of_budget(const struct fathom_plan *plan, const struct schedule *schedule,
			   bool control_left_out, struct fathom_result *result)
{
	struct completeness sizes = look_for(schedule, false);
	struct completeness control = look_for(schedule, true);
	bool sweep = plan->experiment == FATHOM_LATENCY;
	bool beside_sweep = plan->experiment == FATHOM_PARALLELISM; /* whose warnings stay */
	const char *noun = sweep ? "sizes" : "points";
	if (result->interrupted)
		return;
	if (control_left_out)
		control.few = 0;
	if (sizes.missing && plan->asked)
		warnings_add(&result->warnings, beside_sweep ? "points-left-out" : "sizes-left-out",
			     NULL, "allow more time with --budget",
			     "%zu of %zu %s are left out: the budget is too short for them",
			     sizes.missing, sizes.usual, noun);
	if (control_left_out)
		warnings_add(&result->warnings, "control-left-out", NULL,
			     "allow more time with --budget",
			     "there was no time for the control curve: caches and TLBs are told "
			     "apart less reliably");
	if (sizes.few + control.few)
		warnings_add(
			&result->warnings, beside_sweep ? "few-blocks-of-points" : "few-blocks",
			NULL, "allow more time with --budget",
			"no interval for %zu %s: fewer than %d blocks were measured",
			sizes.few + control.few, sizes.few + control.few > 1 ? "points" : "point",
			SCHEDULE_FEWEST_BLOCKS);
}

static void warn_of_limits(const struct fathom_plan *plan, const struct meter *meter,
			   struct fathom_result *result)
{
	bool sweep = plan->experiment == FATHOM_LATENCY;
	bool up_to = sweep || plan->experiment == FATHOM_PAGES;
	if (plan->target < meter->resolution)
		warnings_add(&result->warnings, "target-too-fine", NULL, "use a wider --target",
			     "the target of %.2g %% is narrower than the %.2g %% to which the "
			     "timer and the cost of reading it are known",
			     100 * plan->target, 100 * meter->resolution);
	if (result->elapsed_s > OVER_BUDGET * plan->budget_s)
		warnings_add(&result->warnings, "over-budget", NULL,
			     up_to ? "use a smaller --max-size or a longer --budget"
				   : "use a smaller --size or a longer --budget",
			     "it took %.3g s instead of %.3g s: before measuring, memory must be "
			     "touched once and %s",
			     result->elapsed_s, plan->budget_s,
			     sweep ? "one size per octave measured"
				   : "the line size and the fixed cost determined");
}

static void warn_of_memory(const struct schedule *schedule, struct fathom_result *result)
{
	char reach[UNITS_TEXT_BYTES], largest[UNITS_TEXT_BYTES];
	size_t main_count = schedule_main_count(schedule);
	uint64_t reach_bytes = last_cliff_find(schedule->accumulators, main_count), last = 0;
	for (size_t i = 0; i < main_count; i++)
		if (schedule->accumulators[i].block_count)
			last = schedule->accumulators[i].spec.size_bytes;
	if (result->interrupted || !reach_bytes || last >= LAST_CLIFF_TO_MEMORY * reach_bytes)
		return;
	warnings_add(&result->warnings, "memory-not-reached", NULL,
		     "use a larger --max-size and --budget",
		     "the latency still rises near %s, where the sweep ends (%s): the last level "
		     "may be part cache, part memory",
		     units_format_size(reach_bytes, reach), units_format_size(last, largest));
}

struct pages_seen {
	size_t sizes, mixed, unknown;
	size_t uncounted; /* of the unknown ones, of multi-size THP */
	double least_share;
};

static void look_at_pages(const struct fathom_curve *curve, uint64_t base_page_bytes,
			  struct pages_seen *seen)
{
	for (size_t i = 0; i < curve->point_count; i++) {
		const struct fathom_point *point = &curve->points[i];
		bool small = point->spec.page > FATHOM_PAGE_4K &&
			     point->page_bytes == base_page_bytes; /* and large ones were wanted */
		seen->sizes++;
		seen->unknown += point->page_bytes == 0;
		seen->uncounted += point->page_bytes == 0 && page_is_multi_size(point->spec.page);
		if (point->page_bytes == 0)
			continue;
		if (point->page_share >= ALL_PAGES && !small)
			continue;
		seen->mixed++;
		seen->least_share = fmin(seen->least_share, small ? 0 : point->page_share);
	}
}

static void warn_of_points(struct fathom_result *result, unsigned disturbed)
{
	struct pages_seen seen = {.least_share = 1};
	for (size_t c = 0; c < result->curve_count; c++)
		look_at_pages(&result->curves[c],
			      result->machine ? result->machine->base_page_bytes : 0, &seen);
	if (seen.mixed)
		warnings_add(&result->warnings, "mixed-pages", NULL,
			     "request one kind with --page 4K, thp or 2M",
			     "%zu of %zu sizes are on pages of different sizes (the smallest share "
			     "is %.0f %%)",
			     seen.mixed, seen.sizes, 100 * seen.least_share);
	if (seen.unknown)
		warnings_add(&result->warnings, "pages-unknown", NULL,
			     seen.uncounted
				     ? "measure on Linux 6.10 or later, which counts these pages"
				     : "measure where /proc is readable",
			     "the page size of %zu of %zu sizes is not known: %s", seen.unknown,
			     seen.sizes,
			     seen.uncounted ? "this kernel does not count pages of multi-size THP"
					    : "neither /proc/self/pagemap nor smaps can be read");
	if (disturbed)
		warnings_add(&result->warnings, "disturbed", NULL,
			     "measure again when the machine is less busy, or use another CPU with "
			     "--cpu",
			     "%u %s had no undisturbed batch", disturbed,
			     disturbed == 1 ? "block" : "blocks");
}

static void warn_of_timer(const struct schedule *schedule, struct fathom_result *result)
{
	size_t count = 0;
	for (size_t i = 0; i < schedule->count; i++)
		count += schedule->accumulators[i].block_count > 0 &&
			 !accumulator_is_measured(&schedule->accumulators[i]);
	if (count)
		warnings_add(&result->warnings, "below-timer", NULL,
			     "measure again when the machine is idle, and check whether its clock "
			     "source is slow",
			     "%zu %s left out: the timer does not tell their time from what timing "
			     "them takes",
			     count, count == 1 ? "point is" : "points are");
}

static size_t curve_end(const struct schedule *schedule, size_t first)
{
	size_t end = first;
	while (end < schedule->count &&
	       schedule->accumulators[end].curve == schedule->accumulators[first].curve)
		end++;
	return end;
}

/* The first curve is worth it with or without points, others only with, and a control only if it
 * begins where it should: the main curve speaks for it at smaller sizes. */
static bool worth_reporting(const struct schedule *schedule, size_t first, size_t end)
{
	size_t points = 0;
	for (size_t i = first; i < end; i++)
		points += accumulator_is_measured(&schedule->accumulators[i]);
	if (schedule_is_control(&schedule->accumulators[first]))
		return accumulator_is_measured(&schedule->accumulators[first]) &&
		       points >= SCHEDULE_FEWEST_OF_CONTROL;
	return first == 0 || points > 0;
}

/* The CPU that most of it was measured on; -1: several. */
static int measured_cpu(const struct fathom_plan *plan, const struct meter *meter)
{
	const struct meter_location *place = &meter->place;
	return 2 * place->away > place->looks ? place->away_cpu : plan->cpu;
}

static void warn_of_moves(const struct fathom_plan *plan, const struct meter *meter,
			  struct fathom_result *result)
{
	const struct meter_location *place = &meter->place;
	char where[32] = "other CPUs";
	if ((double)place->away <= MOVED_SHARE * (double)place->looks)
		return;
	if (place->away_cpu >= 0)
		snprintf(where, sizeof(where), "cpu %d", place->away_cpu);
	warnings_add(&result->warnings, "moved", NULL,
		     "something rebinds the process (taskset, cpusets): use --cpu with a CPU that "
		     "it may stay on",
		     "%.0f %% of the run was on %s although cpu %d was requested: %s",
		     100 * (double)place->away / (double)place->looks, where, plan->cpu,
		     measured_cpu(plan, meter) == plan->cpu
			     ? "the batches measured there are rejected"
			     : "the values are from there");
}

static void warn_of_node(const struct fathom_plan *plan, const struct meter *meter,
			 struct fathom_result *result)
{
	if (meter->node_share < 1)
		warnings_add(&result->warnings, "pages-elsewhere", NULL,
			     "free memory on that node, or measure less with --size or --max-size",
			     "of the memory only %.3g %% is on NUMA node %d, as the kernel says",
			     100 * meter->node_share, plan->memory_node);
}

/* Where a few placements are of two kinds, the widened interval of their median would reach below
 * any cache: no size is faster than the fastest block of all. */
static void bound_below(struct fathom_curve *curve)
{
	double fastest_ns = INFINITY;
	for (size_t i = 0; i < curve->point_count; i++)
		for (size_t k = 0; k < curve->points[i].block_count; k++)
			fastest_ns = fmin(fastest_ns, curve->points[i].blocks_ns[k]);
	for (size_t i = 0; i < curve->point_count; i++) {
		struct fathom_point *at = &curve->points[i];
		double least_ns = fmin(NOT_FASTER * fastest_ns, at->latency_ns);
		if (!(at->latency_low_ns < least_ns))
			continue;
		at->latency_low_ns = least_ns;
		at->latency_low_cycles = least_ns * at->clock_hz * 1e-9;
	}
}

/* Appends the curve of the accumulators from `first` to before `end`. With `finish` they are
 * emptied. */
static int add_curve(const struct fathom_plan *plan, const struct meter *meter,
		     struct accumulator *first, const struct accumulator *end, bool finish,
		     double clock_hz, struct fathom_result *result, struct fathom_error *error)
{
	struct fathom_point *points = calloc((size_t)(end - first), sizeof(*points));
	struct fathom_curve *curves =
		realloc(result->curves, (result->curve_count + 1) * sizeof(*curves));
	if (curves)
		result->curves = curves;
	if (!points || !curves) {
		free(points);
		return error_no_memory(error);
	}
	struct fathom_curve curve = {.experiment = plan->experiment,
				     .axis = first->spec.axis,
				     .cpu = measured_cpu(plan, meter),
				     .memory_node = plan->memory_node,
				     .node_share = meter->node_share,
				     .sibling = plan_sibling_at(plan, 0),
				     .points = points};
	for (struct accumulator *accumulator = first; accumulator < end; accumulator++) {
		if (!accumulator_is_measured(accumulator))
			continue;
		(finish ? accumulator_finish : accumulator_read)(
			accumulator, meter->line_bytes, clock_hz, &points[curve.point_count++]);
	}
	if (curve.axis == FATHOM_AXIS_SIZE)
		bound_below(&curve);
	curves[result->curve_count++] = curve;
	return 0;
}

static int add_curves(const struct fathom_plan *plan, const struct meter *meter,
		      const struct schedule *schedule, bool finish, double clock_hz,
		      struct fathom_result *result, struct fathom_error *error)
{
	for (size_t first = 0, end; first < schedule->count; first = end) {
		end = curve_end(schedule, first);
		if (worth_reporting(schedule, first, end) &&
		    add_curve(plan, meter, &schedule->accumulators[first],
			      &schedule->accumulators[end], finish, clock_hz, result, error))
			return -1;
	}
	return 0;
}

static bool leaves_control_out(const struct schedule *schedule)
{
	for (size_t first = 0, end; first < schedule->count; first = end) {
		end = curve_end(schedule, first);
		if (schedule_is_control(&schedule->accumulators[first]) &&
		    !worth_reporting(schedule, first, end))
			return true;
	}
	return false;
}

int sweep_report_so_far(const struct fathom_plan *plan, const struct meter *meter,
			const struct schedule *schedule, struct fathom_result *result,
			struct fathom_error *error)
{
	struct fathom_result made = {0};
	if (add_curves(plan, meter, schedule, false, NAN, &made, error)) {
		sweep_report_drop(&made);
		return -1;
	}
	*result = made;
	return 0;
}

void sweep_report_drop(struct fathom_result *result)
{
	for (size_t i = 0; i < result->curve_count; i++)
		free(result->curves[i].points);
	free(result->curves);
	*result = (struct fathom_result){0};
}

int sweep_report(const struct fathom_plan *plan, struct meter *meter, struct schedule *schedule,
		 struct clock_record *clock, struct fathom_result *result,
		 struct fathom_error *error)
{
	unsigned disturbed = 0;
	result->elapsed_s = meter->ops->elapsed_s(meter);
	if (meter->clock_missing && !result->clock_missing) {
		result->clock_missing = strdup(meter->clock_missing);
		if (!result->clock_missing)
			return error_no_memory(error);
	}
	clock_record_report(clock, plan->target, result);
	warn_of_budget(plan, schedule, leaves_control_out(schedule), result);
	warn_of_limits(plan, meter, result);
	if (plan->experiment == FATHOM_LATENCY)
		warn_of_memory(schedule, result);
	warn_of_timer(schedule, result);
	for (size_t i = 0; i < schedule->count; i++)
		disturbed += accumulator_disturbed(&schedule->accumulators[i]);
	if (add_curves(plan, meter, schedule, true, result->clock_median_hz, result, error))
		return -1;
	warn_of_points(result, disturbed);
	warn_of_moves(plan, meter, result);
	warn_of_node(plan, meter, result);
	return vm_record_warn(&meter->memory_events, &result->warnings) ? error_no_memory(error)
									: 0;
}
