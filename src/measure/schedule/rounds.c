#include "measure/schedule/rounds.h"

#include <math.h>
#include <stdlib.h>

#include "base/error.h"
#include "base/patterns.h"
#include "base/warnings.h"
#include "measure/schedule/chosen.h"
#include "measure/schedule/floors.h"
#include "measure/schedule/last_cliff.h"
#include "measure/schedule/scheduler.h"
#include "measure/spec.h"

#define FEWEST_HOPS        8192
#define BLOCKS_A_PLACEMENT 3 /* tell its own spread from that between placements */
#define MOST_HOPS          1e12
#define LONGEST_READ_S     0.02
#define RESERVE_SHARE      0.2 /* of the time, for batches that are repeated */
#define USUAL_WITHIN       3   /* times: see choice_usual_s */
#define SURE               1.5 /* times what is missing is left for it */
#define LAPS_BETWEEN       1.5 /* what is walked between batches, and batches that are repeated */

struct rounds {
	struct scheduler scheduler;
	struct chosen chosen;
	struct floors floors;
	double reserve_s;          /* of the first pass */
	size_t round, last;        /* 0: the first pass; in which intervals are looked at next */
	size_t after;              /* visits of the rounds until then */
	double planned_s, taken_s; /* what visits should have taken, and took */
	double extra_s;            /* by how much visits may be longer than they must; < 0: any */
	size_t left_out, lost;     /* points: before the rounds, and in them */
	bool begun, restored, over;
};

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
	for (struct accumulator *accumulator = schedule->accumulators; accumulator < end;
	     accumulator++)
		for (struct accumulator *other = schedule->accumulators;
		     accumulator->due && other < end; other++)
			other->due |=
				choice_is_pair(runner->plan, &accumulator->spec, &other->spec);
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

/* ---- rounds ---- */

/* With what belongs to it: making memory cold before every lap, the laps that are timed apart. */
static double hop_cost_s(const struct accumulator *accumulator)
{
	double hop_s = LAPS_BETWEEN * accumulator_median_ns(accumulator) * 1e-9;
	if (accumulator->spec.lap)
		return accumulator->cost_s * (double)accumulator->block_count /
		       (double)accumulator->hops;
	if (spec_is_cold(&accumulator->spec))
		hop_s += accumulator->warm_s / (double)spec_accesses(&accumulator->spec);
	return hop_s;
}

/* What visits took over what was planned for them: batches that are disturbed are repeated. */
static double overrun(const struct rounds *rounds)
{
	return rounds->taken_s > rounds->planned_s ? rounds->taken_s / rounds->planned_s : 1;
}

/* Sets how many hops a visit should time, so that all have the same share of the time that is left
 * until the next intervals are looked at, and no more than the steps. Returns what it will take if
 * nothing disturbs it. */
static double plan_hops(const struct rounds *rounds, struct accumulator *accumulator,
			double visits_left)
{
	const struct runner *runner = &rounds->scheduler.runner;
	const struct fathom_plan *plan = runner->plan;
	double share_s = runner_left_s(runner) / visits_left / overrun(rounds);
	/* Of blocks as short as will do more tell more. */
	if (accumulator->spec.axis == FATHOM_AXIS_LANES || plan->experiment == FATHOM_PAGES ||
	    plan->experiment == FATHOM_SETTLING)
		return accumulator->cost_s;
	if (plan->experiment == FATHOM_PARALLELISM) /* blocks of lanes tell more */
		share_s = fmin(share_s, LONGEST_READ_S);
	double hop_s = hop_cost_s(accumulator);
	double blocks = blocks_a_visit(runner), fewest = blocks * FEWEST_HOPS;
	double hops = fmax(fewest, (share_s - accumulator->visit_overhead_s) / hop_s);
	if (rounds->extra_s >= 0)
		hops = fmin(hops, fewest + rounds->extra_s / hop_s);
	double blocks_left =
		fmax(1, (double)fewest_blocks(accumulator) - (double)accumulator->block_count);
	if (plan->steps) {
		double steps = (double)plan->steps - (double)accumulator->hops;
		hops = fmin(hops, fmax(FEWEST_HOPS, ceil(steps / blocks_left)));
	}
	accumulator->block_hops = (uint64_t)fmin(hops / blocks, MOST_HOPS);
	return accumulator->visit_overhead_s + hops * hop_s;
}

static void plan_visit(struct scheduler *scheduler, struct accumulator *accumulator, size_t waiting)
{
	const struct rounds *rounds = (struct rounds *)scheduler;
	bool known = rounds->round && accumulator->block_count;
	accumulator->planned_blocks = blocks_a_visit(&scheduler->runner);
	accumulator->planned_s =
		known ? plan_hops(rounds, accumulator, (double)(waiting + rounds->after)) : 0;
}

