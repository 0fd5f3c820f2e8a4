/* How rare steps are among machines, apart from what the curves say of them. */
#ifndef MODEL_STEPS_PRIOR_H
#define MODEL_STEPS_PRIOR_H

#include "fathom.h"
#include "model/steps/steps.h"

/* The probability that a cache has a size that the OS reports; else it is as rare as any. Of the
 * machines in corpus/documents the first two caches have it, and the last one in a guest has not.
 */
#define PRIOR_REPORTED 0.7

/* -2 ln of the prior density of solved steps: of their sizes and entries, of what each adds, of the
 * replacement policies, and of there being so many. */
double prior_cost(const struct steps_problem *problem, const struct steps *steps);
/* No steps, so many as these, cost less. */
double prior_least(const struct steps *steps);
/* The same term by term, for people: adds them to the hypothesis. Errors: FAILED (no memory). */
int prior_describe(const struct steps_problem *problem, const struct steps *steps,
		   struct fathom_hypothesis *described, struct fathom_error *error);

/* The probability that a cache has a size that the OS reports, given its size in solved steps; 0:
 * the OS says nothing. */
double prior_reported_weight(const struct steps_problem *problem, const struct steps *steps,
			     size_t which);

/* Is no cache before it? */
bool prior_is_first_cache(const struct steps *steps, size_t which);
/* Is it a cache, and none after it? */
bool prior_is_last_cache(const struct steps *steps, size_t which);

#endif
