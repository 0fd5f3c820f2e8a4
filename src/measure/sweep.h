/* A plan, measured: rounds over its specs in random order until the intervals are as narrow as
 * asked or the budget is spent. */
#ifndef MEASURE_SWEEP_H
#define MEASURE_SWEEP_H

#include "measure/meter.h"

/* Fills result->curves, the clock record, warnings, elapsed time and `interrupted`. */
int sweep_run(const struct fathom_plan *plan, struct meter *meter,
	      const struct fathom_observer *observer, struct fathom_result *result,
	      struct fathom_error *error);

#endif
