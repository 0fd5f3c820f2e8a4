/* How nodes differ from what they were: against themselves, so that what differs between nodes
 * anyway does not hide it. */
#pragma once

#include "fathom.h"

/* Fills fleet->changes, vanished and appeared. The ratios of each number, now over before, are
 * judged as the numbers of a fleet are: what a whole group changes by is usual. Of a node with
 * other hardware that alone is a change; where too few nodes are in both, a warning "few-common"
 * says so. The nodes of both are sorted by host. Errors: FAILED. */
int fleet_changes_find(struct fathom_fleet *fleet, const struct fathom_fleet *before,
		       struct fathom_error *error);
