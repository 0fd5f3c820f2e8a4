/* What a sweep found, as a curve with its warnings. */
#ifndef MEASURE_SWEEP_REPORT_H
#define MEASURE_SWEEP_REPORT_H

#include "measure/tally.h"

struct sweep_outcome {
	struct tally *tallies;
	uint64_t reach_bytes; /* where the last cache seems to end; 0: there is no cliff */
};

/* Appends the curve to the result and fills its clock record, time and warnings. The tallies are
 * emptied. Errors: FAILED (memory). */
int sweep_report(const struct fathom_plan *plan, struct meter *meter, struct sweep_outcome *outcome,
		 struct fathom_result *result, struct fathom_error *error);

#endif
