/* The memory of each NUMA node, as the CPUs of each see it. */
#pragma once

#include "fathom.h"

/* As fathom_measure, of a plan of FATHOM_NODES: on each of its CPUs, in the memory of each node. A
 * pair of nodes that cannot be measured is a warning, unless none can. */
int nodes_measure(const struct fathom_plan *plan, struct fathom_machine *machine,
		  const struct fathom_observer *observer, struct fathom_result **result,
		  struct fathom_error *error);

/* The same beside pairs of CPUs, where the plan of these wants it: adds it to what the result has,
 * of the plan's CPUs, in what time is left, unless CPUs were moved. Notes why it is left out.
 * Errors: FAILED. */
int nodes_measure_beside(const struct fathom_plan *pairs, const struct fathom_machine *machine,
			 const struct fathom_observer *observer, struct fathom_result *result,
			 struct fathom_error *error);
