/* A plan whose points are all measured, each with as many accesses: rounds over them in random
 * order. */
#pragma once

#include "measure/meter.h"

/* Six rounds, and more while plan->steps are not done, as far as the budget allows. Fills the
 * result as sweep_run does. */
int rounds_run(const struct fathom_plan *plan, struct meter *meter,
	       const struct fathom_observer *observer, struct fathom_result *result,
	       struct fathom_error *error);
