#include "measure/schedule/visit.h"

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
#define SHORTEST_HOPS   8192 /* of a cold block */
#define USED_SHARE      0.98 /* of the budget: giving memory back and writing take time too */

static bool stop_asked(void *context)
{
	struct visitor *visitor = context;
	const struct fathom_observer *observer = visitor->observer;
	if (!visitor->stopped && observer && observer->stop)
		visitor->stopped = observer->stop(observer->context);
	return visitor->stopped;
}

double visitor_elapsed_s(const struct visitor *visitor)
{
	return visitor->meter->ops->elapsed_s(visitor->meter);
}

double visitor_left_s(const struct visitor *visitor)
{
	return USED_SHARE * visitor->plan->budget_s - visitor->reading_s -
	       visitor_elapsed_s(visitor);
}

static void tell_progress(const struct visitor *visitor, const struct tally *tally)
{
	const struct fathom_observer *observer = visitor->observer;
	if (!observer || !observer->progress)
		return;
	double left = fmax(0, visitor_left_s(visitor));
	struct fathom_progress progress = {
		.stage = visitor->stage,
		.done = fmin(1, visitor_elapsed_s(visitor) / visitor->plan->budget_s),
		.left_s = left,
		.size_bytes = tally->spec.size_bytes,
		.latency_ns = tally_median_ns(tally),
		.half_width = tally_half_width(tally),
	};
	observer->progress(observer->context, &progress);
}

/* ---- one visit: a placement, a chain, and one or more blocks on it ---- */

/* What a block times: a lap, or as much of it as takes BLOCK_NS; all of it where hits and misses
 * come in runs; or what the plan asks for. */
static uint64_t wanted_hops(const struct schedule *schedule, const struct tally *tally)
{
	double hop_ns = tally->block_count ? tally_median_ns(tally) : USUAL_MEMORY_NS;
	double lap = (double)spec_accesses(&tally->spec);
	double hops = fmax(fmin(BLOCK_NS / hop_ns, lap), BLOCK_HOPS);
	hops = fmax(hops, (double)schedule_fewest_hops(schedule, tally));
	return (uint64_t)fmax(hops, (double)tally->block_hops);
}

static int take_block(struct visitor *visitor, struct tally *tally, bool again,
		      struct fathom_error *error)
{
	struct sampler_block block;
	struct sampler_options options = {
		.hops = wanted_hops(&visitor->schedule, tally),
		.expected_ns = tally_least_ns(tally),
		.runs = schedule_has_runs(&visitor->schedule, tally),
		.stop = stop_asked,
		.stop_context = visitor,
	};
	schedule_warming(&visitor->schedule, tally, again, &options);
	struct vm_counts before;
	watch_begin(visitor->meter, &before);
	int status = sampler_run(visitor->meter, &options, &block, error);
	if (status)
		return status;
	block.paged = watch_end(visitor->meter, &before);
	visitor->schedule.block_count += tally->spec.pattern == FATHOM_RANDOM_CYCLE;
	visitor->schedule.mixed_count +=
		tally->spec.pattern == FATHOM_RANDOM_CYCLE && block.mixed && !options.runs;
	status = tally_add(tally, &block, visitor->plan->keep_samples, error) ||
		 clock_record_add(&visitor->clock, block.clock_hz, error);
	sampler_block_free(&block);
	return status ? -1 : 0;
}

/* For a meter that need not write a whole chain. */
static void plan_walk(struct visitor *visitor, const struct tally *tally, unsigned blocks)
{
	struct sampler_options options = {0};
	struct meter *meter = visitor->meter;
	schedule_warming(&visitor->schedule, tally, false, &options);
	bool warm = tally->spec.warmth == FATHOM_WARM;
	meter->warm_hops = warm ? options.warm_hops : 0;
	meter->walk_hops =
		warm ? WALKED_AGAIN * blocks * wanted_hops(&visitor->schedule, tally) : 0;
}

/* Those of a curve along laps or lanes are visited together. */
static bool is_together(const struct fathom_spec *spec)
{
	return spec->axis == FATHOM_AXIS_LAP || spec->axis == FATHOM_AXIS_LANES;
}

static uint32_t count_together(const struct visitor *visitor, const struct tally *first)
{
	const struct tally *end = visitor->schedule.tallies + visitor->schedule.count;
	uint32_t count = 1;
	while (is_together(&first->spec) && first + count < end &&
	       first[count].curve == first->curve)
		count++;
	return count;
}

