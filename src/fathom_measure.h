/* Measuring beside a result that is there already. */
#pragma once

#include "fathom.h"

/* As fathom_measure; but where the plan has a sweep alone to find the levels, those of `known` are
 * taken and there is no sweep. NULL: as fathom_measure. */
int measure_beside(const struct fathom_plan *plan, struct fathom_machine *machine,
		   const struct fathom_observer *observer, const struct fathom_result *known,
		   struct fathom_result **result, struct fathom_error *error);
