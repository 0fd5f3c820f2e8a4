/* What single accesses take, of series of them. */
#pragma once

#include "fathom.h"

/* Fewer accesses have no 99th percentile. */
#define DISTRIBUTION_FEWEST 100

/* Adds the distribution of each curve that holds accesses, and drops these. A curve of fewer than
 * DISTRIBUTION_FEWEST has none, and a warning says so. Errors: FAILED. */
int distributions_find(struct fathom_result *result, struct fathom_error *error);
