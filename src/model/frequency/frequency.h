/* What follows the core's clock and what does not, from curves at several clocks. */
#pragma once

#include "fathom.h"

/* Of all curves of the result, which are of one machine and order; its levels are of the first.
 * Fills clocks, clock_laws and warnings. `given_hz` as of fathom_frequency; one a curve. Errors:
 * BAD_INPUT as fathom_frequency, FAILED. */
int frequency_find(struct fathom_result *result, const double *given_hz,
		   struct fathom_error *error);
