/* Measuring beside a result that is there already; the levels of what was measured. */
#pragma once

#include "fathom.h"

/* As fathom_measure; but where the plan has a sweep alone to find the levels, those of `known` are
 * taken and there is no sweep. NULL: as fathom_measure. */
int measure_beside(const struct fathom_plan *plan, struct fathom_machine *machine,
		   const struct fathom_observer *observer, const struct fathom_result *known,
		   struct fathom_result **result, struct fathom_error *error);

/* fathom_fit of what was measured. Half a second after the observer says stop the search ends: the
 * result is then interrupted, has no levels, and a warning says so. Errors: FAILED (memory). */
int measure_fit(struct fathom_result *result, const struct fathom_observer *observer,
		struct fathom_error *error);
