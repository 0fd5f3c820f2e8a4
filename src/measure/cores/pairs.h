/* One pair of CPUs: how long a line takes from one to the other. */
#pragma once

#include "measure/crew.h"

#define PAIRS_VISIT_LINES 4 /* each visit has new ones; a block is one line */
#define PAIRS_LEAST_LINES 8 /* of a pair: the slices that lines lie in differ */

/* The pair's CPUs hand new lines to each other, and each line is a block more. `home_cpu`: by whom
 * they are touched first. Where all batches of a line are disturbed it is left out. Errors: UNABLE
 * (a CPU may not be used any more: *lost), FAILED. */
int pairs_visit(struct crew *crew, struct fathom_pair *pair, int home_cpu, uint64_t key, int *lost,
		struct fathom_error *error);
/* Fills what follows from the blocks. Errors: FAILED (memory). */
int pairs_conclude(struct fathom_pair *pair, struct fathom_error *error);
/* The same exchange by that CPU alone, in ns one way: what the loop takes. NAN: disturbed. Errors:
 * as pairs_visit. */
int pairs_loop_ns(struct crew *crew, int cpu, enum fathom_handover how, uint64_t key, double *ns,
		  int *lost, struct fathom_error *error);
