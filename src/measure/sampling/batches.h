/* Timed batches of one block: the clean ones, and those that were disturbed. */
#pragma once

#include "measure/sampling/sampler.h"

struct batch { /* of a hop */
	double ns, cycles, clock_hz;
	uint64_t hops; /* that were timed */
	int reason;    /* an enum fathom_rejection; -1: it is clean */
};

/* Start from {0}. */
struct batches {
	struct batch *items; /* in the order timed */
	unsigned count, clean_count;
	bool bimodal; /* hits and misses come in runs longer than a batch, so that batches are
		       * either hits or misses */
};

void batches_close(struct batches *batches);
/* Errors: FAILED (memory). */
int batches_add(struct batches *batches, const struct batch *batch, struct fathom_error *error);
/* Rejects clean batches that took over twice the median of all: a time slice was stolen, and
 * no counter showed it. Where one in ten is so they stay, since no disturbance is so
 * frequent: a cache keeps a part of the chain, so that hits and misses come in runs. `bimodal`:
 * that is known, and a single one will do. `whole`: batches have whole laps, which are all alike,
 * so that all go. Errors: FAILED (memory). */
int batches_reject_far(struct batches *batches, bool whole, bool bimodal,
		       struct fathom_error *error);
/* The block that they make, its warm_s left out; at least one batch must be there. Errors: FAILED
 * (memory). */
int batches_block(const struct batches *batches, struct sampler_block *block,
		  struct fathom_error *error);

/* Why what was timed between the two is to be rejected; -1: it is not. */
int batches_reason(const struct interference *before, const struct interference *after);
/* The clock now; a probe that was hit itself is made again. */
struct meter_clock batches_probe(struct meter *meter);
/* The same; where the clock seems to have moved since `before` twice, and the faster one counts:
 * what hits a probe makes it longer. */
struct meter_clock batches_probe_after(struct meter *meter, const struct meter_clock *before);
/* Did the clock move too far between two probes? Never where there is none. */
bool batches_clock_moved(const struct meter *meter, const struct meter_clock *before,
			 const struct meter_clock *after);
