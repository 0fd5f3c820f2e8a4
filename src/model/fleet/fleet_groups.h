/* Which nodes are to be alike. */
#pragma once

#include "fathom.h"

#define FLEET_LEAST_NODES 8 /* that say what is usual */

/* What the firmware keeps for itself apart: are both texts the same amount of memory? */
bool fleet_same_memory(const char *a, const char *b);
/* Puts the nodes, which are sorted by host, into fleet->groups, the largest first: by their
 * hardware, then by each setting that divides it into large parts. What a few nodes alone have is
 * no group of its own, but tells why these deviate. Errors: FAILED. */
int fleet_groups_make(struct fathom_fleet *fleet, struct fathom_error *error);
