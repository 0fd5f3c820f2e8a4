#include "measure/schedule/sweep.h"

#include <math.h>

#include "measure/schedule/last_cliff.h"
#include "measure/schedule/scheduler.h"
#include "measure/schedule/sweep_report.h"

#define REFINING_SHARE                                                                             \
	0.13                  /* of what the first pass leaves: for the advisor and wide intervals \
			       */
#define CHEAP_SHARE      0.08 /* of the budget: for what is made exact soonest, private caches */
#define MORE_SIZES_SHARE 0.07 /* of the same: for the sizes that the advisor asks for */
#define FURTHER_VISITS   3    /* of a size over always_bytes, the first pass's included */
#define LEAST_ADVISED_S  0.2  /* with less time left the advisor is not asked */
#define ADVICE_SHARE     0.02 /* of the budget: an advisor that takes longer is asked only once */
#define MOST_ASKED       4
#define FIT_SHARE        0.2 /* of the budget, for reading the result; until the advisor has shown */
#define MOST_ADDED       24  /* sizes that it may add */
#define MOST_AT_ONCE     8

struct sweep {
	struct scheduler scheduler;
	const struct sweep_advisor *advisor;
	size_t phase;                     /* of phases below */
	const struct accumulator *before; /* the last size of the first pass that was visited */
	unsigned round;                   /* of these, or of those with sizes that were added */
	double reserve_s;                 /* that the rounds leave */
	double until_s;                   /* may be left when blocks are no longer added */
	double room_s;                    /* for the sizes that the advisor asks for */
	int asked;
	size_t added;    /* sizes, on the advisor's word */
	double advice_s; /* the most that asking it once took */
};

/* ---- the first pass ---- */

/* One size an octave, to see where the caches end. */
static int first_pass(struct sweep *sweep, size_t *count, struct fathom_error *error)
{
	struct schedule *schedule = &sweep->scheduler.runner.schedule;
	size_t main_count = schedule_main_count(schedule);
	(void)error;
	for (size_t i = 0; i < main_count; i++) {
		struct accumulator *accumulator = &schedule->accumulators[i];
		if (accumulator->stride == 0 &&
		    accumulator->spec.size_bytes <= schedule->always_bytes)
			schedule->order[(*count)++] = accumulator;
	}
	sweep->before = schedule->order[*count - 1];
	sweep->scheduler.runner.stage = "first pass";
	sweep->scheduler.must_visit = true;
	sweep->phase++;
	return 0;
}

/* The next size an octave apart that is larger than those that were visited, while the caches still
 * seem to reach there and an eighth of the time left is enough; NULL: there is none. */
static struct accumulator *find_larger(const struct sweep *sweep)
{
	const struct runner *runner = &sweep->scheduler.runner;
	const struct schedule *schedule = &runner->schedule;
	size_t main_count = schedule_main_count(schedule);
	struct accumulator *next = NULL;
	for (size_t i = 0; i < main_count && !next; i++) {
		struct accumulator *accumulator = &schedule->accumulators[i];
		bool is_larger = accumulator->spec.size_bytes > schedule->always_bytes;
		if (is_larger && accumulator->stride == 0 && accumulator->block_count == 0)
			next = accumulator;
	}
	if (!next)
		return NULL;
	double growth = (double)next->spec.size_bytes / (double)sweep->before->spec.size_bytes;
	double visits_s = FURTHER_VISITS * growth * sweep->before->cost_s;
	uint64_t reach_bytes = last_cliff_find(schedule->accumulators, main_count);
	bool is_far = next->spec.size_bytes > LAST_CLIFF_TO_MEMORY * reach_bytes;
	double needed_s = sweep->scheduler.touch_s * growth + visits_s;
	return is_far || needed_s > runner_left_s(runner) / 8 ? NULL : next;
}

static int look_further(struct sweep *sweep, size_t *count, struct fathom_error *error)
{
	struct runner *runner = &sweep->scheduler.runner;
	struct accumulator *next = find_larger(sweep);
	if (next) {
		sweep->before = runner->schedule.order[0] = next;
		*count = 1;
		return scheduler_touch(&sweep->scheduler, &next->spec, error);
	}
	double share = REFINING_SHARE + (sweep->advisor ? MORE_SIZES_SHARE : 0);
	schedule_set_last_cliff(&runner->schedule);
	sweep->reserve_s = share * runner_left_s(runner);
	sweep->phase++;
	return 0;
}

/* ---- rounds ---- */

/* Each wanted size, of all curves, that has fewer blocks than the number of the round. */
static void find_due(struct sweep *sweep, size_t *count)
{
	struct schedule *schedule = &sweep->scheduler.runner.schedule;
	sweep->scheduler.must_visit = false;
	for (size_t i = 0; i < schedule->count; i++)
		if (schedule->accumulators[i].wanted &&
		    schedule_is_due(schedule, &schedule->accumulators[i], sweep->round))
			schedule->order[(*count)++] = &schedule->accumulators[i];
}

/* ---- more blocks where an interval is too wide ---- */

static void begin_refining(struct sweep *sweep, double allowed_s)
{
	sweep->scheduler.runner.stage = "refining";
	sweep->scheduler.must_visit = true;
	sweep->until_s = runner_left_s(&sweep->scheduler.runner) - allowed_s;
}

