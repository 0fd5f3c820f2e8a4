#include "measure/schedule/sweep.h"

#include <math.h>

#include "base/error.h"
#include "base/patterns.h"
#include "measure/sampling/calibrate.h"
#include "measure/schedule/last_cliff.h"
#include "measure/schedule/runner.h"
#include "measure/schedule/sweep_report.h"

#define REFINING_SHARE                                                                             \
	0.13                  /* of what the first pass leaves: for the advisor and wide intervals \
			       */
#define CHEAP_SHARE      0.08 /* of the budget: for what is made exact soonest, private caches */
#define MORE_SIZES_SHARE 0.07 /* of the same: for the sizes that the advisor asks for */
#define FURTHER_VISITS   3    /* of a size over always_bytes, the first pass's included */
#define LEAST_ADVISED_S  0.2  /* with less time left the advisor is not asked */
#define ADVICE_SHARE     0.02 /* of the budget: a advisor that takes longer is asked only once */
#define MOST_ASKED       4
#define FIT_SHARE        0.2 /* of the budget, for reading the result; until the advisor has shown */
#define MOST_ADDED       24  /* sizes that it may add */
#define MOST_AT_ONCE     8

struct sweep {
	struct runner runner;
	const struct sweep_advisor *advisor;
	size_t added;    /* sizes, on the advisor's word */
	double advice_s; /* the most that asking it once took */
};

/* ---- the first pass: one size an octave, to see where the caches end ---- */

/* Memory is touched for the first time here and not in the visits, whose times plan the rest. */
static int touch_memory(struct sweep *sweep, const struct accumulator *accumulator,
			struct fathom_error *error)
{
	struct meter_placement placement;
	runner_tell(&sweep->runner, NULL);
	int status =
		sweep->runner.meter->ops->prepare(sweep->runner.meter, &accumulator->spec,
						  accumulator->spec.seed, true, &placement, error);
	if (status == 0)
		runner_tell(&sweep->runner, NULL);
	return status;
}

/* Over always_bytes a size an octave will do, and only while the caches still seem to reach there
 * and an eighth of the time left is enough. `before`: the last size that was visited; `touch_s`:
 * what touching took so far. */
static int look_further(struct sweep *sweep, const struct accumulator *before, double touch_s,
			struct fathom_error *error)
{
	struct schedule *schedule = &sweep->runner.schedule;
	size_t main_count = schedule_main_count(schedule);
	for (size_t i = 0; i < main_count; i++) {
		struct accumulator *accumulator = &schedule->accumulators[i];
		if (accumulator->stride || accumulator->spec.size_bytes <= schedule->always_bytes)
			continue;
		double growth =
			(double)accumulator->spec.size_bytes / (double)before->spec.size_bytes;
		double visits_s = FURTHER_VISITS * growth * before->cost_s;
		uint64_t reach_bytes = last_cliff_find(schedule->accumulators, main_count);
		if (accumulator->spec.size_bytes > LAST_CLIFF_TO_MEMORY * reach_bytes ||
		    touch_s * growth + visits_s > runner_left_s(&sweep->runner) / 8)
			break;
		double start_s = runner_elapsed_s(&sweep->runner);
		int status = touch_memory(sweep, accumulator, error);
		touch_s += runner_elapsed_s(&sweep->runner) - start_s;
		if (status == 0)
			status = runner_visit(&sweep->runner, accumulator, 1, error);
		if (status)
			return status;
		before = accumulator;
	}
	return 0;
}

static int first_pass(struct sweep *sweep, struct fathom_error *error)
{
	struct schedule *schedule = &sweep->runner.schedule;
	size_t count = 0, main_count = schedule_main_count(schedule);
	sweep->runner.stage = "first pass";
	for (size_t i = 0; i < main_count; i++) {
		struct accumulator *accumulator = &schedule->accumulators[i];
		if (accumulator->stride == 0 &&
		    accumulator->spec.size_bytes <= schedule->always_bytes)
			schedule->order[count++] = accumulator;
	}
	const struct accumulator *largest = schedule->order[count - 1];
	double start_s = runner_elapsed_s(&sweep->runner);
	int status = touch_memory(sweep, largest, error);
	double touch_s = runner_elapsed_s(&sweep->runner) - start_s;
	runner_shuffle(&sweep->runner, count);
	for (size_t k = 0; k < count && status == 0; k++)
		status = runner_visit(&sweep->runner, schedule->order[k], 1, error);
	if (status == 0)
		status = look_further(sweep, largest, touch_s, error);
	if (status == 0)
		schedule_set_last_cliff(schedule);
	return status;
}

