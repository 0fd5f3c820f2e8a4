#include "measure/sweep.h"

#include <math.h>

#include "base/error.h"
#include "base/rng.h"
#include "measure/calibrate.h"
#include "measure/reach.h"
#include "measure/schedule.h"
#include "measure/sweep_report.h"
#include "measure/tally.h"

#define BATCHES          3    /* a block: more blocks tell more than more batches */
#define SHORTEST_HOPS    8192 /* a few hundred hops into memory scatter too much */
#define USED_SHARE       0.98 /* of the budget: giving memory back and writing take time too */
#define REFINING_SHARE   0.13 /* of what the first pass leaves: for the guide and wide intervals */
#define MORE_SIZES_SHARE 0.07 /* of the same: for the sizes that the guide asks for */
#define FURTHER_VISITS   3    /* of a size over always_bytes, the first pass's included */
#define LEAST_GUIDED_S   0.2  /* with less time left the guide is not asked */
#define GUIDE_SHARE      0.02 /* of the budget: a guide that takes longer is asked only once */
#define MOST_ASKED       4
#define READING_SHARE    0.05 /* of the budget, for reading the result; until the guide has shown */
#define MOST_ADDED       24   /* sizes that it may add */
#define MOST_AT_ONCE     8

struct sweep {
	const struct fathom_plan *plan;
	struct meter *meter;
	const struct fathom_observer *observer;
	const struct sweep_guide *guide;
	struct schedule schedule; /* with the tallies: one a spec, in the plan's order */
	size_t added;             /* sizes, on the guide's word */
	double guide_s;           /* the most that asking it once took */
	bool asked;               /* else that is not known yet */
	double rounds_end_s;      /* when the rounds should be over */
	bool guided;              /* it has nothing more to say */
	struct rng rng;
	const char *stage;
	bool stopped;
};

static bool stop_asked(void *context)
{
	struct sweep *sweep = context;
	const struct fathom_observer *observer = sweep->observer;
	if (!sweep->stopped && observer && observer->stop)
		sweep->stopped = observer->stop(observer->context);
	return sweep->stopped;
}

static double elapsed_s(const struct sweep *sweep)
{
	return sweep->meter->ops->elapsed_s(sweep->meter);
}

static double left_s(const struct sweep *sweep)
{
	double reading_s = sweep->guide ? sweep->guide->reading_times * sweep->guide_s : 0;
	if (sweep->guide && !sweep->asked)
		reading_s = READING_SHARE * sweep->plan->budget_s;
	return USED_SHARE * sweep->plan->budget_s - reading_s - elapsed_s(sweep);
}

static void tell_progress(const struct sweep *sweep, const struct tally *tally)
{
	const struct fathom_observer *observer = sweep->observer;
	if (!observer || !observer->progress)
		return;
	double left = fmax(0, left_s(sweep));
	struct fathom_progress progress = {
		.stage = sweep->stage,
		.done = fmin(1, elapsed_s(sweep) / sweep->plan->budget_s),
		.left_s = left,
		.size_bytes = tally->spec.size_bytes,
		.latency_ns = tally_median_ns(tally),
		.half_width = tally_half_width(tally),
	};
	observer->progress(observer->context, &progress);
}

/* ---- one visit: a placement, a chain, and one or more blocks on it ---- */

static int take_block(struct sweep *sweep, struct tally *tally, bool again,
		      struct fathom_error *error)
{
	struct sampler_block block;
	struct sampler_options options = {
		.batches = BATCHES,
		.expected_ns = tally_median_ns(tally) + tally->overhead_ns,
		.shortest_hops = SHORTEST_HOPS,
		.stop = stop_asked,
		.stop_context = sweep,
	};
	schedule_warming(&sweep->schedule, tally, again, &options);
	int status = sampler_run(sweep->meter, &options, &block, error);
	if (status)
		return status;
	status = tally_add(tally, &block, sweep->plan->keep_samples, error);
	sampler_block_free(&block);
	return status;
}

/* Of a block's chain and place: its own, also where curves have sizes in common. */
static uint64_t block_key(const struct tally *tally)
{
	uint64_t point = rng_mix(tally->spec.size_bytes, tally->curve);
	return rng_mix(rng_mix(tally->spec.seed, point), tally->block_count);
}

