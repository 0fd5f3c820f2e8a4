/* The exact cost of a hop: the addresses of a cycle sent through the simulated hierarchy, without a
 * kernel or a chain in memory, and with as few hops as the steady state needs. */
#ifndef BENCH_ACCURACY_TRACE_H
#define BENCH_ACCURACY_TRACE_H

#include "accuracy_corpus.h"
#include "simulate/simulated_memory.h"

struct tracer {
	const struct accuracy_machine *machine;
	struct simulated_memory memory;
	struct rng rng;  /* of the frames and the order; the caller's to set */
	bool exact;      /* no caps on the hops */
	double moment;   /* of the sweep, 0 to 1; the caller's to set */
	double help;     /* share of the lines that are brought to the second cache in time */
	uint32_t *order; /* the nodes that are visited, in turn; of a whole lap or of a part */
	uint64_t order_capacity;
};

struct tracer_cost {
	struct simulated_cost all, translation; /* a hop */
};

/* Errors: FAILED. */
int tracer_open(struct tracer *tracer, const struct accuracy_machine *machine, bool exact,
		struct fathom_error *error);
void tracer_close(struct tracer *tracer);

/* One block: new frames, a new order, warm-up, hops that count. `windows`: in passes, every eighth
 * line of each window. Errors: FAILED, UNABLE (no such memory). */
int tracer_block(struct tracer *tracer, uint64_t lines, bool windows, struct tracer_cost *cost,
		 struct fathom_error *error);

void tracer_shuffle(struct rng *rng, uint32_t *values, uint64_t count);

#endif
