/* One plan on several CPUs, or with their siblings in several states. */
#pragma once

#include "fathom.h"

/* As fathom_measure, on one CPU of the plan, and in one state, after the other. One that cannot be
 * measured, after the first, is a warning. */
int cpus_measure(const struct fathom_plan *plan, struct fathom_machine *machine,
		 const struct fathom_observer *observer, struct fathom_result **result,
		 struct fathom_error *error);
