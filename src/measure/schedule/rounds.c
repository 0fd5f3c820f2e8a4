#include "measure/schedule/rounds.h"

#include <math.h>

#include "base/patterns.h"
#include "base/warnings.h"
#include "measure/schedule/chosen.h"
#include "measure/schedule/floors.h"
#include "measure/schedule/last_cliff.h"
#include "measure/schedule/runner.h"
#include "measure/spec.h"

#define FEWEST_HOPS        8192
#define BLOCKS_A_PLACEMENT 3 /* tell its own spread from that between placements */
#define MOST_HOPS          1e12
#define LONGEST_READ_S     0.02
#define RESERVE_SHARE      0.2 /* of the time, for batches that are repeated */
#define SURE               1.5 /* times what is missing is left for it */
#define LAPS_BETWEEN       1.5 /* what is walked between batches, and batches that are repeated */

static bool is_exact(const struct runner *runner, const struct accumulator *accumulator)
{
	const struct accumulator *end = runner->schedule.accumulators + runner->schedule.count;
	do {
		if (!(accumulator_half_width(accumulator) <= accumulator->target))
			return false;
	} while (++accumulator < end && runner_goes_along(runner, accumulator));
	return true;
}

/* On one placement. */
static unsigned blocks_a_visit(const struct runner *runner)
{
	return runner->plan->placements ? BLOCKS_A_PLACEMENT : 1;
}

static size_t fewest_blocks(const struct accumulator *accumulator)
{
	bool means = pattern_traits(accumulator->spec.pattern)->kernel == KERNEL_INDEX_ARRAY;
	return means ? ACCUMULATOR_MEANS : SCHEDULE_FEWEST_BLOCKS;
}

static bool is_done(const struct runner *runner, const struct accumulator *accumulator)
{
	if (runner->plan->placements)
		return accumulator->placements >= runner->plan->placements;
	uint64_t steps = runner->plan->steps;
	size_t blocks = accumulator->block_count;
	if (blocks < fewest_blocks(accumulator))
		return false;
	if (steps)
		return accumulator->hops >= steps;
	/* Looking after every block would stop on luck. */
	return accumulator_next_look(blocks - 1) == blocks && is_exact(runner, accumulator);
}

/* ---- what is held against each other ---- */

static bool has_pairs(const struct runner *runner)
{
	enum fathom_experiment experiment = runner->plan->experiment;
	return experiment == FATHOM_PAGES || experiment == FATHOM_ABLATION;
}

/* Is the difference of the two what the experiment is about? Then block after block of the one is
 * measured right after, or before, that of the other. */
static bool is_pair(const struct runner *runner, const struct accumulator *a,
		    const struct accumulator *b)
{
	return a == b || choice_is_pair(runner->plan, &a->spec, &b->spec);
}

/* All of them get a block as long as one of them needs more. */
static void find_due(struct runner *runner, size_t round)
{
	struct schedule *schedule = &runner->schedule;
	size_t blocks = round * blocks_a_visit(runner);
	struct accumulator *end = schedule->accumulators + schedule->count;
	for (struct accumulator *accumulator = schedule->accumulators; accumulator < end;
	     accumulator++)
		accumulator->due = !runner_goes_along(runner, accumulator) &&
				   accumulator->block_count < blocks &&
				   !is_done(runner, accumulator);
	if (!has_pairs(runner))
		return;
	for (struct accumulator *accumulator = schedule->accumulators; accumulator < end;
	     accumulator++)
		for (struct accumulator *other = schedule->accumulators;
		     accumulator->due && other < end; other++)
			other->due |= is_pair(runner, accumulator, other);
}

/* Those that are still to be visited in the round, in schedule.order. */
static size_t find_open(struct runner *runner, size_t round)
{
	struct schedule *schedule = &runner->schedule;
	size_t count = 0;
	find_due(runner, round);
	for (size_t i = 0; i < schedule->count; i++)
		if (schedule->accumulators[i].due)
			schedule->order[count++] = &schedule->accumulators[i];
	return count;
}

