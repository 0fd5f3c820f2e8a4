/* Between CPUs: what a plan of FATHOM_CORE_TO_CORE measures. */
#pragma once

#include "fathom.h"

/* Fills a result that has its machine. Errors: UNABLE (threads cannot be bound, or fewer than two
 * CPUs are left), FAILED. */
int cores_measure(const struct fathom_plan *plan, const struct fathom_machine *machine,
		  const struct fathom_observer *observer, struct fathom_result *result,
		  struct fathom_error *error);
