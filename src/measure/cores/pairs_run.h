/* Many pairs of CPUs, visited in random order. */
#pragma once

#include "base/rng.h"
#include "measure/cores/pairs.h"

struct pairs_run {
	struct crew *crew;
	const struct fathom_observer *observer; /* may be NULL */
	double budget_s;                        /* on the crew's time, from its opening on */
	double begun, share;                    /* of the budget, for the observer */
	struct rng rng;
	int *lost_cpus; /* taken away while it ran, in the order in which that was seen */
	size_t lost_count;
	bool stopped; /* by the observer */
	bool late;    /* the budget was spent before all visits were made */
};

bool pairs_is_lost(const struct pairs_run *run, int cpu);
/* Which CPU touches a line first that is at home with neither of the two; -1: there is none. */
typedef int pairs_other_cpu(void *context, const struct fathom_pair *pair);
/* One visit to each of these pairs, which are places in the curve, whose CPUs are still there. Ends
 * early where it is to stop, or the budget is spent. Errors: FAILED; UNABLE, if not one thread can
 * be bound. */
int pairs_run_round(struct pairs_run *run, struct fathom_curve *curve, const size_t *which,
		    size_t count, pairs_other_cpu *other, void *context,
		    struct fathom_error *error);
/* Tells the observer, and whether neither it nor the budget ends the run. `done`: of the stage. */
bool pairs_run_goes_on(struct pairs_run *run, const char *stage, double done);
void pairs_run_free(struct pairs_run *run);