static void learn(struct scheduler *scheduler, struct accumulator *accumulator,
		  uint64_t hops_before)
{
	struct rounds *rounds = (struct rounds *)scheduler;
	double hops = (double)(accumulator->hops - hops_before);
	double overhead_s = fmax(0, accumulator->cost_s - hops * hop_cost_s(accumulator));
	if (hops_before == 0 || overhead_s < accumulator->visit_overhead_s)
		accumulator->visit_overhead_s = overhead_s;
	if (accumulator->planned_s > 0) {
		rounds->planned_s += accumulator->planned_s;
		rounds->taken_s += accumulator->cost_s;
	}
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
 * longer as is surely left. */
static void keep(struct rounds *rounds, size_t more)
{
	struct runner *runner = &rounds->scheduler.runner;
	struct chosen *chosen = &rounds->chosen;
	double left_s = runner_left_s(runner) / slowness(runner, chosen);
	*(rounds->restored ? &rounds->left_out : &rounds->lost) +=
		chosen_keep(chosen, runner, left_s);
	double missing_s = choice_missing_s(&chosen->choice, chosen->visits);
	double spare_s = fmax(0, left_s - SURE * missing_s);
	rounds->extra_s = spare_s / (double)(more * runner->schedule.count);
	chosen->since_s = runner_elapsed_s(runner);
	chosen->expected_s = (missing_s + spare_s) / (double)more;
}

/* The first pass is one visit to each point that there will be time for, what tells most first:
 * what these take shows which they are. Those are left. Returns how many come next. */
static size_t next_first(struct rounds *rounds)
{
	struct runner *runner = &rounds->scheduler.runner;
	double left_s = runner_left_s(runner);
	find_reach(runner);
	size_t count =
		left_s > 0 ? chosen_next(&rounds->chosen, runner, left_s - rounds->reserve_s) : 0;
	if (count > 0)
		return count;
	chosen_keep(&rounds->chosen, runner, left_s - rounds->reserve_s / 2);
	rounds->left_out = runner->plan->spec_count - runner->schedule.count;
	rounds->scheduler.must_visit = false;
	rounds->scheduler.visits = 1;
	rounds->last = rounds->chosen.visits;
	rounds->round = 1;
	return 0;
}

/* What had seemed to take too long, by the usual costs, gets a first visit in the time that the
 * others left: it shows what they take. */
static bool restore(struct rounds *rounds)
{
	struct runner *runner = &rounds->scheduler.runner;
	size_t count =
		chosen_restore(&rounds->chosen, runner, USUAL_WITHIN * runner_left_s(runner));
	rounds->left_out -= count;
	rounds->round = 0;
	rounds->last = rounds->chosen.visits;
	rounds->chosen.expected_s = 0;
	rounds->restored = true;
	return count > 0;
}

/* The next number of blocks at which intervals are looked at; a point that has fewer once a number
 * is reached had no time. Returns how many the round has. */
static size_t begin_round(struct rounds *rounds)
{
	struct runner *runner = &rounds->scheduler.runner;
	size_t first = rounds->chosen.visits, round = ++rounds->round;
	if (round > first)
		rounds->extra_s = -1;
	rounds->over = round > first && rounds->scheduler.visits == 0 && !restore(rounds);
	if (rounds->over || rounds->round == 0)
		return 0;
	if (round > rounds->last)
		rounds->last = accumulator_next_look(rounds->last);
	else if (rounds->last == first && round > 1)
		keep(rounds, rounds->last - round + 1);
	runner_begin_round(runner, round);
	size_t count = find_open(runner, round);
	rounds->after = count * (rounds->last - round);
	rounds->scheduler.visits = 0;
	return count;
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
			lost, plan->spec_count - (plan->asked ? 0 : left_out));
}

static int measure_floors(struct rounds *rounds, struct fathom_error *error)
{
	struct runner *runner = &rounds->scheduler.runner;
	return floors_measure(&rounds->floors, &runner->schedule, runner->meter, error);
}

static int begin(struct rounds *rounds, struct fathom_error *error)
{
	if (measure_floors(rounds, error))
		return -1;
	rounds->reserve_s = RESERVE_SHARE * runner_left_s(&rounds->scheduler.runner);
	rounds->scheduler.runner.stage = "first pass";
	rounds->scheduler.must_visit = true;
	rounds->begun = true;
	return 0;
}

static int rounds_next(struct scheduler *scheduler, size_t *count, struct fathom_error *error)
{
	struct rounds *rounds = (struct rounds *)scheduler;
	if (!rounds->begun && begin(rounds, error))
		return -1;
	*count = rounds->round ? 0 : next_first(rounds);
	while (*count == 0 && !rounds->over) {
		if (rounds->round > 1 && measure_floors(rounds, error))
			return -1;
		*count = begin_round(rounds);
	}
	return 0;
}

int rounds_run(const struct fathom_plan *plan, struct meter *meter,
	       const struct fathom_observer *observer, struct fathom_result *result,
	       struct fathom_error *error)
{
	static const struct scheduler_ops ops = {rounds_next, plan_visit, learn};
	struct rounds *rounds = calloc(1, sizeof(*rounds)); /* too large for small stacks */
	if (!rounds)
		return error_no_memory(error);
	struct runner *runner = &rounds->scheduler.runner;
	rounds->scheduler.ops = &ops;
	int status = runner_open(runner, plan, meter, observer, 0, error);
	runner->schedule.last_bytes = UINT64_MAX;
	if (status == 0)
		status = chosen_open(&rounds->chosen, runner, blocks_a_visit(runner), error);
	if (status == 0)
		status = scheduler_run(&rounds->scheduler, error);
	if (status == 0)
		rounds->lost += chosen_finish(&rounds->chosen, runner);
	chosen_close(&rounds->chosen);
	if (status >= 0 &&
	    floors_measure_all(&rounds->floors, &runner->schedule, meter, &result->warnings, error))
		status = -1;
	if (status == 0)
		warn_of_points(plan, rounds->left_out, rounds->lost, &result->warnings);
	status = runner_close(runner, status, result, error);
	free(rounds);
	return status;
}
