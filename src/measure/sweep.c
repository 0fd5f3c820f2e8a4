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
#include "measure/spec.h"
#include "measure/sweep_report.h"
#include "measure/tally.h"

#define FEWEST_BLOCKS       6
#define BATCHES             3    /* a block: more blocks tell more than more batches */
#define SHORTEST_HOPS       8192 /* a few hundred hops into memory scatter too much */
#define CACHES_TO_ANYWHERE  2    /* past the last cache placement does not matter any more */
#define BLOCKS_A_BUILD      3    /* where it does not; all of them where time is short */
#define LARGEST_CACHE_BYTES (256ull << 20) /* of one core's, until a first pass has shown it */
#define LONGEST_WARM_S      0.005
#define FIRST_ROUNDS_SHARE  0.9 /* of the budget: the rest is for the widest intervals */

struct sweep {
	const struct fathom_plan *plan;
	struct meter *meter;
	const struct fathom_observer *observer;
	struct tally *tallies;   /* one a spec, in the plan's order */
	size_t *order;           /* scratch: indices in the order of a round */
	uint64_t reach_bytes;    /* where the last cache seems to end; 0: not known yet */
	unsigned blocks_a_build; /* where placement does not matter */
	double overhead_ns;
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
	return sweep->plan->budget_s - elapsed_s(sweep);
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

static bool placement_matters(const struct sweep *sweep, const struct tally *tally)
{
	return !sweep->reach_bytes ||
	       tally->spec.size_bytes <= CACHES_TO_ANYWHERE * sweep->reach_bytes;
}

static uint64_t lap_hops(const struct tally *tally)
{
	uint64_t nodes = spec_nodes(&tally->spec);
	return tally->spec.pattern == FATHOM_RANDOM_LAPS ? nodes * tally->spec.laps : nodes;
}

/* A lap, or as much as the last cache can hold: what was built and lies ahead must be gone. */
static uint64_t warm_hops(const struct sweep *sweep, const struct tally *tally)
{
	uint64_t lap = lap_hops(tally);
	uint64_t reach_bytes = sweep->reach_bytes ? sweep->reach_bytes : LARGEST_CACHE_BYTES;
	uint64_t enough = reach_bytes / sweep->meter->line_bytes;
	return enough < lap ? enough : lap;
}

static int take_block(struct sweep *sweep, struct tally *tally, bool warm,
		      struct fathom_error *error)
{
	struct sampler_block block;
	struct sampler_options options = {
		.batches = BATCHES,
		.expected_ns = tally_median_ns(tally),
		.shortest_hops = SHORTEST_HOPS,
		.lap_hops = lap_hops(tally),
		.warm_hops = warm ? 0 : warm_hops(sweep, tally),
		.warm_ns = 1e9 * LONGEST_WARM_S,
		.stop = stop_asked,
		.stop_context = sweep,
	};
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
	struct tally *tally = &sweep->tallies[index];
	struct meter_placement placement;
	double start_s = elapsed_s(sweep);
	uint64_t key = rng_mix(rng_mix(tally->spec.seed, index), tally->block_count);
	if (stop_asked(sweep))
		return 1;
	if (sweep->meter->ops->prepare(sweep->meter, &tally->spec, key, true, &placement, error))
		return -1;
	if (tally->block_count == 0 || placement.page_share < tally->placement.page_share)
		tally->placement = placement;
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

static size_t octave_step(const struct sweep *sweep)
{
	size_t step = 1;
	const struct fathom_spec *specs = sweep->plan->specs;
	while (step < sweep->plan->spec_count && specs[step].size_bytes < 2 * specs[0].size_bytes)
		step++;
	return step;
}

static size_t count_up_to(const struct sweep *sweep, uint64_t bytes)
{
	size_t count = 0;
	while (count < sweep->plan->spec_count && sweep->plan->specs[count].size_bytes <= bytes)
		count++;
	return count;
}

static void shuffle(struct sweep *sweep, size_t count)
{
	for (size_t i = count; i-- > 1;) {
		size_t other = (size_t)rng_below(&sweep->rng, i + 1);
		size_t keep = sweep->order[i];
		sweep->order[i] = sweep->order[other];
		sweep->order[other] = keep;
	}
}

static uint64_t find_reach(const struct sweep *sweep)
{
	return reach_find(sweep->tallies, sweep->plan->spec_count, octave_step(sweep));
}

/* Over always_bytes a size an octave will do, and only while the caches still seem to reach there.
 */
static int look_further(struct sweep *sweep, size_t first, size_t step, struct fathom_error *error)
{
	for (size_t i = first; i < sweep->plan->spec_count; i += step) {
		double next_cost_s = 2.2 * sweep->tallies[i - step].cost_s;
		if (sweep->plan->specs[i].size_bytes > REACH_TO_MEMORY * find_reach(sweep) ||
		    2 * next_cost_s > left_s(sweep) / 4)
			break;
		int status = visit(sweep, i, 1, error);
		if (status)
			return status;
	}
	return 0;
}

static int first_pass(struct sweep *sweep, struct fathom_error *error)
{
	size_t always = count_up_to(sweep, sweep->plan->always_bytes);
	size_t step = octave_step(sweep), count = 0, i;
	sweep->stage = "first pass";
	for (i = 0; i < always; i += step)
		sweep->order[count++] = i;
	shuffle(sweep, count);
	for (size_t k = 0; k < count; k++) {
		int status = visit(sweep, sweep->order[k], 1, error);
		if (status)
			return status;
	}
	int status = look_further(sweep, i, step, error);
	sweep->reach_bytes = find_reach(sweep);
	return status;
}

/* ---- rounds ---- */

/* What a visit will cost: as it did, or as at the neighbours that were visited, the smaller one's
 * scaled by size (the larger one's may hold the first touch of its memory). */
static double expected_cost_s(const struct sweep *sweep, size_t index)
{
	const struct tally *tallies = sweep->tallies;
	double larger = INFINITY, smaller = INFINITY;
	for (size_t i = index; i < sweep->plan->spec_count && isinf(larger); i++)
		if (!isnan(tallies[i].cost_s))
			larger = tallies[i].cost_s;
	if (!isnan(tallies[index].cost_s))
		return larger;
	for (size_t i = index; i-- > 0 && isinf(smaller);)
		if (!isnan(tallies[i].cost_s))
			smaller = tallies[i].cost_s * (double)tallies[index].spec.size_bytes /
				  (double)tallies[i].spec.size_bytes;
	double cost_s = fmin(larger, smaller);
	return isinf(cost_s) ? 0 : cost_s;
}

static unsigned blocks_a_visit(const struct sweep *sweep, size_t index)
{
	return placement_matters(sweep, &sweep->tallies[index]) ? 1 : sweep->blocks_a_build;
}

/* What it costs to bring a size to its first interval. */
static double rounds_cost_s(const struct sweep *sweep, size_t index)
{
	return expected_cost_s(sweep, index) * FEWEST_BLOCKS / blocks_a_visit(sweep, index);
}

/* Wants the sizes of the first pass, then those half-way between, and so on, the cheap ones first,
 * as far as `allowed_s` goes; returns whether it went all the way. A few points with intervals are
 * worth more than many without. */
static bool choose_sizes(struct sweep *sweep, double allowed_s)
{
	size_t always = count_up_to(sweep, sweep->plan->always_bytes);
	bool all = true;
	for (size_t i = 0; i < sweep->plan->spec_count; i++) {
		sweep->tallies[i].wanted = sweep->tallies[i].block_count > 0;
		if (sweep->tallies[i].wanted)
			allowed_s -= rounds_cost_s(sweep, i);
	}
	for (size_t stride = octave_step(sweep); stride; stride /= 2)
		for (size_t i = 0; i < always; i += stride) {
			double cost_s = rounds_cost_s(sweep, i);
			if (sweep->tallies[i].wanted)
				continue;
			sweep->tallies[i].wanted = cost_s <= allowed_s;
			if (sweep->tallies[i].wanted)
				allowed_s -= cost_s;
			else
				all = false;
		}
	return all;
}

/* One chain for all blocks of a large size where the budget is too small for all sizes, and then
 * fewer sizes. */
static void fit_to_budget(struct sweep *sweep)
{
	double allowed_s = FIRST_ROUNDS_SHARE * left_s(sweep);
	if (choose_sizes(sweep, allowed_s))
		return;
	sweep->blocks_a_build = FEWEST_BLOCKS;
	choose_sizes(sweep, allowed_s);
}

/* Each size to FEWEST_BLOCKS blocks, a visit a round, in random order: what drifts becomes scatter.
 */
static int all_rounds(struct sweep *sweep, struct fathom_error *error)
{
	static const char *const stages[FEWEST_BLOCKS] = {"round 1 of 6", "round 2 of 6",
							  "round 3 of 6", "round 4 of 6",
							  "round 5 of 6", "round 6 of 6"};
	for (unsigned round = 1; round <= FEWEST_BLOCKS; round++) {
		sweep->stage = stages[round - 1];
		size_t count = 0;
		for (size_t i = 0; i < sweep->plan->spec_count; i++)
			if (sweep->tallies[i].wanted)
				sweep->order[count++] = i;
		shuffle(sweep, count);
		for (size_t k = 0; k < count; k++) {
			size_t index = sweep->order[k];
			if (sweep->tallies[index].block_count >= round ||
			    expected_cost_s(sweep, index) > left_s(sweep))
				continue;
			int status = visit(sweep, index, blocks_a_visit(sweep, index), error);
			if (status)
				return status;
		}
	}
	return 0;
}

/* The size outside its target that can be brought there soonest, if intervals narrow with the root
 * of the number of blocks; NULL: there is no time left for any. */
static struct tally *soonest(const struct sweep *sweep)
{
	struct tally *best = NULL;
	double least_s = left_s(sweep);
	for (size_t i = 0; i < sweep->plan->spec_count; i++) {
		struct tally *tally = &sweep->tallies[i];
		double excess = tally_half_width(tally) / sweep->plan->target;
		double blocks = (double)tally->block_count;
		double more = fmax((double)tally_next_look(tally->block_count) - blocks,
				   blocks * (excess * excess - 1));
		double cost_s = expected_cost_s(sweep, i) * ceil(more / blocks_a_visit(sweep, i));
		if (excess > 1 && cost_s < least_s) {
			least_s = cost_s;
			best = tally;
		}
	}
	return best;
}

/* More blocks where an interval is too wide, to the next count at which it is looked at again. */
static int refine(struct sweep *sweep, struct fathom_error *error)
{
	struct tally *tally;
	sweep->stage = "refining";
	while ((tally = soonest(sweep))) {
		size_t index = (size_t)(tally - sweep->tallies);
		size_t look = tally_next_look(tally->block_count);
		while (tally->block_count < look) {
			size_t more = look - tally->block_count;
			unsigned blocks = blocks_a_visit(sweep, index);
			int status =
				visit(sweep, index, more < blocks ? (unsigned)more : blocks, error);
			if (status)
				return status;
		}
	}
	return 0;
}

/* ---- before and after ---- */

static int measure(struct sweep *sweep, struct fathom_error *error)
{
	const struct fathom_spec *spec = &sweep->plan->specs[0];
	sweep->overhead_ns = NAN;
	if (spec->pattern == FATHOM_INDEPENDENT &&
	    calibrate_independent(sweep->meter, spec, &sweep->overhead_ns, error))
		return -1;
	int status = first_pass(sweep, error);
	if (status)
		return status;
	fit_to_budget(sweep);
	status = all_rounds(sweep, error);
	return status ? status : refine(sweep, error);
}

static int open_sweep(struct sweep *sweep, struct fathom_error *error)
{
	size_t count = sweep->plan->spec_count;
	sweep->tallies = calloc(count, sizeof(*sweep->tallies));
	sweep->order = calloc(count, sizeof(*sweep->order));
	if (!sweep->tallies || !sweep->order)
		return error_no_memory(error);
	for (size_t i = 0; i < count; i++) {
		sweep->tallies[i].spec = sweep->plan->specs[i];
		sweep->tallies[i].cost_s = NAN;
	}
	return 0;
}

static void close_sweep(struct sweep *sweep)
{
	for (size_t i = 0; sweep->tallies && i < sweep->plan->spec_count; i++)
		tally_free(&sweep->tallies[i]);
	free(sweep->tallies);
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
		.blocks_a_build = BLOCKS_A_BUILD,
		.rng = rng_make(rng_mix(plan->seed, 0)),
	};
	int status = open_sweep(&sweep, error);
	if (status == 0)
		status = measure(&sweep, error);
	if (status == 1) {
		result->interrupted = true;
		status = 0;
	}
	if (status == 0) {
		struct sweep_outcome outcome = {sweep.tallies, find_reach(&sweep),
						sweep.overhead_ns};
		status = sweep_report(plan, meter, &outcome, result, error);
	}
	close_sweep(&sweep);
	return status;
}
