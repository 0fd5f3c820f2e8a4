/* Timed batches of one block: the clean ones, and those that were disturbed. */
#ifndef MEASURE_BATCHES_H
#define MEASURE_BATCHES_H

#include "measure/sampler.h"

struct batch { /* of a hop */
	double ns, cycles, clock_hz;
	uint64_t hops; /* that were timed */
	int reason;    /* an enum fathom_rejection; -1: it is clean */
};

/* Start from {0}. */
struct batches {
	struct batch *clean, *dirty;
	unsigned clean_count, dirty_count;
	uint64_t rejected[FATHOM_REJECTION_COUNT];
	bool mixed; /* hits and misses come in runs longer than a batch */
};

void batches_close(struct batches *batches);
/* Errors: FAILED (memory). */
int batches_add(struct batches *batches, const struct batch *batch, struct fathom_error *error);
/* Where most batches are rejected because their two times do not fit together, these are
 * clean as well: no disturbance is so frequent, but a cache that resists thrashing keeps a run of
 * the chain. For batches of less than a lap. `runs`: that is known, and a single one will do.
 * Errors: FAILED (memory). */
int batches_mix(struct batches *batches, bool runs, struct fathom_error *error);
/* The block that they make, its warm_s left out; at least one batch must be there. Its values are
 * medians over the batches, means if they are mixed. Errors: FAILED (memory). */
int batches_block(const struct batches *batches, struct sampler_block *block,
		  struct fathom_error *error);

/* Why what was timed between the two is to be rejected; -1: it is not. */
int batches_reason(const struct disturbance *before, const struct disturbance *after);
/* The clock now; a probe that was hit itself is made again. */
struct meter_clock batches_probe(struct meter *meter);
/* Did the clock move too far between two probes? Never where there is none. */
bool batches_clock_moved(const struct meter *meter, const struct meter_clock *before,
			 const struct meter_clock *after);

#endif
