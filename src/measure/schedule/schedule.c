#include "measure/schedule/schedule.h"

#include <math.h>
#include <stdlib.h>

#include "measure/schedule/last_cliff.h"

#define PLACES_SHARE         0.25 /* of the last reach: in more memory all sets get as many pages */
#define ROUNDING             1e-9
#define MOST_BLOCKS          48 /* a size that is not exact then differs from place to place */
#define BLOCKS_A_BUILD       4
#define ALIKE_PRICES         2 /* of sizes that are made more exact in one round */
#define FEWEST_BUILDS        3 /* A control is cheap up to here, and dTLBs of small pages end below. */
#define LEAST_CONTROL_BYTES  (4ull << 20)
#define LEAST_MEMORY_NS      45
#define CONTROL_SHARE        0.2
#define CONTROL_OCTAVE_WORTH 64 /* as strides: only the main curve is worth more */
#define CLIFF_WORTH          8
bool schedule_is_control(const struct accumulator *accumulator)
{
	return accumulator->is_control;
}

size_t schedule_main_count(const struct schedule *schedule)
{
	size_t count = 0;
	while (count < schedule->count && schedule->accumulators[count].curve == 0)
		count++;
	return count;
}

bool schedule_allows(const struct schedule *schedule, const struct accumulator *accumulator)
{
	uint64_t size_bytes = accumulator->spec.size_bytes;
	if (size_bytes > schedule->last_bytes)
		return false;
	return !schedule_is_control(accumulator) || size_bytes <= LEAST_CONTROL_BYTES ||
	       size_bytes <= SCHEDULE_CONTROL_CACHES * schedule->reach_bytes;
}

void schedule_set_last_cliff(struct schedule *schedule)
{
	size_t main_count = schedule_main_count(schedule);
	uint64_t reach_bytes = last_cliff_find(schedule->accumulators, main_count);
	schedule->reach_bytes =
		reach_bytes ? reach_bytes : schedule->accumulators[0].spec.size_bytes;
	/* What is faster than any memory is a cache, whose end is not in sight. */
	for (size_t i = 0; i < main_count; i++) {
		const struct accumulator *accumulator = &schedule->accumulators[i];
		if (accumulator->block_count &&
		    accumulator_median_ns(accumulator) < LEAST_MEMORY_NS &&
		    accumulator->spec.size_bytes > schedule->reach_bytes)
			schedule->reach_bytes = accumulator->spec.size_bytes;
	}
	/* A first pass warms longer than later visits will. Without that, a larger size takes no
	 * less: one that did tells that this one had been disturbed. */
	double least_s = INFINITY;
	for (size_t i = main_count; i-- > 0;) {
		struct accumulator *accumulator = &schedule->accumulators[i];
		if (accumulator->block_count == 0)
			continue;
		if (accumulator->spec.size_bytes > schedule->last_bytes)
			schedule->last_bytes = accumulator->spec.size_bytes;
		least_s = fmin(least_s, accumulator->cost_s - accumulator->warm_s);
		accumulator->cost_s = least_s + schedule_usual_warm_s(schedule, accumulator);
	}
}

/* ---- costs ---- */

unsigned schedule_blocks_a_visit(const struct schedule *schedule,
				 const struct accumulator *accumulator)
{
	if (!schedule->reach_bytes ||
	    (double)accumulator->spec.size_bytes <= PLACES_SHARE * (double)schedule->reach_bytes)
		return 1;
	return BLOCKS_A_BUILD;
}

/* As at the next size of the curve, `size_bytes` or larger, that was visited; NAN: none was.
 * `from`: where to begin. */
static double larger_cost_s(const struct schedule *schedule, size_t from, size_t curve,
			    uint64_t size_bytes)
{
	for (size_t i = from; i < schedule->count && schedule->accumulators[i].curve <= curve;
	     i++) {
		const struct accumulator *accumulator = &schedule->accumulators[i];
		if (accumulator->curve == curve && accumulator->spec.size_bytes >= size_bytes &&
		    !isnan(accumulator->cost_s))
			return accumulator->cost_s;
	}
	return NAN;
}