/* ---- rounds ---- */

/* A visit to each wanted size, of all curves, that has fewer blocks than the number of the round.
 */
static int one_round(struct sweep *sweep, unsigned round, struct fathom_error *error)
{
	struct schedule *schedule = &sweep->runner.schedule;
	size_t count = 0;
	for (size_t i = 0; i < schedule->count; i++)
		if (schedule->accumulators[i].wanted &&
		    schedule_is_due(schedule, &schedule->accumulators[i], round))
			schedule->order[count++] = &schedule->accumulators[i];
	runner_shuffle(&sweep->runner, count);
	for (size_t k = 0; k < count; k++) {
		struct accumulator *accumulator = schedule->order[k];
		if (schedule_cost_s(schedule, (size_t)(accumulator - schedule->accumulators)) >
		    runner_left_s(&sweep->runner))
			continue;
		int status = runner_visit(&sweep->runner, accumulator,
					  schedule_blocks_a_visit(schedule, accumulator), error);
		if (status)
			return status;
	}
	return 0;
}

/* Every size to its first interval, in random order: what drifts becomes scatter. */
static int all_rounds(struct sweep *sweep, struct fathom_error *error)
{
	double share = REFINING_SHARE + (sweep->advisor ? MORE_SIZES_SHARE : 0);
	double reserve_s = share * runner_left_s(&sweep->runner);
	for (unsigned round = 1; round <= SCHEDULE_FEWEST_BLOCKS; round++) {
		runner_begin_round(&sweep->runner, round);
		if (round == SCHEDULE_FEWEST_BLOCKS) /* an interval tells more than another size */
			reserve_s = CHEAP_SHARE * sweep->runner.plan->budget_s;
		schedule_choose(&sweep->runner.schedule, runner_left_s(&sweep->runner) - reserve_s);
		int status = one_round(sweep, round, error);
		if (status)
			return status;
	}
	return 0;
}

/* ---- more blocks where an interval is too wide ---- */

/* In rounds, so that the blocks of a size are spread over time; for so long at most. */
static int refine(struct sweep *sweep, double allowed_s, struct fathom_error *error)
{
	struct runner *runner = &sweep->runner;
	struct schedule *schedule = &runner->schedule;
	double until_s = runner_left_s(runner) - allowed_s;
	size_t count;
	runner->stage = "refining";
	while ((count = schedule_refine(schedule, runner_left_s(runner) - until_s)) > 0) {
		runner_shuffle(runner, count);
		for (size_t k = 0; k < count; k++) {
			struct accumulator *accumulator = schedule->order[k];
			size_t more = accumulator_next_look(accumulator->block_count) -
				      accumulator->block_count;
			unsigned blocks = schedule_blocks_a_visit(schedule, accumulator);
			int status = runner_visit(runner, accumulator,
						  more < blocks ? (unsigned)more : blocks, error);
			if (status)
				return status;
		}
	}
	return 0;
}

/* ---- more sizes where they tell most ---- */

/* Where the advisor wants a size, and half-way from there to either neighbour: asking takes long.
 * `room_s` shrinks by what that will take. Returns how many. */
static size_t add_sizes(struct sweep *sweep, const uint64_t *sizes_bytes, size_t count,
			double *room_s)
{
	struct schedule *schedule = &sweep->runner.schedule;
	size_t added = 0, control = schedule_control(schedule);
	for (size_t i = 0; i < count && sweep->added + added + 3 <= MOST_ADDED; i++) {
		uint64_t three[3] = {sizes_bytes[i]};
		schedule_halves(schedule, sizes_bytes[i], &three[1]);
		for (int k = 0; k < 3; k++) {
			if (!schedule_add(schedule, 0, three[k], room_s))
				continue;
			added++;
			if (control)
				schedule_add(schedule, control, three[k], room_s);
		}
	}
	sweep->added += added;
	return added;
}

