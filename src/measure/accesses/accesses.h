/* Series of single accesses: how long each took, and when it began. */
#pragma once

#include "measure/accesses/prober.h"

/* So many accesses, or all nodes, are walked where a chain's turn begins: more than most caches
 * have lines. */
#define ACCESSES_WARM 1048576

/* Measures a plan of FATHOM_DISTRIBUTION: appends a curve of accesses for each of its chains, and a
 * distribution of each that says how they were timed and no more. A result without curves: it was
 * stopped before. Errors: UNABLE (no counter, or one too coarse for all chains), FAILED. */
int accesses_run(const struct fathom_plan *plan, const struct fathom_machine *machine,
		 const struct fathom_observer *observer, struct fathom_result *result,
		 struct fathom_error *error);
