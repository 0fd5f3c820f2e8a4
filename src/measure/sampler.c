#include "measure/sampler.h"

#include <math.h>

#include "base/error.h"
#include "measure/batches.h"

#define GAP_TOLERANCE    0.1    /* 2N hops against twice N hops */
#define SLACK_NS         2000.0 /* by which the fixed cost of a run may vary */
#define STEADY_TOLERANCE 0.02   /* two stretches of warm hops in a row */
#define WARM_TOLERANCE   0.05   /* laps that fill the caches */
#define MOST_WARM_LAPS   8
#define TRIES_PER_BATCH  3

struct sampling {
	struct meter *meter;
	const struct sampler_options *options;
	struct meter_clock clock; /* the last probe: the one before the next batch */
	uint64_t hops;            /* N */
	struct batches batches;
};

int sampler_time_hops(struct meter *meter, uint64_t hops, double *ns, struct fathom_error *error)
{
	bool arrived;
	meter->ops->run(meter, hops, ns, &arrived);
	if (!arrived)
		return error_set(error, FATHOM_FAILED, "something overwrote the measured memory",
				 "the chain did not arrive where it must");
	return 0;
}

int sampler_time_counted(struct meter *meter, uint64_t hops, double *ns, struct fathom_error *error)
{
	meter->counting = true;
	int status = sampler_time_hops(meter, hops, ns, error);
	meter->counting = false;
	return status;
}

static bool stopped(const struct sampler_options *options)
{
	return options->stop && options->stop(options->stop_context);
}

static uint64_t whole_units(const struct meter *meter, double hops)
{
	double units = ceil(hops / (double)meter->hops_unit);
	return (units < 1 ? 1 : (uint64_t)units) * meter->hops_unit;
}

/* The cost of a hop, roughly: runs that double until one is long enough. */
static int find_expected(struct meter *meter, double *expected_ns, struct fathom_error *error)
{
	uint64_t hops = meter->hops_unit;
	double ns;
	for (;; hops *= 2) {
		if (sampler_time_hops(meter, hops, &ns, error))
			return -1;
		if (ns >= meter->shortest_run_ns / 4)
			break;
	}
	*expected_ns = ns / (double)hops;
	return 0;
}

/* Walks alone as far as asked, then on in stretches until two in a row agree, for as long as is
 * allowed. */
static int walk_until_steady(struct sampling *sampling, double stretch_hops,
			     struct fathom_error *error)
{
	const struct sampler_options *options = sampling->options;
	uint64_t hops = whole_units(sampling->meter, stretch_hops), walked = 0;
	double ns, before_ns = NAN, spent_ns = 0;
	do {
		if (stopped(options))
			return 1;
		if (sampler_time_hops(sampling->meter, hops, &ns, error))
			return -1;
		walked += hops;
		spent_ns += ns;
		if (walked >= options->alone_hops && fabs(ns / before_ns - 1) < STEADY_TOLERANCE)
			break;
		before_ns = ns;
	} while (spent_ns < options->warm_ns);
	return 0;
}

/* The meter fills the caches faster than a chase would. That is more than a saving of time: a last
 * cache that is shared evicts what is not used for long, so a chase that starts slow can stay slow
 * for many laps over lines that it would keep had it been fast (seen: 8 MiB at 110 or at 36 ns).
 * Whole laps are repeated until two take equally long, since what one brings in may not be kept. */
static int fill_caches(const struct sampling *sampling)
{
	const struct sampler_options *options = sampling->options;
	struct meter *meter = sampling->meter;
	double before_ns = meter->ops->warm(meter, options->warm_hops);
	bool whole = options->warm_hops >= options->lap_hops && !options->warm_once;
	for (int lap = 1; whole && lap < MOST_WARM_LAPS; lap++) {
		if (stopped(options))
			return 1;
		double ns = meter->ops->warm(meter, options->warm_hops);
		if (ns > (1 - WARM_TOLERANCE) * before_ns)
			break;
		before_ns = ns;
	}
	return 0;
}

