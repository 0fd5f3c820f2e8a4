/* Requests to plans. (fathom_plan_make is public; a plan that came from outside is checked here.)
 */
#ifndef MEASURE_PLAN_H
#define MEASURE_PLAN_H

#include "fathom.h"

/* Does it make sense, whatever the machine? Errors: USAGE, naming the spec or field. */
int plan_check_itself(const struct fathom_plan *plan, struct fathom_error *error);
/* Can it be measured as it stands, on that machine? Errors: USAGE, UNABLE, naming the spec. */
int plan_check(const struct fathom_plan *plan, const struct fathom_machine *machine,
	       struct fathom_error *error);
/* Specs that lead past 16 x the last cache are dropped by the sweep, not here. */
uint64_t plan_largest_bytes(const struct fathom_plan *plan);

#endif
