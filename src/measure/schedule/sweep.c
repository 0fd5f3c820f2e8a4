#include "measure/schedule/sweep.h"

#include <math.h>

#include "base/error.h"
#include "measure/sampling/calibrate.h"
#include "measure/schedule/reach.h"
#include "measure/schedule/sweep_report.h"
#include "measure/schedule/visit.h"

#define REFINING_SHARE   0.13 /* of what the first pass leaves: for the guide and wide intervals */
#define CHEAP_SHARE      0.08 /* of the budget: for what is made exact soonest, private caches */
#define MORE_SIZES_SHARE 0.07 /* of the same: for the sizes that the guide asks for */
#define FURTHER_VISITS   3    /* of a size over always_bytes, the first pass's included */
#define LEAST_GUIDED_S   0.2  /* with less time left the guide is not asked */
#define GUIDE_SHARE      0.02 /* of the budget: a guide that takes longer is asked only once */
#define MOST_ASKED       4
#define READING_SHARE    0.2 /* of the budget, for reading the result; until the guide has shown */
#define MOST_ADDED       24  /* sizes that it may add */
#define MOST_AT_ONCE     8

struct sweep {
	struct visitor visitor;
	const struct sweep_guide *guide;
	size_t added;   /* sizes, on the guide's word */
	double guide_s; /* the most that asking it once took */
};

/* ---- the first pass: one size an octave, to see where the caches end ---- */

/* Memory is touched for the first time here and not in the visits, whose times plan the rest. */
static int touch_memory(struct sweep *sweep, const struct tally *tally, struct fathom_error *error)
{
	struct meter_placement placement;
	return sweep->visitor.meter->ops->prepare(sweep->visitor.meter, &tally->spec,
						  tally->spec.seed, true, &placement, error);
}

/* Over always_bytes a size an octave will do, and only while the caches still seem to reach there
 * and an eighth of the time left is enough. `before`: the last size that was visited; `touch_s`:
 * what touching took so far. */
static int look_further(struct sweep *sweep, const struct tally *before, double touch_s,
			struct fathom_error *error)
{
	struct schedule *schedule = &sweep->visitor.schedule;
	size_t main_count = schedule_main_count(schedule);
	for (size_t i = 0; i < main_count; i++) {
		struct tally *tally = &schedule->tallies[i];
		if (tally->stride || tally->spec.size_bytes <= schedule->always_bytes)
			continue;
		double growth = (double)tally->spec.size_bytes / (double)before->spec.size_bytes;
		double visits_s = FURTHER_VISITS * growth * before->cost_s;
		uint64_t reach_bytes = reach_find(schedule->tallies, main_count);
		if (tally->spec.size_bytes > REACH_TO_MEMORY * reach_bytes ||
		    touch_s * growth + visits_s > visitor_left_s(&sweep->visitor) / 8)
			break;
		double start_s = visitor_elapsed_s(&sweep->visitor);
		int status = touch_memory(sweep, tally, error);
		touch_s += visitor_elapsed_s(&sweep->visitor) - start_s;
		if (status == 0)
			status = visitor_visit(&sweep->visitor, tally, 1, error);
		if (status)
			return status;
		before = tally;
	}
	return 0;
}

static int first_pass(struct sweep *sweep, struct fathom_error *error)
{
	struct schedule *schedule = &sweep->visitor.schedule;
	size_t count = 0, main_count = schedule_main_count(schedule);
	sweep->visitor.stage = "first pass";
	for (size_t i = 0; i < main_count; i++) {
		struct tally *tally = &schedule->tallies[i];
		if (tally->stride == 0 && tally->spec.size_bytes <= schedule->always_bytes)
			schedule->order[count++] = tally;
	}
	const struct tally *largest = schedule->order[count - 1];
	double start_s = visitor_elapsed_s(&sweep->visitor);
	int status = touch_memory(sweep, largest, error);
	double touch_s = visitor_elapsed_s(&sweep->visitor) - start_s;
	visitor_shuffle(&sweep->visitor, count);
	for (size_t k = 0; k < count && status == 0; k++)
		status = visitor_visit(&sweep->visitor, schedule->order[k], 1, error);
	if (status == 0)
		status = look_further(sweep, largest, touch_s, error);
	if (status == 0)
		schedule_set_reach(schedule);
	return status;
}

/* ---- rounds ---- */

/* A visit to each wanted size, of all curves, that has fewer blocks than the number of the round.
 */
static int one_round(struct sweep *sweep, unsigned round, struct fathom_error *error)
{
	struct schedule *schedule = &sweep->visitor.schedule;
	size_t count = 0;
	for (size_t i = 0; i < schedule->count; i++)
		if (schedule->tallies[i].wanted &&
		    schedule_is_due(schedule, &schedule->tallies[i], round))
			schedule->order[count++] = &schedule->tallies[i];
	visitor_shuffle(&sweep->visitor, count);
	for (size_t k = 0; k < count; k++) {
		struct tally *tally = schedule->order[k];
		if (schedule_cost_s(schedule, (size_t)(tally - schedule->tallies)) >
		    visitor_left_s(&sweep->visitor))
			continue;
		int status = visitor_visit(&sweep->visitor, tally,
					   schedule_blocks_a_visit(schedule, tally), error);
		if (status)
			return status;
	}
	return 0;
}