/* Brings what is to be held against order[first] behind it. Returns the place after the last. */
static size_t gather(struct runner *runner, size_t first, size_t count)
{
	struct accumulator **order = runner->schedule.order;
	size_t end = first + 1;
	for (size_t k = end; k < count; k++)
		if (is_pair(runner, order[first], order[k])) {
			struct accumulator *keep = order[end];
			order[end++] = order[k];
			order[k] = keep;
		}
	return end;
}

/* ---- rounds ---- */

/* With what belongs to it: making memory cold before every lap, the laps that are timed apart. */
static double hop_cost_s(const struct accumulator *accumulator)
{
	double hop_s = LAPS_BETWEEN * accumulator_median_ns(accumulator) * 1e-9;
	if (accumulator->spec.lap)
		return accumulator->cost_s * (double)accumulator->block_count /
		       (double)accumulator->hops;
	if (accumulator->spec.warmth != FATHOM_WARM)
		hop_s += accumulator->warm_s / (double)spec_accesses(&accumulator->spec);
	return hop_s;
}

/* What visits took over what was planned for them: batches that are disturbed are repeated. */
static double overrun(const struct runner *runner)
{
	return runner->taken_s > runner->planned_s ? runner->taken_s / runner->planned_s : 1;
}

/* Sets how many hops a visit should time, so that all have the same share of the time that is left
 * until the next intervals are looked at, and no more than the steps. Returns what it will take if
 * nothing disturbs it. */
static double plan_visit(const struct runner *runner, struct accumulator *accumulator,
			 double visits_left)
{
	double share_s = runner_left_s(runner) / visits_left / overrun(runner);
	bool shortest = runner->plan->experiment == FATHOM_PAGES;
	if (accumulator->spec.axis == FATHOM_AXIS_LANES || shortest)
		return accumulator
			->cost_s; /* of blocks as short as will do: more of them tell more */
	if (runner->plan->experiment == FATHOM_PARALLELISM) /* blocks of lanes tell more */
		share_s = fmin(share_s, LONGEST_READ_S);
	double hop_s = hop_cost_s(accumulator);
	double blocks = blocks_a_visit(runner), fewest = blocks * FEWEST_HOPS;
	double hops = fmax(fewest, (share_s - accumulator->visit_overhead_s) / hop_s);
	if (runner->extra_s >= 0)
		hops = fmin(hops, fewest + runner->extra_s / hop_s);
	double blocks_left =
		fmax(1, (double)fewest_blocks(accumulator) - (double)accumulator->block_count);
	if (runner->plan->steps) {
		double steps = (double)runner->plan->steps - (double)accumulator->hops;
		hops = fmin(hops, fmax(FEWEST_HOPS, ceil(steps / blocks_left)));
	}
	accumulator->block_hops = (uint64_t)fmin(hops / blocks, MOST_HOPS);
	return accumulator->visit_overhead_s + hops * hop_s;
}

static int visit(struct runner *runner, struct accumulator *accumulator, struct fathom_error *error)
{
	double hops_before = (double)accumulator->hops;
	int status = runner_visit(runner, accumulator, blocks_a_visit(runner), error);
	if (status)
		return status;
	double hops = (double)accumulator->hops - hops_before;
	double visit_overhead_s = fmax(0, accumulator->cost_s - hops * hop_cost_s(accumulator));
	if (hops_before == 0 || visit_overhead_s < accumulator->visit_overhead_s)
		accumulator->visit_overhead_s = visit_overhead_s;
	if (accumulator->planned_s > 0) {
		runner->planned_s += accumulator->planned_s;
		runner->taken_s += accumulator->cost_s;
	}
	return 0;
}

/* Visits those of schedule.order from `first` to before `end` if there is time for all; what is
 * left is for visits_left. */
