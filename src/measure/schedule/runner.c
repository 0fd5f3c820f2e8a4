#include "measure/schedule/runner.h"

#include <math.h>
#include <stdlib.h>

#include "base/error.h"
#include "kernels/permutation.h"
#include "measure/sampling/sampler_cold.h"
#include "measure/sampling/watch.h"
#include "measure/schedule/sweep_report.h"
#include "measure/spec.h"

#define BLOCK_NS        2e6  /* of the laps that are not short */
#define BLOCK_HOPS      8192 /* a few hundred hops into memory scatter too much */
#define WALKED_AGAIN    4    /* times what a block wants: batches that are repeated, warming */
#define PART_NS         2e6  /* of a cold lap: less than a scheduler's slice */
#define USUAL_MEMORY_NS 100.0
#define LEAST_HOP_NS    10.0 /* past the caches of a core, about */
#define SETTLED_NS      2e7  /* that a block times at least of what has settled */
#define SHORTEST_HOPS   8192 /* of a cold block */
#define WAIT_SHARE      0.25 /* of the time so far, for pauses of what disturbs */
#define USED_SHARE      0.98 /* of the budget: giving memory back and writing take time too */

static bool stop_asked(void *context)
{
	struct runner *runner = context;
	const struct fathom_observer *observer = runner->observer;
	if (!runner->stopped && observer && observer->stop)
		runner->stopped = observer->stop(observer->context);
	return runner->stopped;
}

double runner_elapsed_s(const struct runner *runner)
{
	return runner->meter->ops->elapsed_s(runner->meter);
}

double runner_left_s(const struct runner *runner)
{
	return USED_SHARE * runner->plan->budget_s - runner->fit_s - runner_elapsed_s(runner);
}

void runner_tell(const struct runner *runner, const struct accumulator *accumulator)
{
	const struct fathom_observer *observer = runner->observer;
	if (!observer || !observer->progress)
		return;
	double done = fmin(1, runner_elapsed_s(runner) / runner->plan->budget_s);
	struct fathom_progress progress = {
		.stage = runner->stage,
		.done = done,
		.left_s = (1 - done) * runner->plan->budget_s,
		.latency_ns = NAN,
		.half_width = NAN,
	};
	if (accumulator) {
		progress.size_bytes = accumulator->spec.size_bytes;
		progress.latency_ns = accumulator_median_ns(accumulator);
		progress.half_width = accumulator_half_width(accumulator);
	}
	observer->progress(observer->context, &progress);
}

/* ---- one visit: a placement, a chain, and one or more blocks on it ---- */

/* What a block times: a lap, or as much of it as takes BLOCK_NS; all of it where hits and misses
 * come in runs; or what the plan asks for. */
static uint64_t wanted_hops(const struct schedule *schedule, const struct accumulator *accumulator)
{
	double hop_ns =
		accumulator->block_count ? accumulator_median_ns(accumulator) : USUAL_MEMORY_NS;
	double lap = (double)spec_accesses(&accumulator->spec);
	double hops = fmax(fmin(BLOCK_NS / hop_ns, lap), BLOCK_HOPS);
	hops = fmax(hops, (double)schedule_fewest_hops(schedule, accumulator));
	if (accumulator->spec.warmth == FATHOM_SETTLED)
		hops = fmax(hops, fmin(SETTLED_NS / hop_ns, lap));
	return (uint64_t)fmax(hops, (double)accumulator->block_hops);
}