/* Every size to its first interval, in random order: what drifts becomes scatter. */
static int all_rounds(struct sweep *sweep, struct fathom_error *error)
{
	static const char *const stages[SCHEDULE_FEWEST_BLOCKS] = {"round 1 of 6", "round 2 of 6",
								   "round 3 of 6", "round 4 of 6",
								   "round 5 of 6", "round 6 of 6"};
	double share = REFINING_SHARE + (sweep->guide ? MORE_SIZES_SHARE : 0);
	double reserve_s = share * visitor_left_s(&sweep->visitor);
	for (unsigned round = 1; round <= SCHEDULE_FEWEST_BLOCKS; round++) {
		sweep->visitor.stage = stages[round - 1];
		if (round == SCHEDULE_FEWEST_BLOCKS) /* an interval tells more than another size */
			reserve_s = CHEAP_SHARE * sweep->visitor.plan->budget_s;
		schedule_choose(&sweep->visitor.schedule,
				visitor_left_s(&sweep->visitor) - reserve_s);
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
	struct visitor *visitor = &sweep->visitor;
	struct schedule *schedule = &visitor->schedule;
	double until_s = visitor_left_s(visitor) - allowed_s;
	size_t count;
	visitor->stage = "refining";
	while ((count = schedule_refine(schedule, visitor_left_s(visitor) - until_s)) > 0) {
		visitor_shuffle(visitor, count);
		for (size_t k = 0; k < count; k++) {
			struct tally *tally = schedule->order[k];
			size_t more = tally_next_look(tally->block_count) - tally->block_count;
			unsigned blocks = schedule_blocks_a_visit(schedule, tally);
			int status = visitor_visit(visitor, tally,
						   more < blocks ? (unsigned)more : blocks, error);
			if (status)
				return status;
		}
	}
	return 0;
}

/* ---- more sizes where they tell most ---- */

/* Where the guide wants a size, and half-way from there to either neighbour: asking takes long.
 * `room_s` shrinks by what that will take. Returns how many. */
static size_t add_sizes(struct sweep *sweep, const uint64_t *sizes_bytes, size_t count,
			double *room_s)
{
	struct schedule *schedule = &sweep->visitor.schedule;
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

static int ask_guide(struct sweep *sweep, uint64_t *sizes_bytes, size_t *count,
		     struct fathom_error *error)
{
	struct fathom_result so_far;
	double start_s = visitor_elapsed_s(&sweep->visitor);
	if (sweep_report_so_far(sweep->visitor.plan, sweep->visitor.meter, &sweep->visitor.schedule,
				&so_far, error))
		return -1;
	int status = sweep->guide->wanted(sweep->guide->context, &so_far, sizes_bytes, MOST_AT_ONCE,
					  count, error);
	sweep->guide_s = fmax(sweep->guide_s, visitor_elapsed_s(&sweep->visitor) - start_s);
	sweep->visitor.reading_s = sweep->guide->reading_times * sweep->guide_s;
	sweep_report_drop(&so_far);
	return status;
}

static bool may_ask(const struct sweep *sweep)
{
	return sweep->guide && visitor_left_s(&sweep->visitor) > LEAST_GUIDED_S &&
	       sweep->guide_s <= GUIDE_SHARE * sweep->visitor.plan->budget_s;
}

/* Asks, adds, and brings what was added to its first interval, until there is nothing to add. */
static int be_guided(struct sweep *sweep, struct fathom_error *error)
{
	uint64_t sizes_bytes[MOST_AT_ONCE];
	double room_s = 0.5 * visitor_left_s(&sweep->visitor);
	sweep->visitor.stage = "more sizes";
	for (int asked = 0; asked < MOST_ASKED && may_ask(sweep); asked++) {
		size_t count;
		if (ask_guide(sweep, sizes_bytes, &count, error))
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
	for (size_t i = 0; i < sweep->visitor.schedule.count; i++) {
		struct tally *tally = &sweep->visitor.schedule.tallies[i];
		bool independent = tally->spec.pattern == FATHOM_INDEPENDENT;
		bool first = i == 0 || tally->curve != tally[-1].curve;
		if (independent && first &&
		    calibrate_independent(sweep->visitor.meter, &tally->spec, &overhead_ns,
					  &error_ns, error))
			return -1;
		tally->overhead_ns = independent ? overhead_ns : 0;
		tally->error_ns = independent ? error_ns : 0;
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
		status = refine(sweep, CHEAP_SHARE * sweep->visitor.plan->budget_s, error);
	if (status == 0)
		status = be_guided(sweep, error);
	return status ? status : refine(sweep, visitor_left_s(&sweep->visitor), error);
}

int sweep_run(const struct fathom_plan *plan, struct meter *meter,
	      const struct fathom_observer *observer, const struct sweep_guide *guide,
	      struct fathom_result *result, struct fathom_error *error)
{
	struct sweep sweep = {.guide = guide};
	int status = visitor_open(&sweep.visitor, plan, meter, observer, 2 * MOST_ADDED, error);
	if (guide)
		sweep.visitor.reading_s = READING_SHARE * plan->budget_s;
	if (status == 0)
		status = measure(&sweep, error);
	return visitor_close(&sweep.visitor, status, result, error);
}
