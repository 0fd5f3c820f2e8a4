/* Timed batches of one block: the clean ones, and those that were disturbed. */
#ifndef MEASURE_BATCHES_H
#define MEASURE_BATCHES_H

#include "measure/sampler.h"

struct batch { /* of a hop */
	double ns, cycles, clock_hz;
};

struct batches {
	struct batch *clean, *dirty;
	unsigned clean_count, dirty_count;
	uint64_t rejected[FATHOM_REJECTION_COUNT];
};

/* Room for `most`. Errors: FAILED (memory). */
int batches_open(struct batches *batches, size_t most, struct fathom_error *error);
void batches_close(struct batches *batches);
/* `reason`: an enum fathom_rejection; -1: it is clean. */
void batches_add(struct batches *batches, const struct batch *batch, int reason);
/* The block that they make, its hops and warm_s left out; at least one batch must be there.
 * Errors: FAILED (memory). */
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
