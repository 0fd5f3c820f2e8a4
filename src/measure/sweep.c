#include "measure/sweep.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/rng.h"
#include "base/stats.h"
#include "base/warnings.h"
#include "measure/calibrate.h"
#include "measure/reach.h"
#include "measure/schedule.h"
#include "measure/sweep_report.h"
#include "measure/tally.h"

#define BATCHES        3    /* a block: more blocks tell more than more batches */
#define SHORTEST_HOPS  8192 /* a few hundred hops into memory scatter too much */
#define USED_SHARE     0.98 /* of the budget: giving memory back and writing take time too */
#define REFINING_SHARE 0.1  /* of what the first pass leaves: for the widest intervals */
#define FURTHER_VISITS 3    /* of a size over always_bytes, the first pass's included */

struct sweep {
	const struct fathom_plan *plan;
	struct meter *meter;
	const struct fathom_observer *observer;
	struct schedule schedule; /* with the tallies: one a spec, in the plan's order */
	size_t *order;            /* scratch: indices in the order of a round */
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
	return USED_SHARE * sweep->plan->budget_s - elapsed_s(sweep);
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

/* Returns as sampler_run: 1 when stopped. */
static int visit(struct sweep *sweep, size_t index, unsigned blocks, struct fathom_error *error)
{
	struct tally *tally = &sweep->schedule.tallies[index];
	struct meter_placement placement;
	double start_s = elapsed_s(sweep);
	uint64_t key = rng_mix(rng_mix(tally->spec.seed, index), tally->block_count);
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
	for (size_t i = count; i-- > 1;) {
		size_t other = (size_t)rng_below(&sweep->rng, i + 1);
		size_t keep = sweep->order[i];
		sweep->order[i] = sweep->order[other];
		sweep->order[other] = keep;
	}
}

/* Memory is touched for the first time here and not in the visits, whose times plan the rest. */
static int touch_memory(struct sweep *sweep, size_t index, struct fathom_error *error)
{
	const struct fathom_spec *spec = &sweep->plan->specs[index];
	struct meter_placement placement;
	return sweep->meter->ops->prepare(sweep->meter, spec, spec->seed, true, &placement, error);
}

/* Over always_bytes a size an octave will do, and only while the caches still seem to reach there
 * and an eighth of the time left is enough. `touch_s`: what touching took so far. */
static int look_further(struct sweep *sweep, double touch_s, struct fathom_error *error)
{
	const struct schedule *schedule = &sweep->schedule;
	size_t before = schedule->always_count - 1;
	for (size_t i = schedule->always_count; i < schedule->count; i++) {
		if (schedule->tallies[i].stride)
			continue;
		double growth = (double)sweep->plan->specs[i].size_bytes /
				(double)sweep->plan->specs[before].size_bytes;
		double visits_s = FURTHER_VISITS * growth * schedule->tallies[before].cost_s;
		uint64_t reach_bytes = reach_find(schedule->tallies, schedule->count);
		if (sweep->plan->specs[i].size_bytes > REACH_TO_MEMORY * reach_bytes ||
		    touch_s * growth + visits_s > left_s(sweep) / 8)
			break;
		double start_s = elapsed_s(sweep);
		int status = touch_memory(sweep, i, error);
		touch_s += elapsed_s(sweep) - start_s;
		if (status == 0)
			status = visit(sweep, i, 1, error);
		if (status)
			return status;
		before = i;
	}
	return 0;
}

static int first_pass(struct sweep *sweep, struct fathom_error *error)
{
	struct schedule *schedule = &sweep->schedule;
	size_t count = 0;
	sweep->stage = "first pass";
	double start_s = elapsed_s(sweep);
	int status = touch_memory(sweep, schedule->always_count - 1, error);
	if (status)
		return status;
	double touch_s = elapsed_s(sweep) - start_s;
	for (size_t i = 0; i < schedule->always_count; i++)
		if (schedule->tallies[i].stride == 0)
			sweep->order[count++] = i;
	shuffle(sweep, count);
	for (size_t k = 0; k < count; k++) {
		status = visit(sweep, sweep->order[k], 1, error);
		if (status)
			return status;
	}
	status = look_further(sweep, touch_s, error);
	if (status == 0)
		schedule_set_reach(schedule);
	return status;
}

/* ---- rounds ---- */

/* A visit to each wanted size that has fewer blocks than the number of the round. */
static int one_round(struct sweep *sweep, unsigned round, struct fathom_error *error)
{
	struct schedule *schedule = &sweep->schedule;
	size_t count = 0;
	for (size_t i = 0; i < schedule->count; i++)
		if (schedule->tallies[i].wanted && schedule->tallies[i].block_count < round)
			sweep->order[count++] = i;
	shuffle(sweep, count);
	for (size_t k = 0; k < count; k++) {
		size_t index = sweep->order[k];
		const struct tally *tally = &schedule->tallies[index];
		if (schedule_cost_s(schedule, index) > left_s(sweep))
			continue;
		int status = visit(sweep, index, schedule_blocks_a_visit(schedule, tally), error);
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
	double reserve_s = REFINING_SHARE * left_s(sweep);
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

/* More blocks where an interval is too wide, to the next count at which it is looked at again. */
static int refine(struct sweep *sweep, struct fathom_error *error)
{
	const struct schedule *schedule = &sweep->schedule;
	size_t index;
	sweep->stage = "refining";
	while ((index = schedule_soonest(schedule, sweep->plan->target, left_s(sweep))) <
	       schedule->count) {
		const struct tally *tally = &schedule->tallies[index];
		size_t look = tally_next_look(tally->block_count);
		while (tally->block_count < look) {
			size_t more = look - tally->block_count;
			unsigned blocks = schedule_blocks_a_visit(schedule, tally);
			int status =
				visit(sweep, index, more < blocks ? (unsigned)more : blocks, error);
			if (status)
				return status;
		}
	}
	return 0;
}

/* ---- before and after ---- */

static int calibrate(struct sweep *sweep, struct fathom_error *error)
{
	const struct fathom_spec *spec = &sweep->plan->specs[0];
	double overhead_ns = 0, error_ns = 0;
	if (spec->pattern == FATHOM_INDEPENDENT &&
	    calibrate_independent(sweep->meter, spec, &overhead_ns, &error_ns, error))
		return -1;
	for (size_t i = 0; i < sweep->schedule.count; i++) {
		sweep->schedule.tallies[i].overhead_ns = overhead_ns;
		sweep->schedule.tallies[i].error_ns = error_ns;
		sweep->schedule.tallies[i].resolution = sweep->meter->resolution;
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
	return status ? status : refine(sweep, error);
}

static int open_sweep(struct sweep *sweep, struct fathom_error *error)
{
	const struct fathom_plan *plan = sweep->plan;
	struct tally *tallies = calloc(plan->spec_count, sizeof(*tallies));
	sweep->order = calloc(plan->spec_count, sizeof(*sweep->order));
	if (!tallies || !sweep->order) {
		free(tallies);
		return error_no_memory(error);
	}
	for (size_t i = 0; i < plan->spec_count; i++) {
		tallies[i].spec = plan->specs[i];
		tallies[i].cost_s = NAN;
	}
	sweep->schedule = schedule_make(tallies, plan->spec_count, plan->always_bytes,
					sweep->meter->line_bytes, plan->budget_s);
	return 0;
}

static void close_sweep(struct sweep *sweep)
{
	for (size_t i = 0; i < sweep->schedule.count; i++)
		tally_free(&sweep->schedule.tallies[i]);
	free(sweep->schedule.tallies);
	free(sweep->order);
}

int sweep_run(const struct fathom_plan *plan, struct meter *meter,
	      const struct fathom_observer *observer, struct fathom_result *result,
	      struct fathom_error *error)
{
	struct sweep sweep = {
		.plan = plan,
		.meter = meter,
		.observer = observer,
		.rng = rng_make(rng_mix(plan->seed, 0)),
	};
	int status = open_sweep(&sweep, error);
	meter->stop = stop_asked;
	meter->stop_context = &sweep;
	if (status == 0)
		status = measure(&sweep, error);
	meter->stop = NULL;
	if (status == 1) {
		result->interrupted = true;
		status = 0;
	}
	if (status == 0) {
		const struct schedule *schedule = &sweep.schedule;
		struct sweep_outcome outcome = {
			.tallies = schedule->tallies,
			.reach_bytes = reach_find(schedule->tallies, schedule->count),
		};
		status = sweep_report(plan, meter, &outcome, result, error);
	}
	close_sweep(&sweep);
	return status;
}
