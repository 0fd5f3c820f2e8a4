/* The nodes that deviate, as a list. */
#pragma once

#include "model/fleet/fleet_space.h"

/* Has the node another value than its group of a setting that tells? */
bool fleet_differs(const struct fathom_fleet *fleet, const struct fathom_fleet_node *node);
/* Adds that node to fleet->outliers, with its cause. `probability`: adjusted for the fleet; NAN: it
 * is one for a setting alone. -1: out of memory. */
int fleet_outlier_add(struct fathom_fleet *fleet, size_t node, const struct fleet_space *space,
		      double probability);
/* The surest first, of a setting alone last. */
void fleet_outliers_sort(struct fathom_fleet *fleet);
