/* What is usual in a group: of each number, and how numbers go together from node to node. */
#pragma once

#include "model/fleet/fleet_matrix.h"
#include "model/fleet/fleet_usual.h"

struct fleet_space {
	struct fleet_usual usual[FLEET_NUMBERS]; /* centre NAN: the number is not judged */
	double sigma[FLEET_NUMBERS];             /* of a node with the median error */
	struct fleet_matrix correlation;         /* shrunk towards none by the number of nodes */
};

/* How many undisturbed nodes of the reference have the hardware of the group. NULL: none. */
size_t fleet_space_count(const struct fathom_fleet *fleet, size_t group,
			 const struct fathom_fleet *reference);
/* Of the group's nodes that are neither disturbed nor outliers; where a reference has nodes of the
 * hardware these say what the centre is, and, if they are enough, the spread. -1: out of memory.
 */
int fleet_space_find(const struct fathom_fleet *fleet, size_t group,
		     const struct fathom_fleet *reference, struct fleet_space *space);
/* The logarithm of that number of a node, and its error. */
struct fleet_value fleet_space_value(const struct fathom_fleet_node *node, int number);
/* How far each number of a node lies from what is usual, in standard deviations; NAN: it is not
 * judged. */
void fleet_space_sigmas(const struct fleet_space *space, const struct fathom_fleet_node *node,
			double sigmas[FLEET_NUMBERS]);