static int visit_group(struct runner *runner, size_t first, size_t end, double visits_left,
		       size_t *visits, struct fathom_error *error)
{
	struct accumulator **order = runner->schedule.order;
	double cost_s = 0;
	for (size_t k = first; k < end; k++) {
		struct accumulator *accumulator = order[k];
		accumulator->planned_s =
			accumulator->block_count ? plan_visit(runner, accumulator, visits_left) : 0;
		cost_s += accumulator->planned_s;
	}
	if (cost_s > runner_left_s(runner))
		return 0;
	*visits += end - first;
	for (size_t k = first; k < end; k++) {
		int status = visit(runner, order[k], error);
		if (status)
			return status;
	}
	return 0;
}

/* *visits: how many there were: those that there was time for. */
static int one_round(struct runner *runner, size_t round, size_t last_round, size_t *visits,
		     struct fathom_error *error)
{
	size_t count = find_open(runner, round);
	double after = (double)count * (double)(last_round - round);
	*visits = 0;
	runner_shuffle(runner, count);
	for (size_t first = 0, end; first < count; first = end) {
		end = gather(runner, first, count);
		int status = visit_group(runner, first, end, (double)(count - first) + after,
					 visits, error);
		if (status)
			return status;
	}
	return 0;
}

/* Have they memory in common, which is kept? Each number of threads has, for chains and for
 * streams, of each kind of page. */
static bool share_memory(const struct fathom_spec *a, const struct fathom_spec *b)
{
	bool kept = a->warmth != FATHOM_COLD_MAPPED && b->warmth != FATHOM_COLD_MAPPED;
	return kept && a->threads == b->threads && a->page == b->page &&
	       fathom_pattern_streams(a->pattern) == fathom_pattern_streams(b->pattern);
}

/* The first of those that need most of the memory that they share; NULL: it is not kept. */
static const struct accumulator *find_largest(const struct schedule *schedule,
					      const struct fathom_spec *spec)
{
	const struct accumulator *largest = NULL;
	for (size_t i = 0; i < schedule->count; i++) {
		const struct accumulator *accumulator = &schedule->accumulators[i];
		if (share_memory(&accumulator->spec, spec) &&
		    (!largest ||
		     spec_memory_bytes(&accumulator->spec) > spec_memory_bytes(&largest->spec)))
			largest = accumulator;
	}
	return largest;
}

/* The memory is touched before anything is timed. */
static int touch_memory(struct runner *runner, struct fathom_error *error)
{
	const struct schedule *schedule = &runner->schedule;
	struct meter_placement placement;
	runner->stage = "memory";
	for (size_t i = 0; i < schedule->count; i++) {
		const struct fathom_spec *spec = &schedule->accumulators[i].spec;
		if (find_largest(schedule, spec) != &schedule->accumulators[i])
			continue;
		runner_tell(runner, NULL);
		int status = runner->meter->ops->prepare(runner->meter, spec, spec->seed, true,
							 &placement, error);
		if (status)
			return status;
		runner_tell(runner, NULL);
	}
	return 0;
}

/* Where the first curve has sizes enough to show it; until then caches might be of any size, and
 * warming takes long. */
static void find_reach(struct runner *runner)
{
	struct schedule *schedule = &runner->schedule;
	if (runner->plan->experiment == FATHOM_PAGES)
		schedule->reach_bytes =
			last_cliff_find(schedule->accumulators, schedule_main_count(schedule));
}

/* What the last round took over what was expected of it. */
static double slowness(const struct runner *runner, const struct chosen *chosen)
{
	double took_s = runner_elapsed_s(runner) - chosen->since_s;
	return chosen->expected_s > 0 ? fmax(1, took_s / chosen->expected_s) : 1;
}

/* Leaves as many points as there is time for in so many rounds more, and lets visits be as much
 * longer as is surely left. Returns how many are not left. */
static size_t keep(struct runner *runner, struct chosen *chosen, size_t rounds)
{
	double left_s = runner_left_s(runner) / slowness(runner, chosen);
	size_t lost = chosen_keep(chosen, runner, left_s);
	double missing_s = choice_missing_s(&chosen->choice, chosen->visits);
	double spare_s = fmax(0, left_s - SURE * missing_s);
	runner->extra_s = spare_s / (double)(rounds * runner->schedule.count);
	chosen->since_s = runner_elapsed_s(runner);
	chosen->expected_s = (missing_s + spare_s) / (double)rounds;
	return lost;
}