static int take_block(struct runner *runner, struct accumulator *accumulator, bool again,
		      struct fathom_error *error)
{
	struct sampler_block block;
	struct sampler_options options = {
		.hops = wanted_hops(&runner->schedule, accumulator),
		.expected_ns = accumulator_least_ns(accumulator),
		.bimodal = accumulator->spec.warmth == FATHOM_SETTLED ||
			   schedule_is_bimodal(&runner->schedule, accumulator),
		.patience_s = WAIT_SHARE * runner_elapsed_s(runner) - runner->beside_s,
		.stop = stop_asked,
		.stop_context = runner,
	};
	schedule_warming(&runner->schedule, accumulator, again, &options);
	struct vm_counts before;
	watch_begin(runner->meter, &before);
	int status = sampler_run(runner->meter, &options, &block, error);
	if (status)
		return status;
	runner->beside_s += block.beside_s;
	block.paged = watch_end(runner->meter, &before);
	runner->schedule.block_count += accumulator->spec.pattern == FATHOM_RANDOM_CYCLE;
	runner->schedule.bimodal_count += accumulator->spec.pattern == FATHOM_RANDOM_CYCLE &&
					  block.bimodal && !options.bimodal;
	status = accumulator_add(accumulator, &block, runner->plan->keep_samples, error) ||
		 clock_record_add(&runner->clock, block.clock_hz, error);
	sampler_block_free(&block);
	return status ? -1 : 0;
}

/* At most so many hops are walked until the chain has settled. */
static uint64_t settling_hops(const struct accumulator *accumulator, double settle_ns)
{
	double lap = (double)spec_accesses(&accumulator->spec), hop_ns = LEAST_HOP_NS;
	if (accumulator->block_count)
		hop_ns = fmax(hop_ns, accumulator_least_ns(accumulator) / 2);
	return (uint64_t)fmin(settle_ns / hop_ns, lap);
}

/* For a meter that need not write a whole chain. */
static void plan_walk(struct runner *runner, const struct accumulator *accumulator, unsigned blocks)
{
	struct sampler_options options = {0};
	struct meter *meter = runner->meter;
	schedule_warming(&runner->schedule, accumulator, false, &options);
	bool cold = spec_is_cold(&accumulator->spec);
	uint64_t hops = WALKED_AGAIN * blocks * wanted_hops(&runner->schedule, accumulator) +
			settling_hops(accumulator, options.settle_ns);
	meter->warm_hops = cold ? 0 : options.warm_hops;
	meter->walk_hops = cold ? 0 : hops;
}

/* Those of a curve along laps or lanes are visited together. */
static bool is_together(const struct fathom_spec *spec)
{
	return spec->axis == FATHOM_AXIS_LAP || spec->axis == FATHOM_AXIS_LANES;
}

static uint32_t count_together(const struct runner *runner, const struct accumulator *first)
{
	const struct accumulator *end = runner->schedule.accumulators + runner->schedule.count;
	uint32_t count = 1;
	while (is_together(&first->spec) && first + count < end &&
	       first[count].curve == first->curve)
		count++;
	return count;
}

bool runner_goes_along(const struct runner *runner, const struct accumulator *accumulator)
{
	return is_together(&accumulator->spec) && accumulator > runner->schedule.accumulators &&
	       accumulator[-1].curve == accumulator->curve;
}

/* Short laps are not known better than two readings of the clock are. */
static void set_resolution(const struct runner *runner, struct accumulator *accumulator,
			   double lap_ns)
{
	const struct meter *meter = runner->meter;
	if (lap_ns < meter->shortest_run_ns)
		accumulator->resolution = meter->resolution * meter->shortest_run_ns / lap_ns;
}

/* As many hops as take PART_NS; of a first visit as if they went to memory. */
static uint64_t part_hops(const struct accumulator *accumulator)
{
	double hop_ns =
		accumulator->block_count ? accumulator_median_ns(accumulator) : USUAL_MEMORY_NS;
	return (uint64_t)fmax(SHORTEST_HOPS, PART_NS / hop_ns);
}