/* Returns as sampler_run: 1 when stopped. */
static int visit(struct sweep *sweep, struct tally *tally, unsigned blocks,
		 struct fathom_error *error)
{
	struct meter_placement placement;
	double start_s = elapsed_s(sweep);
	uint64_t key = block_key(tally);
	if (stop_asked(sweep))
		return 1;
	int prepared = sweep->meter->ops->prepare(sweep->meter, &tally->spec, key, true, &placement,
						  error);
	if (prepared)
		return prepared;
	if (tally->block_count == 0 || placement.page_share < tally->placement.page_share)
		tally->placement = placement;
	tally->placements++;
	for (unsigned i = 0; i < blocks; i++) {
		int status = take_block(sweep, tally, i > 0, error);
		if (status)
			return status;
	}
	tally->cost_s = elapsed_s(sweep) - start_s;
	tell_progress(sweep, tally);
	return 0;
}

/* ---- the first pass: one size an octave, to see where the caches end ---- */

static void shuffle(struct sweep *sweep, size_t count)
{
	struct tally **order = sweep->schedule.order;
	for (size_t i = count; i-- > 1;) {
		size_t other = (size_t)rng_below(&sweep->rng, i + 1);
		struct tally *keep = order[i];
		order[i] = order[other];
		order[other] = keep;
	}
}

/* Memory is touched for the first time here and not in the visits, whose times plan the rest. */
static int touch_memory(struct sweep *sweep, const struct tally *tally, struct fathom_error *error)
{
	struct meter_placement placement;
	return sweep->meter->ops->prepare(sweep->meter, &tally->spec, tally->spec.seed, true,
					  &placement, error);
}

/* Over always_bytes a size an octave will do, and only while the caches still seem to reach there
 * and an eighth of the time left is enough. `before`: the last size that was visited; `touch_s`:
 * what touching took so far. */
static int look_further(struct sweep *sweep, const struct tally *before, double touch_s,
			struct fathom_error *error)
{
	struct schedule *schedule = &sweep->schedule;
	size_t main_count = schedule_main_count(schedule);
	for (size_t i = 0; i < main_count; i++) {
		struct tally *tally = &schedule->tallies[i];
		if (tally->stride || tally->spec.size_bytes <= schedule->always_bytes)
			continue;
		double growth = (double)tally->spec.size_bytes / (double)before->spec.size_bytes;
		double visits_s = FURTHER_VISITS * growth * before->cost_s;
		uint64_t reach_bytes = reach_find(schedule->tallies, main_count);
		if (tally->spec.size_bytes > REACH_TO_MEMORY * reach_bytes ||
		    touch_s * growth + visits_s > left_s(sweep) / 8)
			break;
		double start_s = elapsed_s(sweep);
		int status = touch_memory(sweep, tally, error);
		touch_s += elapsed_s(sweep) - start_s;
		if (status == 0)
			status = visit(sweep, tally, 1, error);
		if (status)
			return status;
		before = tally;
	}
	return 0;
}

