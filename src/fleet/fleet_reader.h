/* What was read of a fleet so far. */
#pragma once

#include "fathom.h"

struct fathom_fleet_reader {
	uint32_t jobs;
	double false_alarms;
	const struct fathom_observer *observer;
	/* Nodes as they came, and what is damaged or missing. */
	struct fathom_fleet fleet;
	/* The missing and the damaged of fleets that were read, and no nodes. */
	struct fathom_fleet earlier;
	/* No nodes: none was given. Sorted by host. */
	struct fathom_fleet since, reference;
};

/* Sorts the nodes by host, and of each keeps the one that was measured last; the others are in
 * fleet->superseded. Errors: FAILED. */
int fleet_sort(struct fathom_fleet *fleet, struct fathom_error *error);