double schedule_cost_s(const struct schedule *schedule, size_t index)
{
	const struct accumulator *accumulator = &schedule->accumulators[index];
	uint64_t size_bytes = accumulator->spec.size_bytes;
	double cost_s = larger_cost_s(schedule, index, accumulator->curve, size_bytes);
	if (isnan(cost_s))
		cost_s = larger_cost_s(schedule, 0, 0, size_bytes);
	for (size_t i = schedule->count; isnan(cost_s) && i-- > 0;)
		if (schedule->accumulators[i].curve == 0 ||
		    schedule->accumulators[i].curve == accumulator->curve)
			cost_s = schedule->accumulators[i].cost_s;
	return isnan(cost_s) ? 0 : cost_s;
}

/* Visits until it has its first interval. */
static double visits_missing(const struct schedule *schedule, const struct accumulator *accumulator)
{
	double each = schedule_blocks_a_visit(schedule, accumulator);
	double blocks = (double)SCHEDULE_FEWEST_BLOCKS - (double)accumulator->block_count;
	double builds = (double)FEWEST_BUILDS - (double)accumulator->placements;
	return fmax(0, fmax(ceil(blocks / each), each > 1 ? builds : 0));
}

double schedule_missing_s(const struct schedule *schedule, size_t index)
{
	return schedule_cost_s(schedule, index) *
	       visits_missing(schedule, &schedule->accumulators[index]);
}

bool schedule_is_due(const struct schedule *schedule, const struct accumulator *accumulator,
		     unsigned round)
{
	double visits = (double)FEWEST_BUILDS * round / SCHEDULE_FEWEST_BLOCKS;
	return schedule_blocks_a_visit(schedule, accumulator) > 1
		       ? accumulator->placements < (size_t)ceil(visits)
		       : accumulator->block_count < round;
}

/* ---- what is given up ---- */

/* Of the main curve, in the octave before the last cache seems to have ended. */
static bool is_at_cliff(const struct schedule *schedule, const struct accumulator *accumulator)
{
	uint64_t size_bytes = accumulator->spec.size_bytes, reach_bytes = schedule->reach_bytes;
	return accumulator->curve == 0 && size_bytes > reach_bytes / 2 && size_bytes <= reach_bytes;
}

/* How much is lost with a size; INFINITY: all. A control's first is where it begins. */
static double worth(const struct schedule *schedule, const struct accumulator *accumulator)
{
	if (accumulator->stride)
		return (double)accumulator->stride *
		       (is_at_cliff(schedule, accumulator) ? CLIFF_WORTH : 1);
	bool inside =
		schedule_is_control(accumulator) && accumulator[-1].curve == accumulator->curve;
	return inside ? CONTROL_OCTAVE_WORTH : INFINITY;
}

/* For qsort: the cheapest first; of the same price in the order of accumulators. */
static int compare_prices(const void *a, const void *b)
{
	const struct accumulator *first = *(struct accumulator *const *)a,
				 *second = *(struct accumulator *const *)b;
	if (first->price != second->price)
		return first->price < second->price ? -1 : 1;
	return (first > second) - (first < second);
}

/* Gives up sizes, of the control alone or of all, until the rest fits in `allowed_s`. */
static void give_up(struct schedule *schedule, bool control_alone, double allowed_s)
{
	double needed_s = 0;
	size_t count = 0;
	for (size_t i = 0; i < schedule->count; i++) {
		struct accumulator *accumulator = &schedule->accumulators[i];
		if (!accumulator->wanted || (control_alone && !schedule_is_control(accumulator)))
			continue;
		double cost_s = schedule_missing_s(schedule, i);
		needed_s += cost_s;
		accumulator->price = -cost_s / worth(schedule, accumulator); /* dearest first */
		if (accumulator->price < 0)
			schedule->order[count++] = accumulator;
	}
	qsort(schedule->order, count, sizeof(*schedule->order), compare_prices);
	for (size_t k = 0; k < count && needed_s > allowed_s; k++) {
		struct accumulator *accumulator = schedule->order[k];
		accumulator->wanted = false;
		needed_s += accumulator->price * worth(schedule, accumulator);
	}
}