static int take_cold_blocks(struct runner *runner, struct accumulator *first,
			    struct fathom_error *error)
{
	uint32_t laps = count_together(runner, first);
	uint64_t lap_hops = spec_accesses(&first->spec);
	uint64_t hops = first->block_hops ? first->block_hops : SHORTEST_HOPS;
	/* What writing left in the caches is not spread evenly over a lap; nor are the hops that
	 * find their line touched, where nodes share one. */
	bool whole = first->spec.lap || first->spec.warmth == FATHOM_COLD_MAPPED ||
		     first->spec.node_bytes < runner->meter->line_bytes;
	struct sampler_cold_options options = {
		.laps = laps,
		.lap_hops = whole || hops > lap_hops ? lap_hops : hops,
		.part_hops = part_hops(first),
		.hops = hops,
		.stop = stop_asked,
		.stop_context = runner,
	};
	struct sampler_block *blocks = calloc(laps, sizeof(*blocks));
	if (!blocks)
		return error_no_memory(error);
	struct vm_counts before;
	watch_begin(runner->meter, &before);
	int status = sampler_run_cold(runner->meter, &options, blocks, error);
	bool paged = status == 0 && watch_end(runner->meter, &before);
	for (uint32_t i = 0; i < laps && status == 0; i++) {
		blocks[i].paged = paged;
		set_resolution(runner, &first[i], blocks[i].mean.ns * (double)options.lap_hops);
		first[i].placement = first->placement;
		first[i].placements = first->placements;
		status =
			accumulator_add(&first[i], &blocks[i], runner->plan->keep_samples, error) ||
					clock_record_add(&runner->clock, blocks[i].clock_hz, error)
				? -1
				: 0;
	}
	for (uint32_t i = 0; i < laps; i++)
		sampler_block_free(&blocks[i]);
	free(blocks);
	return status;
}

/* Of a block's chain and place: its own, also where curves have sizes in common. With pages as many
 * nodes have the same order, whatever they lie in. */
static uint64_t block_key(const struct runner *runner, const struct accumulator *accumulator)
{
	uint64_t point = runner->plan->experiment == FATHOM_PAGES
				 ? rng_mix(spec_nodes(&accumulator->spec), accumulator->spec.axis)
				 : rng_mix(accumulator->spec.size_bytes, accumulator->curve);
	return rng_mix(rng_mix(accumulator->spec.seed, point), accumulator->block_count);
}

static int take_counts(const struct runner *runner, struct accumulator *accumulator,
		       unsigned blocks, struct fathom_error *error)
{
	struct fathom_count *counts = runner->meter->ops->take_counts(runner->meter);
	if (!counts)
		return error_no_memory(error);
	accumulator_count(accumulator, counts, runner->event_count, blocks);
	return 0;
}

/* The loop is known once the width of its vectors is. */
static void note_width(const struct meter *meter, struct accumulator *accumulator)
{
	struct fathom_spec spec = accumulator->spec;
	spec.vector_bytes = accumulator->placement.vector_bytes;
	if (spec.vector_bytes && meter->instructions)
		accumulator->instructions = meter->instructions(&spec);
}

/* Places memory for the spec and writes its chain. Returns as the meter's prepare. */
static int prepare(struct runner *runner, struct accumulator *accumulator, uint64_t key,
		   bool redraw, struct fathom_error *error)
{
	struct meter_placement placement;
	runner->meter->slowest_thread = runner->meter->fastest_thread = 0;
	int status = runner->meter->ops->prepare(runner->meter, &accumulator->spec, key, redraw,
						 &placement, error);
	if (status)
		return status;
	if (accumulator->block_count == 0 ||
	    placement.page_share < accumulator->placement.page_share)
		accumulator->placement = placement;
	accumulator->placements++;
	note_width(runner->meter, accumulator);
	return 0;
}

/* One block of each number of lanes, in random order, all on one placement: what one of them took
 * is then held against what the others did there. */
static int visit_lanes(struct runner *runner, struct accumulator *first, struct fathom_error *error)
{
	uint32_t count = count_together(runner, first);
	bool one_cycle = first->spec.pattern == FATHOM_RANDOM_CYCLE;
	uint64_t key = block_key(runner, first);
	struct permutation order = permutation_make(count, key);
	for (uint32_t i = 0; i < count; i++) {
		struct accumulator *accumulator = &first[permutation_forward(&order, i)];
		int status = prepare(runner, accumulator, key, i == 0, error);
		if (status == 0)
			status = take_block(runner, accumulator, one_cycle && i > 0, error);
		if (status)
			return status;
		if (runner->event_count && take_counts(runner, accumulator, 1, error))
			return -1;
		runner_tell(runner, accumulator);
	}
	return 0;
}

