/* Curves of latency against traffic: which rates are visited when, and what their visits come to.
 */
#pragma once

#include "measure/loads/loader.h"

/* The most rates of a curve that are chosen by what the others show. */
#define LOADS_MOST_CHOSEN 6

/* Which rates are worth measuring besides. */
struct loads_advisor {
	void *context;
	/* Of a curve so far, medians: without traffic, with all that the threads can make, then the
	 * others; `count` is 5 or more. Fills rates, in bytes a second and no greater than the
	 * greatest bandwidth; returns how many, `most` at most; -1: out of memory. */
	int (*choose)(void *context, const double *bandwidth, const double *latency_ns,
		      size_t count, double *rates, size_t most);
};

/* Where a plan is measured. */
struct loads_place {
	const struct fathom_machine *machine;
	const int *cpus; /* of the plan: the chain's first */
	uint32_t count;
	uint64_t part_bytes; /* that each makes its traffic in */
};

/* Measures a plan of FATHOM_LOADED: appends its curves, and says what is missing of them. A result
 * without curves: it was stopped before. Errors: UNABLE (a CPU that may not be used), FAILED. */
int loads_run(const struct fathom_plan *plan, const struct loads_place *place,
	      const struct fathom_observer *observer, const struct loads_advisor *advisor,
	      struct fathom_result *result, struct fathom_error *error);