static const struct accumulator *find_control(const struct schedule *schedule)
{
	for (size_t i = 0; i < schedule->count; i++)
		if (schedule_is_control(&schedule->accumulators[i]))
			return &schedule->accumulators[i];
	return NULL;
}

size_t schedule_control(const struct schedule *schedule)
{
	const struct accumulator *first = find_control(schedule);
	return first && first->wanted ? first->curve : 0;
}

/* What is left of a control must be enough to tell something, and begin where it should: the main
 * curve speaks for it at smaller sizes. */
static void drop_useless_control(struct schedule *schedule)
{
	const struct accumulator *first = find_control(schedule);
	size_t wanted = 0;
	for (size_t i = 0; i < schedule->count; i++)
		wanted += schedule_is_control(&schedule->accumulators[i]) &&
			  schedule->accumulators[i].wanted;
	if (!first || (first->wanted && wanted >= SCHEDULE_FEWEST_OF_CONTROL))
		return;
	for (size_t i = 0; i < schedule->count; i++)
		if (schedule_is_control(&schedule->accumulators[i]))
			schedule->accumulators[i].wanted = false;
}

void schedule_choose(struct schedule *schedule, double allowed_s)
{
	for (size_t i = 0; i < schedule->count; i++) {
		struct accumulator *accumulator = &schedule->accumulators[i];
		bool usual = accumulator->spec.size_bytes <= schedule->always_bytes;
		accumulator->wanted = schedule_allows(schedule, accumulator) &&
				      (usual || accumulator->stride == 0);
	}
	give_up(schedule, true, CONTROL_SHARE * allowed_s);
	drop_useless_control(schedule);
	give_up(schedule, false, allowed_s);
	drop_useless_control(schedule);
}

/* ---- what is made more exact ---- */

/* Blocks until the interval is looked at again; 0: it is as exact as it should be, or is not to be
 * made so. */
static double blocks_to_look(const struct accumulator *accumulator)
{
	double target = fmax(accumulator->target, accumulator->resolution);
	bool exact = accumulator_half_width(accumulator) <= target * (1 + ROUNDING);
	if (exact || accumulator->block_count >= MOST_BLOCKS)
		return 0;
	return (double)(accumulator_next_look(accumulator->block_count) - accumulator->block_count);
}

/* Of the control or the others, those whose next looks `left_s` is enough for, and of these the
 * cheapest: sizes that miss their target then get about the same time, and of the cheap ones many
 * blocks before the dear ones have a few more. */
static size_t choose(struct schedule *schedule, bool control, double left_s)
{
	size_t count = 0, fit = 0;
	for (size_t i = 0; i < schedule->count; i++) {
		struct accumulator *accumulator = &schedule->accumulators[i];
		if (schedule_is_control(accumulator) != control ||
		    !schedule_allows(schedule, accumulator) || (control && !accumulator->wanted))
			continue;
		double visits = ceil(blocks_to_look(accumulator) /
				     schedule_blocks_a_visit(schedule, accumulator));
		accumulator->price = schedule_cost_s(schedule, i) * visits;
		if (visits > 0)
			schedule->order[count++] = accumulator;
	}
	qsort(schedule->order, count, sizeof(*schedule->order), compare_prices);
	for (; fit < count && schedule->order[fit]->price <= left_s; fit++) {
		if (schedule->order[fit]->price > ALIKE_PRICES * schedule->order[0]->price)
			break;
		left_s -= schedule->order[fit]->price;
	}
	return fit;
}

size_t schedule_refine(struct schedule *schedule, double left_s)
{
	size_t count = choose(schedule, false, left_s);
	return count ? count : choose(schedule, true, left_s);
}
