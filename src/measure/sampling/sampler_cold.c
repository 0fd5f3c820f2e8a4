#include "measure/sampling/sampler_cold.h"

#include <math.h>
#include <stdlib.h>

#include "base/error.h"
#include "measure/sampling/batches.h"

#define FEWEST_RUNS   3
#define MOST_RUNS     64  /* short laps scatter: a clock reading is 2 % of a lap of 16 lines */
#define LONG_LAP_NS   2e7 /* one is enough */
#define TRIES_PER_RUN 3
#define ENOUGH_CLEAN  0.7 /* of the hops */

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

/* *ns is what it took. */
static int time_part(struct meter *meter, uint64_t hops, struct batches *batches, double *ns,
		     struct fathom_error *error)
{
	struct interference before, after;
	struct meter_clock clock = batches_probe(meter);
	meter->ops->interference(meter, &before);
	if (sampler_time_counted(meter, hops, ns, error))
		return -1;
	meter->ops->interference(meter, &after);
	struct meter_clock clock_after = batches_probe(meter);
	double hz = (clock.hz + clock_after.hz) / 2;
	double hop_ns = (*ns - meter->fixed_cost_ns) / (double)hops;
	struct batch batch = {.ns = hop_ns,
			      .cycles = hop_ns * hz * 1e-9,
			      .clock_hz = hz,
			      .hops = hops,
			      .reason = batches_reason(&before, &after)};
	if (batch.reason < 0 && batches_clock_moved(meter, &clock, &clock_after))
		batch.reason = FATHOM_REJECTED_CLOCK;
	return batches_add(batches, &batch, error);
}

static int time_lap(struct meter *meter, const struct sampler_cold_options *options,
		    struct batches *batches, double *ns, struct fathom_error *error)
{
	*ns = 0;
	for (uint64_t done = 0, part; done < options->lap_hops; done += part) {
		double part_ns;
		part = options->lap_hops - done;
		if (part > options->part_hops)
			part = options->part_hops;
		if (options->stop && options->stop(options->stop_context))
			return 1;
		if (time_part(meter, part, batches, &part_ns, error))
			return -1;
		*ns += part_ns;
	}
	return 0;
}

/* The fewest clean hops that a lap has. */
static uint64_t least_clean(const struct batches *laps, uint32_t count)
{
	uint64_t least = UINT64_MAX;
	for (uint32_t i = 0; i < count; i++) {
		uint64_t hops = 0;
		for (unsigned k = 0; k < laps[i].count; k++)
			hops += laps[i].items[k].reason < 0 ? laps[i].items[k].hops : 0;
		if (hops < least)
			least = hops;
	}
	return least;
}

static int take_runs(struct meter *meter, const struct sampler_cold_options *options,
		     struct batches *laps, double *chill_s, struct fathom_error *error)
{
	unsigned wanted = MOST_RUNS;
	for (unsigned tries = 0; tries < TRIES_PER_RUN * wanted; tries++) {
		double enough = ENOUGH_CLEAN * (double)wanted * (double)options->lap_hops;
		if (tries >= wanted && (double)least_clean(laps, options->laps) >= enough)
			break;
		double start_s = meter->ops->elapsed_s(meter);
		int status = meter->ops->chill(meter, error);
		*chill_s = fmax(*chill_s, meter->ops->elapsed_s(meter) - start_s);
		double ns = 0;
		for (uint32_t i = 0; i < options->laps && status == 0; i++)
			status = time_lap(meter, options, &laps[i], &ns, error);
		if (status)
			return status;
		if (tries == 0)
			wanted = wanted_runs(meter, options, ns);
	}
	return 0;
}

static int make_blocks(const struct batches *laps, const struct sampler_cold_options *options,
		       double chill_s, struct sampler_block *blocks, struct fathom_error *error)
{
	for (uint32_t i = 0; i < options->laps; i++) {
		if (batches_block(&laps[i], &blocks[i], error)) {
			while (i--)
				sampler_block_free(&blocks[i]);
			return -1;
		}
		blocks[i].mode_width = INFINITY;
		blocks[i].warm_s = chill_s;
	}
	return 0;
}

int sampler_run_cold(struct meter *meter, const struct sampler_cold_options *options,
		     struct sampler_block *blocks, struct fathom_error *error)
{
	double chill_s = 0;
	struct batches *laps = calloc(options->laps, sizeof(*laps));
	int status = laps ? 0 : error_no_memory(error);
	if (status == 0)
		status = take_runs(meter, options, laps, &chill_s, error);
	if (status == 0)
		status = make_blocks(laps, options, chill_s, blocks, error);
	for (uint32_t i = 0; laps && i < options->laps; i++)
		batches_close(&laps[i]);
	free(laps);
	return status;
}