/* One visit to each point that there will be time for, what tells most first: what these take
 * shows which they are. Those are left. Returns 0, -1 or 1 (stopped); *left_out: how many are not.
 */
static int first_pass(struct runner *runner, struct chosen *chosen, size_t *left_out,
		      struct fathom_error *error)
{
	double reserve_s = RESERVE_SHARE * runner_left_s(runner);
	size_t before = runner->schedule.count, count;
	runner->stage = "first pass";
	while (runner_left_s(runner) > 0 &&
	       (count = chosen_next(chosen, runner, runner_left_s(runner) - reserve_s))) {
		runner_shuffle(runner, count);
		for (size_t k = 0; k < count; k++) {
			int status = visit(runner, runner->schedule.order[k], error);
			if (status)
				return status;
		}
		find_reach(runner);
	}
	chosen_keep(chosen, runner, runner_left_s(runner) - reserve_s / 2);
	*left_out = before - runner->schedule.count;
	return 0;
}

/* The next number of blocks at which intervals are looked at; a point that has fewer once a number
 * is reached had no time. *lost: how many points there was no time for after all. */
static int all_rounds(struct runner *runner, struct chosen *chosen, struct floors *floors,
		      size_t *lost, struct fathom_error *error)
{
	size_t first = chosen->visits, last = first, visits = 1;
	for (size_t round = 2; visits || round <= first; round++) {
		if (round > first)
			runner->extra_s = -1;
		if (round > last)
			last = accumulator_next_look(last);
		else if (last == first)
			*lost += keep(runner, chosen, last - round + 1);
		runner_begin_round(runner, round);
		int status = one_round(runner, round, last, &visits, error);
		if (status)
			return status;
		if (floors_measure(floors, &runner->schedule, runner->meter, error))
			return -1;
	}
	return 0;
}

static int measure_chosen(struct runner *runner, struct floors *floors, size_t *left_out,
			  size_t *lost, struct fathom_error *error)
{
	struct chosen chosen;
	int status = chosen_open(&chosen, runner, blocks_a_visit(runner), error);
	if (status == 0)
		status = first_pass(runner, &chosen, left_out, error);
	if (status == 0)
		status = all_rounds(runner, &chosen, floors, lost, error);
	if (status == 0)
		*lost += chosen_finish(&chosen, runner);
	chosen_close(&chosen);
	return status;
}

/* What the tool itself chose to measure it may leave out. */
static void warn_of_points(const struct fathom_plan *plan, size_t left_out, size_t lost,
			   struct fathom_warnings *warnings)
{
	if (plan->asked && left_out)
		warnings_add(warnings, "points-left-out", NULL, "allow more time with --budget",
			     "%zu of %zu points are left out: the budget is too short for them",
			     left_out, plan->spec_count);
	if (lost)
		warnings_add(
			warnings, "points-lost", NULL,
			"measure again when the machine is less busy",
			"%zu of %zu points are left out: measuring them took longer than planned",
			lost, plan->spec_count);
}

int rounds_run(const struct fathom_plan *plan, struct meter *meter,
	       const struct fathom_observer *observer, struct fathom_result *result,
	       struct fathom_error *error)
{
	struct runner runner;
	struct floors floors = {0};
	size_t left_out = 0, lost = 0;
	int status = runner_open(&runner, plan, meter, observer, 0, error);
	if (status == 0)
		status = touch_memory(&runner, error);
	if (status == 0)
		status = floors_measure(&floors, &runner.schedule, meter, error);
	if (status == 0)
		status = measure_chosen(&runner, &floors, &left_out, &lost, error);
	if (status >= 0 &&
	    floors_measure_all(&floors, &runner.schedule, meter, &result->warnings, error))
		status = -1;
	if (status == 0)
		warn_of_points(plan, left_out, lost, &result->warnings);
	return runner_close(&runner, status, result, error);
}
