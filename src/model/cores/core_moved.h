/* Whether CPUs were elsewhere in a part of the run, by what its parts took, and what is said of it.
 */
#pragma once

#include "model/cores/core_halves.h"

/* Do so many pairs differ from part to part that no class and no latency is to be told? */
bool core_moved(const struct core_moves *moves);
/* Warnings "cpus-moved", "pairs-moved" and "pairs-drifted" of the curve whose moves these are.
 * Returns 0, or -1: out of memory. */
int core_moved_tell(struct fathom_result *result, const struct fathom_curve *curve,
		    const struct core_moves *moves);