/* In rounds, so that the blocks of a size are spread over time. */
static int refine(struct sweep *sweep, size_t *count, struct fathom_error *error)
{
	struct runner *runner = &sweep->scheduler.runner;
	(void)error;
	*count = schedule_refine(&runner->schedule, runner_left_s(runner) - sweep->until_s);
	if (*count > 0)
		return 0;
	runner->stage = "more sizes";
	sweep->room_s = 0.5 * runner_left_s(runner);
	sweep->phase++;
	return 0;
}

/* Every size to its first interval. */
static int next_round(struct sweep *sweep, size_t *count, struct fathom_error *error)
{
	struct runner *runner = &sweep->scheduler.runner;
	double budget_s = runner->plan->budget_s;
	(void)error;
	if (sweep->round == SCHEDULE_FEWEST_BLOCKS) {
		begin_refining(sweep, CHEAP_SHARE * budget_s);
		sweep->phase++;
		return 0;
	}
	runner_begin_round(runner, ++sweep->round);
	if (sweep->round == SCHEDULE_FEWEST_BLOCKS) /* an interval tells more than another size */
		sweep->reserve_s = CHEAP_SHARE * budget_s;
	schedule_choose(&runner->schedule, runner_left_s(runner) - sweep->reserve_s);
	find_due(sweep, count);
	return 0;
}

/* ---- more sizes where they tell most ---- */

/* Where the advisor wants a size, and half-way from there to either neighbour: asking takes long.
 * `room_s` shrinks by what that will take. Returns how many. */
static size_t add_sizes(struct sweep *sweep, const uint64_t *sizes_bytes, size_t count,
			double *room_s)
{
	struct schedule *schedule = &sweep->scheduler.runner.schedule;
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
	double start_s = runner_elapsed_s(&sweep->scheduler.runner);
	if (sweep_report_so_far(sweep->scheduler.runner.plan, sweep->scheduler.runner.meter,
				&sweep->scheduler.runner.schedule, &so_far, error))
		return -1;
	int status = sweep->advisor->next_sizes(sweep->advisor->context, &so_far, sizes_bytes,
						MOST_AT_ONCE, count, error);
	sweep->advice_s =
		fmax(sweep->advice_s, runner_elapsed_s(&sweep->scheduler.runner) - start_s);
	sweep->scheduler.runner.fit_s = sweep->advisor->fit_times * sweep->advice_s;
	sweep_report_drop(&so_far);
	return status;
}

static bool may_ask(const struct sweep *sweep)
{
	const struct runner *runner = &sweep->scheduler.runner;
	return sweep->advisor && sweep->asked < MOST_ASKED &&
	       runner_left_s(runner) > LEAST_ADVISED_S &&
	       sweep->advice_s <= ADVICE_SHARE * runner->plan->budget_s;
}

/* Brings what was added to its first interval, then asks again, until there is nothing to add. */
static int sample_adaptively(struct sweep *sweep, size_t *count, struct fathom_error *error)
{
	uint64_t sizes_bytes[MOST_AT_ONCE];
	size_t asked = 0;
	if (sweep->round < SCHEDULE_FEWEST_BLOCKS) {
		sweep->round++;
		find_due(sweep, count);
		return 0;
	}
	if (may_ask(sweep)) {
		sweep->asked++;
		if (ask_advisor(sweep, sizes_bytes, &asked, error))
			return -1;
	}
	sweep->round = 0;
	if (add_sizes(sweep, sizes_bytes, asked, &sweep->room_s) == 0) {
		begin_refining(sweep, runner_left_s(&sweep->scheduler.runner));
		sweep->phase++;
	}
	return 0;
}

/* ---- what comes next ---- */

static int (*const phases[])(struct sweep *sweep, size_t *count, struct fathom_error *error) = {
	first_pass, look_further, next_round, refine, sample_adaptively, refine};
#define PHASES (sizeof(phases) / sizeof(*phases))

static int sweep_next(struct scheduler *scheduler, size_t *count, struct fathom_error *error)
{
	struct sweep *sweep = (struct sweep *)scheduler;
	int status = 0;
	*count = 0;
	while (*count == 0 && status == 0 && sweep->phase < PHASES)
		status = phases[sweep->phase](sweep, count, error);
	return status;
}

static void plan_visit(struct scheduler *scheduler, struct accumulator *accumulator, size_t waiting)
{
	const struct schedule *schedule = &scheduler->runner.schedule;
	const struct sweep *sweep = (struct sweep *)scheduler;
	unsigned blocks = schedule_blocks_a_visit(schedule, accumulator);
	size_t looked = accumulator_next_look(accumulator->block_count) - accumulator->block_count;
	bool refines = phases[sweep->phase] == refine;
	(void)waiting;
	accumulator->planned_blocks = refines && looked < blocks ? (unsigned)looked : blocks;
	accumulator->planned_s =
		schedule_cost_s(schedule, (size_t)(accumulator - schedule->accumulators));
}

int sweep_run(const struct fathom_plan *plan, struct meter *meter,
	      const struct fathom_observer *observer, const struct sweep_advisor *advisor,
	      struct fathom_result *result, struct fathom_error *error)
{
	static const struct scheduler_ops ops = {.next = sweep_next, .plan = plan_visit};
	struct sweep sweep = {.scheduler.ops = &ops, .advisor = advisor};
	struct runner *runner = &sweep.scheduler.runner;
	int status = runner_open(runner, plan, meter, observer, 2 * MOST_ADDED, error);
	if (advisor)
		runner->fit_s = FIT_SHARE * plan->budget_s;
	if (status == 0)
		status = scheduler_run(&sweep.scheduler, error);
	return runner_close(runner, status, result, error);
}
