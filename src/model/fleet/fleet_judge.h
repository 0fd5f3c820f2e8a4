/* A fleet judged: groups, what is usual in each, and the nodes that deviate. */
#pragma once

#include "fathom.h"

/* Of a fleet that has its nodes, sorted by host, and `false_alarms`. `reference`: whose nodes say
 * what is usual; NULL: the fleet's own. Errors: FAILED. */
int fleet_judge(struct fathom_fleet *fleet, const struct fathom_fleet *reference,
		struct fathom_error *error);
