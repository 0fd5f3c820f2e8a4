#include "measure/visit.h"

#include <math.h>

#include "measure/sweep_report.h"

#define BATCHES       3    /* a block: more blocks tell more than more batches */
#define SHORTEST_HOPS 8192 /* a few hundred hops into memory scatter too much */
#define USED_SHARE    0.98 /* of the budget: giving memory back and writing take time too */

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

static int take_block(struct visitor *visitor, struct tally *tally, bool again,
		      struct fathom_error *error)
{
	struct sampler_block block;
	struct sampler_options options = {
		.batches = BATCHES,
		.expected_ns = tally_median_ns(tally) + tally->overhead_ns,
		.shortest_hops = SHORTEST_HOPS,
		.stop = stop_asked,
		.stop_context = visitor,
	};
	schedule_warming(&visitor->schedule, tally, again, &options);
	int status = sampler_run(visitor->meter, &options, &block, error);
	if (status)
		return status;
	status = tally_add(tally, &block, visitor->plan->keep_samples, error);
	sampler_block_free(&block);
	return status;
}

/* Of a block's chain and place: its own, also where curves have sizes in common. */
static uint64_t block_key(const struct tally *tally)
{
	uint64_t point = rng_mix(tally->spec.size_bytes, tally->curve);
	return rng_mix(rng_mix(tally->spec.seed, point), tally->block_count);
}

int visitor_visit(struct visitor *visitor, struct tally *tally, unsigned blocks,
		  struct fathom_error *error)
{
	struct meter_placement placement;
	double start_s = visitor_elapsed_s(visitor);
	uint64_t key = block_key(tally);
	if (stop_asked(visitor))
		return 1;
	int prepared = visitor->meter->ops->prepare(visitor->meter, &tally->spec, key, true,
						    &placement, error);
	if (prepared)
		return prepared;
	if (tally->block_count == 0 || placement.page_share < tally->placement.page_share)
		tally->placement = placement;
	tally->placements++;
	for (unsigned i = 0; i < blocks; i++) {
		int status = take_block(visitor, tally, i > 0, error);
		if (status)
			return status;
	}
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
		status = sweep_report(visitor->plan, visitor->meter, &visitor->schedule, result,
				      error);
	schedule_close(&visitor->schedule);
	return status;
}
