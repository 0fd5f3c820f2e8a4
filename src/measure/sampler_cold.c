#include "measure/sampler_cold.h"

#include <math.h>
#include <stdlib.h>

#include "base/error.h"
#include "measure/batches.h"

#define FEWEST_RUNS   3
#define MOST_RUNS     64  /* short laps scatter: a clock reading is 2 % of a lap of 16 lines */
#define LONG_LAP_NS   2e7 /* one is enough */
#define TRIES_PER_RUN 3

/* How often a lap of that length is wanted. */
static unsigned wanted_runs(const struct meter *meter, const struct sampler_cold_options *options,
			    double lap_ns)
{
	double runs = ceil((double)options->hops / (double)options->lap_hops);
	runs = fmax(runs, ceil(meter->shortest_run_ns / lap_ns));
	if (lap_ns < LONG_LAP_NS)
		runs = fmax(runs, FEWEST_RUNS);
	return (unsigned)fmin(fmax(runs, 1), MOST_RUNS);
}

/* *ns is what the lap took. */
static int time_lap(struct meter *meter, uint64_t hops, struct batches *batches, double *ns,
		    struct fathom_error *error)
{
	struct disturbance before, after;
	struct meter_clock clock = batches_probe(meter);
	meter->ops->disturbance(meter, &before);
	if (sampler_time_hops(meter, hops, ns, error))
		return -1;
	meter->ops->disturbance(meter, &after);
	struct meter_clock clock_after = batches_probe(meter);
	double hz = (clock.hz + clock_after.hz) / 2;
	double hop_ns = (*ns - meter->fixed_cost_ns) / (double)hops;
	struct batch batch = {.ns = hop_ns, .cycles = hop_ns * hz * 1e-9, .clock_hz = hz};
	int reason = batches_reason(&before, &after);
	if (reason < 0 && batches_clock_moved(meter, &clock, &clock_after))
		reason = FATHOM_REJECTED_CLOCK;
	batches_add(batches, &batch, reason);
	return 0;
}

/* The fewest clean times that a lap has. */
static unsigned least_clean(const struct batches *laps, uint32_t count)
{
	unsigned least = laps[0].clean_count;
	for (uint32_t i = 1; i < count; i++)
		if (laps[i].clean_count < least)
			least = laps[i].clean_count;
	return least;
}

static int take_runs(struct meter *meter, const struct sampler_cold_options *options,
		     struct batches *laps, struct fathom_error *error)
{
	unsigned wanted = MOST_RUNS;
	for (unsigned tries = 0; tries < TRIES_PER_RUN * wanted; tries++) {
		if (least_clean(laps, options->laps) >= wanted)
			break;
		if (options->stop && options->stop(options->stop_context))
			return 1;
		int status = meter->ops->chill(meter, error);
		double ns = 0;
		for (uint32_t i = 0; i < options->laps && status == 0; i++)
			status = time_lap(meter, options->lap_hops, &laps[i], &ns, error);
		if (status)
			return status;
		if (tries == 0)
			wanted = wanted_runs(meter, options, ns);
	}
	return 0;
}

static int make_blocks(const struct batches *laps, const struct sampler_cold_options *options,
		       struct sampler_block *blocks, struct fathom_error *error)
{
	for (uint32_t i = 0; i < options->laps; i++) {
		if (batches_block(&laps[i], &blocks[i], error)) {
			while (i--)
				sampler_block_free(&blocks[i]);
			return -1;
		}
		blocks[i].hops = blocks[i].count * options->lap_hops;
	}
	return 0;
}

int sampler_run_cold(struct meter *meter, const struct sampler_cold_options *options,
		     struct sampler_block *blocks, struct fathom_error *error)
{
	struct batches *laps = calloc(options->laps, sizeof(*laps));
	int status = laps ? 0 : error_no_memory(error);
	for (uint32_t i = 0; i < options->laps && status == 0; i++)
		status = batches_open(&laps[i], (size_t)TRIES_PER_RUN * MOST_RUNS, error);
	if (status == 0)
		status = take_runs(meter, options, laps, error);
	if (status == 0)
		status = make_blocks(laps, options, blocks, error);
	for (uint32_t i = 0; laps && i < options->laps; i++)
		batches_close(&laps[i]);
	free(laps);
	return status;
}
