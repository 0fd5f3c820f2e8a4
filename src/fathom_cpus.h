/* One plan on several CPUs, or with their siblings in several states. */
#pragma once

#include "fathom.h"

/* As fathom_measure, on each CPU of the plan and in each state, in turns, so that what drifts is a
 * difference between none of them. One that cannot be measured is a warning, unless none can. */
int cpus_measure(const struct fathom_plan *plan, struct fathom_machine *machine,
		 const struct fathom_observer *observer, struct fathom_result **result,
		 struct fathom_error *error);