static int ask_advisor(struct sweep *sweep, uint64_t *sizes_bytes, size_t *count,
		       struct fathom_error *error)
{
	struct fathom_result so_far;
	double start_s = runner_elapsed_s(&sweep->runner);
	if (sweep_report_so_far(sweep->runner.plan, sweep->runner.meter, &sweep->runner.schedule,
				&so_far, error))
		return -1;
	int status = sweep->advisor->next_sizes(sweep->advisor->context, &so_far, sizes_bytes,
						MOST_AT_ONCE, count, error);
	sweep->advice_s = fmax(sweep->advice_s, runner_elapsed_s(&sweep->runner) - start_s);
	sweep->runner.fit_s = sweep->advisor->fit_times * sweep->advice_s;
	sweep_report_drop(&so_far);
	return status;
}

static bool may_ask(const struct sweep *sweep)
{
	return sweep->advisor && runner_left_s(&sweep->runner) > LEAST_ADVISED_S &&
	       sweep->advice_s <= ADVICE_SHARE * sweep->runner.plan->budget_s;
}

/* Asks, adds, and brings what was added to its first interval, until there is nothing to add. */
static int sample_adaptively(struct sweep *sweep, struct fathom_error *error)
{
	uint64_t sizes_bytes[MOST_AT_ONCE];
	double room_s = 0.5 * runner_left_s(&sweep->runner);
	sweep->runner.stage = "more sizes";
	for (int asked = 0; asked < MOST_ASKED && may_ask(sweep); asked++) {
		size_t count;
		if (ask_advisor(sweep, sizes_bytes, &count, error))
			return -1;
		if (add_sizes(sweep, sizes_bytes, count, &room_s) == 0)
			return 0;
		for (unsigned round = 1; round <= SCHEDULE_FEWEST_BLOCKS; round++) {
			int status = one_round(sweep, round, error);
			if (status)
				return status;
		}
	}
	return 0;
}

/* ---- before and after ---- */

/* What the independent order's generator costs, once for each curve of it. */
static int calibrate(struct sweep *sweep, struct fathom_error *error)
{
	double overhead_ns = 0, error_ns = 0;
	for (size_t i = 0; i < sweep->runner.schedule.count; i++) {
		struct accumulator *accumulator = &sweep->runner.schedule.accumulators[i];
		bool independent =
			pattern_traits(accumulator->spec.pattern)->order == PATTERN_DRAWN;
		bool first = i == 0 || accumulator->curve != accumulator[-1].curve;
		if (independent && first &&
		    calibrate_independent(sweep->runner.meter, &accumulator->spec, &overhead_ns,
					  &error_ns, error))
			return -1;
		accumulator->overhead_ns = independent ? overhead_ns : 0;
		accumulator->error_ns = independent ? error_ns : 0;
	}
	return 0;
}

static int measure(struct sweep *sweep, struct fathom_error *error)
{
	if (calibrate(sweep, error))
		return -1;
	int status = first_pass(sweep, error);
	if (status)
		return status;
	status = all_rounds(sweep, error);
	if (status == 0)
		status = refine(sweep, CHEAP_SHARE * sweep->runner.plan->budget_s, error);
	if (status == 0)
		status = sample_adaptively(sweep, error);
	return status ? status : refine(sweep, runner_left_s(&sweep->runner), error);
}

int sweep_run(const struct fathom_plan *plan, struct meter *meter,
	      const struct fathom_observer *observer, const struct sweep_advisor *advisor,
	      struct fathom_result *result, struct fathom_error *error)
{
	struct sweep sweep = {.advisor = advisor};
	int status = runner_open(&sweep.runner, plan, meter, observer, 2 * MOST_ADDED, error);
	if (advisor)
		sweep.runner.fit_s = FIT_SHARE * plan->budget_s;
	if (status == 0)
		status = measure(&sweep, error);
	return runner_close(&sweep.runner, status, result, error);
}
