/* The speed-up at each point that all of a set have. */
#ifndef MODEL_COMPARE_COMPARE_POINTS_H
#define MODEL_COMPARE_COMPARE_POINTS_H

#include "model/compare/compare_match.h"

/* Bytes a second for what streams, else ns, or cycles where that is wanted or is all that is known.
 * Fills run->points; points without a value in one of the runs are left out. Errors: BAD_INPUT (no
 * point has a value in the same unit in all of them), FAILED (memory), INTERRUPTED. */
int compare_points(const struct compare_set *set, const struct compare_match *match,
		   struct fathom_compared_run *run, struct fathom_error *error);

/* Do all the runs know that quantity of the row? */
bool compare_row_known(const struct compare_match *match, size_t row,
		       enum fathom_quantity quantity);

#endif
