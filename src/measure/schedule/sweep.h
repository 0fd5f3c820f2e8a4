/* A plan, measured: rounds over its specs in random order until the intervals are as narrow as
 * asked or the budget is spent. */
#ifndef MEASURE_SCHEDULE_SWEEP_H
#define MEASURE_SCHEDULE_SWEEP_H

#include "measure/meter.h"

/* Who is asked, once all sizes have their blocks, where another size would tell most. (What the
 * sweep measures is read by the models, which it does not know.) */
struct sweep_guide {
	void *context;
	/* Fills at most `most` sizes and tells how many: 0: no size is wanted. `so_far`: the curves
	 * alone, the main one first. Errors: FAILED (memory). */
	int (*wanted)(void *context, const struct fathom_result *so_far, uint64_t *sizes_bytes,
		      size_t most, size_t *count, struct fathom_error *error);
	/* Reading the whole result in the end takes so many times as long as asking. */
	double reading_times;
};

/* Fills result->curves, in the plan's order, the clock record, warnings, elapsed time and
 * `interrupted`. `guide` may be NULL; else as much of the budget is left as reading the result is
 * going to take. */
int sweep_run(const struct fathom_plan *plan, struct meter *meter,
	      const struct fathom_observer *observer, const struct sweep_guide *guide,
	      struct fathom_result *result, struct fathom_error *error);

#endif