static int first_pass(struct sweep *sweep, struct fathom_error *error)
{
	struct schedule *schedule = &sweep->schedule;
	size_t count = 0, main_count = schedule_main_count(schedule);
	sweep->stage = "first pass";
	for (size_t i = 0; i < main_count; i++) {
		struct tally *tally = &schedule->tallies[i];
		if (tally->stride == 0 && tally->spec.size_bytes <= schedule->always_bytes)
			schedule->order[count++] = tally;
	}
	const struct tally *largest = schedule->order[count - 1];
	double start_s = elapsed_s(sweep);
	int status = touch_memory(sweep, largest, error);
	double touch_s = elapsed_s(sweep) - start_s;
	shuffle(sweep, count);
	for (size_t k = 0; k < count && status == 0; k++)
		status = visit(sweep, schedule->order[k], 1, error);
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
	struct schedule *schedule = &sweep->schedule;
	size_t count = 0;
	for (size_t i = 0; i < schedule->count; i++)
		if (schedule->tallies[i].wanted && schedule->tallies[i].block_count < round)
			schedule->order[count++] = &schedule->tallies[i];
	shuffle(sweep, count);
	for (size_t k = 0; k < count; k++) {
		struct tally *tally = schedule->order[k];
		if (schedule_cost_s(schedule, (size_t)(tally - schedule->tallies)) > left_s(sweep))
			continue;
		int status = visit(sweep, tally, schedule_blocks_a_visit(schedule, tally), error);
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
	double reserve_s = share * left_s(sweep);
	schedule_choose(&sweep->schedule, left_s(sweep) - reserve_s);
	for (unsigned round = 1; round <= SCHEDULE_FEWEST_BLOCKS; round++) {
		sweep->stage = stages[round - 1];
		schedule_trim(&sweep->schedule, left_s(sweep) - reserve_s);
		int status = one_round(sweep, round, error);
		if (status)
			return status;
	}
	return 0;
}

/* ---- more sizes where they tell most ---- */

/* Where the guide wants a size, and half-way from there to either neighbour: asking takes long.
 * `room_s` shrinks by what that will take. Returns how many. */
static size_t add_sizes(struct sweep *sweep, const uint64_t *sizes_bytes, size_t count,
			double *room_s)
{
	struct schedule *schedule = &sweep->schedule;
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
	double start_s = elapsed_s(sweep);
	if (sweep_report_so_far(sweep->plan, sweep->meter, &sweep->schedule, &so_far, error))
		return -1;
	int status = sweep->guide->wanted(sweep->guide->context, &so_far, sizes_bytes, MOST_AT_ONCE,
					  count, error);
	sweep->guide_s = fmax(sweep->guide_s, elapsed_s(sweep) - start_s);
	sweep->asked = true;
	sweep_report_drop(&so_far);
	return status;
}

static bool may_ask(const struct sweep *sweep)
{
	return sweep->guide && left_s(sweep) > LEAST_GUIDED_S &&
	       sweep->guide_s <= GUIDE_SHARE * sweep->plan->budget_s;
}

/* Asks, adds, and brings what was added to its first interval, until there is nothing to add. */
static int be_guided(struct sweep *sweep, struct fathom_error *error)
{
	uint64_t sizes_bytes[MOST_AT_ONCE];
	double room_s = 0.5 * left_s(sweep);
	sweep->stage = "more sizes";
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

/* More blocks where an interval is too wide, to the next count at which it is looked at again. */
static int refine(struct sweep *sweep, struct fathom_error *error)
{
	const struct schedule *schedule = &sweep->schedule;
	size_t index;
	sweep->stage = "refining";
	while ((index = schedule_soonest(schedule, left_s(sweep))) < schedule->count) {
		struct tally *tally = &schedule->tallies[index];
		size_t look = tally_next_look(tally->block_count);
		while (tally->block_count < look) {
			size_t more = look - tally->block_count;
			unsigned blocks = schedule_blocks_a_visit(schedule, tally);
			int status =
				visit(sweep, tally, more < blocks ? (unsigned)more : blocks, error);
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
	for (size_t i = 0; i < sweep->schedule.count; i++) {
		struct tally *tally = &sweep->schedule.tallies[i];
		bool independent = tally->spec.pattern == FATHOM_INDEPENDENT;
		bool first = i == 0 || tally->curve != tally[-1].curve;
		if (independent && first &&
		    calibrate_independent(sweep->meter, &tally->spec, &overhead_ns, &error_ns,
					  error))
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
		status = be_guided(sweep, error);
	return status ? status : refine(sweep, error);
}

int sweep_run(const struct fathom_plan *plan, struct meter *meter,
	      const struct fathom_observer *observer, const struct sweep_guide *guide,
	      struct fathom_result *result, struct fathom_error *error)
{
	struct sweep sweep = {
		.plan = plan,
		.meter = meter,
		.observer = observer,
		.guide = guide,
		.rng = rng_make(rng_mix(plan->seed, 0)),
	};
	int status = schedule_open(&sweep.schedule, plan, meter, 2 * MOST_ADDED, error);
	meter->stop = stop_asked;
	meter->stop_context = &sweep;
	if (status == 0)
		status = measure(&sweep, error);
	meter->stop = NULL;
	if (status == 1) {
		result->interrupted = true;
		status = 0;
	}
	if (status == 0)
		status = sweep_report(plan, meter, &sweep.schedule, result, error);
	schedule_close(&sweep.schedule);
	return status;
}
