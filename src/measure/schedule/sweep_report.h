/* What a sweep found, as curves with their warnings. */
#pragma once

#include "measure/sampling/clock_record.h"
#include "measure/schedule/schedule.h"

/* Appends the curves to the result and fills its clock record, time and warnings. The accumulators
 * are emptied. Errors: FAILED (memory). */
int sweep_report(const struct fathom_plan *plan, struct meter *meter, struct schedule *schedule,
		 struct clock_record *clock, struct fathom_result *result,
		 struct fathom_error *error);
/* The curves as they are so far, and nothing else: what the points have of values remains the
 * accumulators'. Errors: FAILED (memory). */
int sweep_report_so_far(const struct fathom_plan *plan, const struct meter *meter,
			const struct schedule *schedule, struct fathom_result *result,
			struct fathom_error *error);
/* Gives back what sweep_report_so_far made. */
void sweep_report_drop(struct fathom_result *result);
