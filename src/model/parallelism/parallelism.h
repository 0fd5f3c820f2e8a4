/* How many accesses overlap at a size, what that yields, and what keeps more from overlapping. */
#pragma once

#include "fathom.h"

/* Fills result->parallelism, in place of what is there, from each curve of FATHOM_PARALLELISM along
 * FATHOM_AXIS_LANES with two points or more; what else the result has, the levels and the curves of
 * FATHOM_READ at the same sizes, is taken to go with it. Errors: FAILED (memory). */
int parallelism_find(struct fathom_result *result, struct fathom_error *error);
