/* Does a node deviate? Each number alone, and numbers together along what each fault does. */
#pragma once

#include "model/fleet/fleet_space.h"

#define FLEET_LEAST_DEVIATION 0.01 /* a share: less is of no interest */

/* Probabilities of so much or more by chance, of each node, as if it were the only one: adjusted
 * for the number of tests (Bonferroni). NAN: it was not judged. `probabilities` has a place for
 * each node of the fleet; those of other groups are left alone. -1: out of memory. */
int fleet_tests_run(const struct fathom_fleet *fleet, size_t group, const struct fleet_space *space,
		    double *probabilities);
