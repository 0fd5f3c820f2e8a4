/* The memory of each NUMA node, as the CPUs of each see it. */
#pragma once

#include "fathom.h"

/* As fathom_measure, of a plan of FATHOM_NODES: on each of its CPUs, in the memory of each node. A
 * pair of nodes that cannot be measured is a warning, unless none can. */
int nodes_measure(const struct fathom_plan *plan, struct fathom_machine *machine,
		  const struct fathom_observer *observer, struct fathom_result **result,
		  struct fathom_error *error);
