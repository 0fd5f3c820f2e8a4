/* A plan, measured: rounds over its specs in random order until the intervals are as narrow as
 * asked or the budget is spent. */
#pragma once

#include "measure/meter.h"

/* Adaptive sampling: asked, once all sizes have their blocks, at which sizes another point would
 * tell most. (The models answer that, and measure/ does not know them.) */
struct sweep_advisor {
	void *context;
	/* Fills at most `most` sizes; *count 0: no further size is needed. `so_far`: the curves
	 * alone, the main one first. Errors: FAILED (memory). */
	int (*next_sizes)(void *context, const struct fathom_result *so_far, uint64_t *sizes_bytes,
			  size_t most, size_t *count, struct fathom_error *error);
	/* How many times as long as asking the final fit of the whole result takes. */
	double fit_times;
};

/* Fills result->curves, in the plan's order, the clock record, warnings, elapsed time and
 * `interrupted`. `advisor` may be NULL; else as much of the budget is left as fitting the
 * result will take. */
int sweep_run(const struct fathom_plan *plan, struct meter *meter,
	      const struct fathom_observer *observer, const struct sweep_advisor *advisor,
	      struct fathom_result *result, struct fathom_error *error);
