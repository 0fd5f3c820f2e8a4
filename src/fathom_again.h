/* What contradicts itself is measured once more before it is withheld. */
#pragma once

#include "measure/meter.h"

/* Withholds what is doubtful in the result of the plan, measures those points again in a twentieth
 * of the budget, takes them over and finds anew what follows from them. A number that is doubtful
 * still stays withheld. Errors: FAILED. */
int again_measure(const struct fathom_plan *plan, struct meter *meter,
		  const struct fathom_observer *observer, struct fathom_result *result,
		  struct fathom_error *error);
