/* The speed-up at each point that all of a set have. */
#pragma once

#include "model/compare/compare_match.h"

/* What answers sooner runs at the core's clock: no farther cache does. */
#define COMPARE_CORE_CYCLES 30

/* Bytes a second for what streams; else, in the units of the verdicts, cycles for what answers
 * within 30 of them where all know it, and ns; cycles alone where that is wanted or all is known.
 * Fills run->points; points without a value in one of the runs are left out. Errors: BAD_INPUT (no
 * point has a value in the same unit in all of them), FAILED (memory), INTERRUPTED. */
int compare_points(const struct compare_set *set, const struct compare_match *match,
		   struct fathom_compared_run *run, struct fathom_error *error);

/* Do all the runs know that quantity of the row? */
bool compare_row_known(const struct compare_match *match, size_t row,
		       enum fathom_quantity quantity);
