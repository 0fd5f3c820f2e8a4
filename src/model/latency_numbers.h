/* The latency numbers that programmers go by, as a survey found them. */
#pragma once

#include "fathom.h"

/* Are there curves of several experiments, each of which stands for itself? (Those of
 * FATHOM_PARALLELISM bring a sweep of their own.) */
bool latency_numbers_is_survey(const struct fathom_result *result);

/* The level that the number of that name is the latency of; NULL: it is of no level, or there is
 * none.
 */
const struct fathom_level *latency_numbers_level(const struct fathom_result *result,
						 const char *name);

/* Of a branch that goes another way than was predicted: of random ones every second does. NAN: not
 * measured, or no interval. */
struct fathom_cost latency_numbers_mispredict(const struct fathom_result *result);
/* Of taking a lock that is free and giving it back; NAN as above. */
struct fathom_cost latency_numbers_lock(const struct fathom_result *result);

/* Fills result->numbers, in place of those that it has, from its levels, curves, parallelism and
 * decompositions; none where it is no survey. Errors: FAILED (memory). */
int latency_numbers_find(struct fathom_result *result, struct fathom_error *error);
