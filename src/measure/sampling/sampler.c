#include "measure/sampling/sampler.h"

#include <math.h>

#include "base/error.h"
#include "measure/sampling/batches.h"
#include "measure/sampling/runs.h"

#define FEWEST_BATCHES   24
#define MOST_BATCHES     256
#define GROUP_NS         200e3 /* of batches between two looks at the clock and at disturbances */
#define STEADY_TOLERANCE 0.02  /* two stretches of warm hops in a row */
#define WARM_TOLERANCE   0.05  /* laps that fill the caches */
#define MOST_WARM_LAPS   8
#define SHORT_LAP_NS     2e5 /* of which one that was disturbed must not be the last */
#define TRIES_PER_BATCH  3
/* To wait for pauses of a program on the core's other thread: longer for the first clean batch,
 * without which the block is lost. Seen: of the time that such programs ran a quarter to two fifths
 * was in turns of 10 ms and more, 3 to 5 % in turns of 100 ms. */
#define PATIENCE_S       5e-3
#define FIRST_PATIENCE_S 2e-2

struct sampling {
	struct meter *meter;
	const struct sampler_options *options;
	struct meter_clock clock; /* the last probe: the one before the next batch */
	uint64_t hops;            /* of a batch */
	unsigned wanted, group;   /* batches of a block, and of a group */
	/* As the core's other thread was last seen; and what is to be walked until lines that it
	 * took are back. */
	bool shared, ever_shared;
	uint64_t lost_hops;
	double times_ns[MOST_BATCHES]; /* of a group */
	bool beside[MOST_BATCHES];     /* a program on the other thread may have lengthened it */
	struct batches batches;
};

int sampler_time_hops(struct meter *meter, uint64_t hops, double *ns, struct fathom_error *error)
{
	bool arrived;
	meter->ops->run(meter, hops, ns, &arrived);
	if (!arrived)
		return error_set(error, FATHOM_FAILED,
				 "something overwrote the memory being measured",
				 "a timed run did not end at the expected node");
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

/* Walks alone as far, and for as long, as asked, then on in stretches until two in a row agree, for
 * as long as is allowed. */
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
		if (walked >= options->alone_hops && spent_ns >= options->settle_ns &&
		    fabs(ns / before_ns - 1) < STEADY_TOLERANCE)
			break;
		before_ns = ns;
	} while (spent_ns < fmax(options->warm_ns, options->settle_ns));
	return 0;
}

/* The meter fills the caches faster than a chase would. That is more than a saving of time: a last
 * cache that is shared evicts what is not used for long, so a chase that starts slow can stay slow
 * for many laps over lines that it would keep had it been fast (seen: 8 MiB at 110 or at 36 ns).
 * Whole laps are repeated until one is no faster than those before, since what one brings in may
 * not be kept; until two are, where they are so short that a disturbance alone makes one slower. */
static int fill_caches(const struct sampling *sampling)
{
	const struct sampler_options *options = sampling->options;
	struct meter *meter = sampling->meter;
	double least_ns = meter->ops->warm(meter, options->warm_hops);
	int slower = 0;
	bool whole = options->warm_hops >= options->lap_hops && !options->warm_once;
	for (int lap = 1; whole && lap < MOST_WARM_LAPS; lap++) {
		if (stopped(options))
			return 1;
		double ns = meter->ops->warm(meter, options->warm_hops);
		slower += ns > (1 - WARM_TOLERANCE) * least_ns;
		if (slower > (least_ns < SHORT_LAP_NS))
			break;
		least_ns = fmin(least_ns, ns);
	}
	return 0;
}

static int warm_up(struct sampling *sampling, double *expected_ns, struct fathom_error *error)
{
	struct meter *meter = sampling->meter;
	bool cold = sampling->options->warm_hops > 0;
	if (cold && fill_caches(sampling))
		return 1;
	uint64_t hops;
	if (isnan(*expected_ns) &&
	    runs_find_hops(meter, meter->shortest_run_ns / 4, &hops, expected_ns, error))
		return -1;
	return cold ? walk_until_steady(sampling, meter->shortest_run_ns / *expected_ns, error) : 0;
}

/* ---- batches ---- */

/* Whole laps where a batch has one, since in these there is as much of everything; equal parts of a
 * lap where the block has one; else as short as it may be. Sets N, and how many batches a block
 * has. */
static void plan_batches(struct sampling *sampling, double expected_ns)
{
	const struct sampler_options *options = sampling->options;
	double hops = fmax(1, sampling->meter->shortest_run_ns / expected_ns);
	double wanted = fmax((double)options->hops, FEWEST_BATCHES * hops);
	double lap = (double)options->lap_hops, count;
	hops = fmax(hops, wanted / MOST_BATCHES);
	if (lap > 0 && lap <= hops)
		hops = round(hops / lap) * lap;
	else if (lap > 0 && lap <= wanted)
		hops = lap / ceil(lap / hops);
	sampling->hops = whole_units(sampling->meter, hops);
	count = ceil(wanted / (double)sampling->hops);
	sampling->wanted = (unsigned)fmin(fmax(count, 1), MOST_BATCHES);
	count = GROUP_NS / ((double)sampling->hops * expected_ns);
	sampling->group = (unsigned)fmin(fmax(count, 1), sampling->wanted);
}