static int warm_up(struct sampling *sampling, double *expected_ns, struct fathom_error *error)
{
	struct meter *meter = sampling->meter;
	bool cold = sampling->options->warm_hops > 0;
	if (cold && fill_caches(sampling))
		return 1;
	if (isnan(*expected_ns) && find_expected(meter, expected_ns, error))
		return -1;
	return cold ? walk_until_steady(sampling, meter->shortest_run_ns / *expected_ns, error) : 0;
}

static int reason_in_times(const struct sampling *sampling, double once_ns, double twice_ns,
			   const struct meter_clock *before, const struct meter_clock *after)
{
	if (batches_clock_moved(sampling->meter, before, after))
		return FATHOM_REJECTED_CLOCK;
	if (fabs(twice_ns - 2 * once_ns) > GAP_TOLERANCE * twice_ns + SLACK_NS ||
	    twice_ns <= once_ns)
		return FATHOM_REJECTED_GAP;
	return -1;
}

/* Lines that the system calls since the last batch evicted come back before the clock starts. */
static int settle(struct sampling *sampling, struct fathom_error *error)
{
	double ns;
	uint64_t lap = sampling->options->lap_hops;
	if (lap == 0 || lap > sampling->hops)
		return 0;
	return sampler_time_hops(sampling->meter, whole_units(sampling->meter, (double)lap), &ns,
				 error);
}

static int take_batch(struct sampling *sampling, struct fathom_error *error)
{
	struct meter *meter = sampling->meter;
	struct disturbance before, after;
	struct meter_clock clock = sampling->clock;
	double once_ns, twice_ns;
	meter->ops->disturbance(meter, &before);
	if (settle(sampling, error) ||
	    sampler_time_counted(meter, sampling->hops, &once_ns, error) ||
	    sampler_time_counted(meter, 2 * sampling->hops, &twice_ns, error))
		return -1;
	meter->ops->disturbance(meter, &after);
	sampling->clock = batches_probe(sampling->meter);
	double hz = (clock.hz + sampling->clock.hz) / 2;
	double ns =
		(once_ns + twice_ns - 2 * meter->fixed_cost_ns) / (3.0 * (double)sampling->hops);
	struct batch batch = {.ns = ns,
			      .cycles = ns * hz * 1e-9,
			      .clock_hz = hz,
			      .hops = 3 * sampling->hops,
			      .reason = batches_reason(&before, &after)};
	if (batch.reason < 0)
		batch.reason =
			reason_in_times(sampling, once_ns, twice_ns, &clock, &sampling->clock);
	return batches_add(&sampling->batches, &batch, error);
}

static int take_batches(struct sampling *sampling, struct fathom_error *error)
{
	unsigned wanted = sampling->options->batches;
	sampling->clock = batches_probe(sampling->meter);
	for (unsigned tries = 0; tries < TRIES_PER_BATCH * wanted; tries++) {
		if (sampling->batches.clean_count == wanted)
			break;
		if (stopped(sampling->options))
			return 1;
		if (take_batch(sampling, error))
			return -1;
	}
	return sampling->hops < sampling->options->lap_hops
		       ? batches_mix(&sampling->batches, sampling->options->runs, error)
		       : 0;
}

/* About as many as a batch should have: whole laps where it has one, since in these there is as
 * much of everything. */
static uint64_t batch_hops(const struct sampling *sampling, double hops)
{
	double lap = (double)sampling->options->lap_hops;
	bool whole = lap > 0 && lap <= hops;
	return whole_units(sampling->meter, whole ? round(hops / lap) * lap : hops);
}

int sampler_run(struct meter *meter, const struct sampler_options *options,
		struct sampler_block *block, struct fathom_error *error)
{
	struct sampling sampling = {.meter = meter, .options = options};
	double expected_ns = options->expected_ns;
	double start_s = meter->ops->elapsed_s(meter);
	int status = warm_up(&sampling, &expected_ns, error);
	double warm_s = meter->ops->elapsed_s(meter) - start_s;
	if (status)
		goto out;
	sampling.hops = batch_hops(&sampling, fmax(meter->shortest_run_ns / expected_ns,
						   (double)options->shortest_hops));
	status = take_batches(&sampling, error);
	if (status == 0)
		status = batches_block(&sampling.batches, block, error);
	if (status == 0)
		block->warm_s = warm_s;
out:
	batches_close(&sampling.batches);
	return status;
}
