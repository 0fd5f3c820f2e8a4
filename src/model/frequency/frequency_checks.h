/* Are the clocks of several runs to be believed, and far enough apart? */
#pragma once

#include "model/frequency/clock_grid.h"

/* Warns of what was recovered, and of clocks that are hardly apart. `clocks` has one a curve of the
 * result. Errors: FAILED. */
int frequency_check_clocks(struct fathom_result *result, const struct fathom_clock *clocks,
			   struct fathom_error *error);
/* Warns where a cache inside the core is not as much faster as the clock is: `expected` times.
 * Errors: the first of them is slower at the higher clock (USAGE where the user said what the
 * clocks are: `given`; else BAD_INPUT), FAILED. */
int frequency_check_level(struct fathom_result *result, const struct fathom_clock_law *law,
			  const struct clock_range *range, double expected, bool given,
			  struct fathom_error *error);