static bool has_whole_laps(const struct sampling *sampling)
{
	return sampling->options->lap_hops > 0 && sampling->options->lap_hops <= sampling->hops;
}

/* Where a lap takes longer than a block, what was taken of it cannot be waited for, nor is it much:
 * the memory is larger than what the threads of a core share. */
static bool is_watched(const struct sampling *sampling)
{
	return sampling->meter->ops->is_shared &&
	       sampling->options->lap_hops <= sampling->wanted * sampling->hops;
}

static void look_beside(struct sampling *sampling)
{
	struct meter *meter = sampling->meter;
	sampling->shared = is_watched(sampling) && meter->ops->is_shared(meter, sampling->clock.hz);
	if (!sampling->shared)
		return;
	sampling->ever_shared = true;
	sampling->lost_hops = sampling->options->lap_hops;
}

static void settle(struct sampling *sampling, uint64_t hops)
{
	sampling->lost_hops -= hops < sampling->lost_hops ? hops : sampling->lost_hops;
}

/* Walks hops between two looks; *beside: not all of them were undisturbed. */
static int walk_between(struct sampling *sampling, uint64_t hops, double *ns, bool *beside,
			struct fathom_error *error)
{
	*beside = sampling->shared || sampling->lost_hops;
	if (sampler_time_counted(sampling->meter, hops, ns, error))
		return -1;
	settle(sampling, hops);
	look_beside(sampling);
	*beside = *beside || sampling->shared;
	return 0;
}

/* Lines that the system calls since the last group evicted come back before the clock starts. */
static int walk_lap(struct sampling *sampling, struct fathom_error *error)
{
	double ns;
	uint64_t lap = sampling->options->lap_hops;
	if (!has_whole_laps(sampling))
		return 0;
	uint64_t hops = whole_units(sampling->meter, (double)lap);
	settle(sampling, hops);
	return sampler_time_hops(sampling->meter, hops, &ns, error);
}

static int time_batches(struct sampling *sampling, struct fathom_error *error)
{
	if (walk_lap(sampling, error))
		return -1;
	look_beside(sampling);
	for (unsigned i = 0; i < sampling->group; i++)
		if (walk_between(sampling, sampling->hops, &sampling->times_ns[i],
				 &sampling->beside[i], error))
			return -1;
	return 0;
}

static int take_group(struct sampling *sampling, struct fathom_error *error)
{
	struct meter *meter = sampling->meter;
	struct interference before, after;
	struct meter_clock clock = sampling->clock;
	meter->ops->interference(meter, &before);
	if (time_batches(sampling, error))
		return -1;
	meter->ops->interference(meter, &after);
	sampling->clock = batches_probe_after(meter, &clock);
	int reason = batches_reason(&before, &after);
	if (reason < 0 && batches_clock_moved(meter, &clock, &sampling->clock))
		reason = FATHOM_REJECTED_CLOCK;
	struct batch batch = {.clock_hz = (clock.hz + sampling->clock.hz) / 2,
			      .hops = sampling->hops};
	for (unsigned i = 0; i < sampling->group; i++) {
		batch.reason = sampling->beside[i] ? FATHOM_REJECTED_SIBLING : reason;
		batch.ns = (sampling->times_ns[i] - meter->fixed_cost_ns) / (double)sampling->hops;
		/* A clock that moved, or a probe that was hit, tells no cycles. */
		batch.cycles =
			reason == FATHOM_REJECTED_CLOCK ? NAN : batch.ns * batch.clock_hz * 1e-9;
		if (batches_add(&sampling->batches, &batch, error))
			return -1;
	}
	return 0;
}

/* What is rejected is repeated; beside a program on the other thread as far as patience goes. */
static bool goes_on(const struct sampling *sampling, double start_s)
{
	const struct batches *batches = &sampling->batches;
	struct meter *meter = sampling->meter;
	double patience_s = fmin(batches->clean_count ? PATIENCE_S : FIRST_PATIENCE_S,
				 sampling->options->patience_s);
	if (batches->clean_count >= sampling->wanted)
		return false;
	if (sampling->ever_shared && meter->ops->elapsed_s(meter) - start_s < patience_s)
		return true;
	return batches->count < (sampling->shared ? 1 : TRIES_PER_BATCH) * sampling->wanted;
}

static int take_groups(struct sampling *sampling, struct fathom_error *error)
{
	const struct sampler_options *options = sampling->options;
	struct batches *batches = &sampling->batches;
	sampling->clock = batches_probe(sampling->meter);
	double start_s = sampling->meter->ops->elapsed_s(sampling->meter);
	while (goes_on(sampling, start_s)) {
		if (stopped(options))
			return 1;
		if (take_group(sampling, error))
			return -1;
	}
	return batches_reject_far(batches, has_whole_laps(sampling), options->bimodal, error);
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
	plan_batches(&sampling, expected_ns);
	status = take_groups(&sampling, error);
	if (status == 0)
		status = batches_block(&sampling.batches, block, error);
	if (status)
		goto out;
	block->warm_s = warm_s;
	block->watched = is_watched(&sampling) ? block->batches : 0;
	if (!options->alike && !has_whole_laps(&sampling))
		block->mode_width = INFINITY;
out:
	batches_close(&sampling.batches);
	return status;
}