bool visitor_goes_along(const struct visitor *visitor, const struct tally *tally)
{
	return is_together(&tally->spec) && tally > visitor->schedule.tallies &&
	       tally[-1].curve == tally->curve;
}

/* Short laps are not known better than two readings of the clock are. */
static void set_resolution(const struct visitor *visitor, struct tally *tally, double lap_ns)
{
	const struct meter *meter = visitor->meter;
	if (lap_ns < meter->shortest_run_ns)
		tally->resolution = meter->resolution * meter->shortest_run_ns / lap_ns;
}

/* As many hops as take PART_NS; of a first visit as if they went to memory. */
static uint64_t part_hops(const struct tally *tally)
{
	double hop_ns = tally->block_count ? tally_median_ns(tally) : USUAL_MEMORY_NS;
	return (uint64_t)fmax(SHORTEST_HOPS, PART_NS / hop_ns);
}

static int take_cold_blocks(struct visitor *visitor, struct tally *first,
			    struct fathom_error *error)
{
	uint32_t laps = count_together(visitor, first);
	uint64_t lap_hops = spec_accesses(&first->spec);
	uint64_t hops = first->block_hops ? first->block_hops : SHORTEST_HOPS;
	/* What writing left in the caches is not spread evenly over a lap; nor are the hops that
	 * find their line touched, where nodes share one. */
	bool whole = first->spec.lap || first->spec.warmth == FATHOM_COLD_MAPPED ||
		     first->spec.node_bytes < visitor->meter->line_bytes;
	struct sampler_cold_options options = {
		.laps = laps,
		.lap_hops = whole || hops > lap_hops ? lap_hops : hops,
		.part_hops = part_hops(first),
		.hops = hops,
		.stop = stop_asked,
		.stop_context = visitor,
	};
	struct sampler_block *blocks = calloc(laps, sizeof(*blocks));
	if (!blocks)
		return error_no_memory(error);
	struct vm_counts before;
	watch_begin(visitor->meter, &before);
	int status = sampler_run_cold(visitor->meter, &options, blocks, error);
	bool paged = status == 0 && watch_end(visitor->meter, &before);
	for (uint32_t i = 0; i < laps && status == 0; i++) {
		blocks[i].paged = paged;
		set_resolution(visitor, &first[i], blocks[i].mean.ns * (double)options.lap_hops);
		first[i].placement = first->placement;
		first[i].placements = first->placements;
		status =
			tally_add(&first[i], &blocks[i], visitor->plan->keep_samples, error) ||
					clock_record_add(&visitor->clock, blocks[i].clock_hz, error)
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
static uint64_t block_key(const struct visitor *visitor, const struct tally *tally)
{
	uint64_t point = visitor->plan->experiment == FATHOM_PAGES
				 ? rng_mix(spec_nodes(&tally->spec), tally->spec.axis)
				 : rng_mix(tally->spec.size_bytes, tally->curve);
	return rng_mix(rng_mix(tally->spec.seed, point), tally->block_count);
}

static int take_counts(const struct visitor *visitor, struct tally *tally, unsigned blocks,
		       struct fathom_error *error)
{
	struct fathom_count *counts = visitor->meter->ops->take_counts(visitor->meter);
	if (!counts)
		return error_no_memory(error);
	tally_count(tally, counts, visitor->event_count, blocks);
	return 0;
}

/* The loop is known once the width of its vectors is. */
static void note_width(const struct meter *meter, struct tally *tally)
{
	struct fathom_spec spec = tally->spec;
	spec.vector_bytes = tally->placement.vector_bytes;
	if (spec.vector_bytes && meter->instructions)
		tally->instructions = meter->instructions(&spec);
}

/* Places memory for the spec and writes its chain. Returns as the meter's prepare. */
static int prepare(struct visitor *visitor, struct tally *tally, uint64_t key, bool redraw,
		   struct fathom_error *error)
{
	struct meter_placement placement;
	visitor->meter->slowest_thread = visitor->meter->fastest_thread = 0;
	int status = visitor->meter->ops->prepare(visitor->meter, &tally->spec, key, redraw,
						  &placement, error);
	if (status)
		return status;
	if (tally->block_count == 0 || placement.page_share < tally->placement.page_share)
		tally->placement = placement;
	tally->placements++;
	note_width(visitor->meter, tally);
	return 0;
}

/* One block of each number of lanes, in random order, all on one placement: what one of them took
 * is then held against what the others did there. */
static int visit_lanes(struct visitor *visitor, struct tally *first, struct fathom_error *error)
{
	uint32_t count = count_together(visitor, first);
	bool one_cycle = first->spec.pattern == FATHOM_RANDOM_CYCLE;
	uint64_t key = block_key(visitor, first);
	struct permutation order = permutation_make(count, key);
	for (uint32_t i = 0; i < count; i++) {
		struct tally *tally = &first[permutation_forward(&order, i)];
		int status = prepare(visitor, tally, key, i == 0, error);
		if (status == 0)
			status = take_block(visitor, tally, one_cycle && i > 0, error);
		if (status)
			return status;
		if (visitor->event_count && take_counts(visitor, tally, 1, error))
			return -1;
	}
	return 0;
}

static int visit_point(struct visitor *visitor, struct tally *tally, unsigned blocks,
		       struct fathom_error *error)
{
	plan_walk(visitor, tally, blocks);
	int status = prepare(visitor, tally, block_key(visitor, tally), true, error);
	visitor->meter->warm_hops = visitor->meter->walk_hops = 0;
	if (status)
		return status;
	if (tally->block_count == 0)
		tally->placement_blocks = blocks;
	if (tally->placement_blocks != blocks)
		tally->placement_blocks = 0;
	for (unsigned i = 0; i < blocks; i++) {
		status = tally->spec.warmth == FATHOM_WARM
				 ? take_block(visitor, tally, i > 0, error)
				 : take_cold_blocks(visitor, tally, error);
		if (status)
			return status;
	}
	tally->slowest_thread += visitor->meter->slowest_thread;
	tally->fastest_thread += visitor->meter->fastest_thread;
	if (visitor->event_count && take_counts(visitor, tally, blocks, error))
		return -1;
	return 0;
}

int visitor_visit(struct visitor *visitor, struct tally *tally, unsigned blocks,
		  struct fathom_error *error)
{
	double start_s = visitor_elapsed_s(visitor);
	if (stop_asked(visitor))
		return 1;
	int status = tally->spec.axis == FATHOM_AXIS_LANES
			     ? visit_lanes(visitor, tally, error)
			     : visit_point(visitor, tally, blocks, error);
	if (status)
		return status;
	tally->cost_s = visitor_elapsed_s(visitor) - start_s;
	tell_progress(visitor, tally);
	return 0;
}

void visitor_shuffle(struct visitor *visitor, size_t count)
{
	struct tally **order = visitor->schedule.order;
	for (size_t i = count; i-- > 1;) {
		size_t other = (size_t)rng_below(&visitor->rng, i + 1);
		struct tally *keep = order[i];
		order[i] = order[other];
		order[other] = keep;
	}
}

static int count_events(struct visitor *visitor, struct fathom_error *error)
{
	struct meter *meter = visitor->meter;
	struct counter_events events;
	if (counter_events_parse(visitor->plan->events, &events, error))
		return -1;
	int status = meter->ops->count(meter, &events, error);
	visitor->event_count = events.count;
	counter_events_free(&events);
	return status;
}

int visitor_open(struct visitor *visitor, const struct fathom_plan *plan, struct meter *meter,
		 const struct fathom_observer *observer, size_t more, struct fathom_error *error)
{
	*visitor = (struct visitor){
		.plan = plan,
		.meter = meter,
		.observer = observer,
		.rng = rng_make(rng_mix(plan->seed, 0)),
	};
	meter->stop = stop_asked;
	meter->stop_context = visitor;
	if (plan->events && count_events(visitor, error))
		return -1;
	return schedule_open(&visitor->schedule, plan, meter, more, error);
}

int visitor_close(struct visitor *visitor, int status, struct fathom_result *result,
		  struct fathom_error *error)
{
	visitor->meter->stop = NULL;
	if (status == 1) {
		result->interrupted = true;
		status = 0;
	}
	if (status == 0)
		status = sweep_report(visitor->plan, visitor->meter, &visitor->schedule,
				      &visitor->clock, result, error);
	clock_record_free(&visitor->clock);
	schedule_close(&visitor->schedule);
	return status;
}
