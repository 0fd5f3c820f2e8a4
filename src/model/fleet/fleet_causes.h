/* Why a node deviates: how likely each known fault makes it. */
#pragma once

#include "model/fleet/fleet_space.h"

/* Fills the outlier's cause, the likeliest others, and the command. Bayes' rule over the rows of
 * fleet_rules.h and an unknown cause, each as likely beforehand: the numbers of the node as normal
 * deviates about what is usual, moved by a fault of some size, over all sizes that it may have; its
 * settings by how often each fault goes with another value. -1: out of memory. */
int fleet_causes_find(const struct fathom_fleet *fleet, const struct fleet_space *space,
		      struct fathom_fleet_outlier *outlier);