static int visit_point(struct runner *runner, struct accumulator *accumulator, unsigned blocks,
		       struct fathom_error *error)
{
	plan_walk(runner, accumulator, blocks);
	int status = prepare(runner, accumulator, block_key(runner, accumulator), true, error);
	runner->meter->warm_hops = runner->meter->walk_hops = 0;
	if (status)
		return status;
	if (accumulator->block_count == 0)
		accumulator->placement_blocks = blocks;
	if (accumulator->placement_blocks != blocks)
		accumulator->placement_blocks = 0;
	for (unsigned i = 0; i < blocks; i++) {
		status = spec_is_cold(&accumulator->spec)
				 ? take_cold_blocks(runner, accumulator, error)
				 : take_block(runner, accumulator, i > 0, error);
		if (status)
			return status;
	}
	accumulator->slowest_thread += runner->meter->slowest_thread;
	accumulator->fastest_thread += runner->meter->fastest_thread;
	if (runner->event_count && take_counts(runner, accumulator, blocks, error))
		return -1;
	return 0;
}

int runner_visit(struct runner *runner, struct accumulator *accumulator, unsigned blocks,
		 struct fathom_error *error)
{
	double start_s = runner_elapsed_s(runner);
	if (stop_asked(runner))
		return 1;
	int status = accumulator->spec.axis == FATHOM_AXIS_LANES
			     ? visit_lanes(runner, accumulator, error)
			     : visit_point(runner, accumulator, blocks, error);
	if (status)
		return status;
	accumulator->cost_s = runner_elapsed_s(runner) - start_s;
	runner_tell(runner, accumulator);
	return 0;
}

void runner_begin_round(struct runner *runner, size_t round)
{
	static const char *const stages[SCHEDULE_FEWEST_BLOCKS] = {"round 1 of 6", "round 2 of 6",
								   "round 3 of 6", "round 4 of 6",
								   "round 5 of 6", "round 6 of 6"};
	runner->stage = round <= SCHEDULE_FEWEST_BLOCKS ? stages[round - 1] : "more rounds";
}

void runner_shuffle(struct runner *runner, size_t count)
{
	struct accumulator **order = runner->schedule.order;
	for (size_t i = count; i-- > 1;) {
		size_t other = (size_t)rng_below(&runner->rng, i + 1);
		struct accumulator *keep = order[i];
		order[i] = order[other];
		order[other] = keep;
	}
}

static int count_events(struct runner *runner, struct fathom_error *error)
{
	struct meter *meter = runner->meter;
	struct counter_events events;
	if (counter_events_parse(runner->plan->events, &events, error))
		return -1;
	int status = meter->ops->count(meter, &events, error);
	runner->event_count = events.count;
	counter_events_free(&events);
	return status;
}

int runner_open(struct runner *runner, const struct fathom_plan *plan, struct meter *meter,
		const struct fathom_observer *observer, size_t more, struct fathom_error *error)
{
	*runner = (struct runner){
		.plan = plan,
		.meter = meter,
		.observer = observer,
		.rng = rng_make(rng_mix(plan->seed, 0)),
	};
	meter->stop = stop_asked;
	meter->stop_context = runner;
	if (plan->events && count_events(runner, error))
		return -1;
	return schedule_open(&runner->schedule, plan, meter, more, error);
}

int runner_close(struct runner *runner, int status, struct fathom_result *result,
		 struct fathom_error *error)
{
	runner->meter->stop = NULL;
	if (status == 1) {
		result->interrupted = true;
		status = 0;
	}
	if (status == 0)
		status = sweep_report(runner->plan, runner->meter, &runner->schedule,
				      &runner->clock, result, error);
	clock_record_free(&runner->clock);
	schedule_close(&runner->schedule);
	return status;
}
