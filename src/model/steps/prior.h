/* How rare steps are among machines, apart from what the curves say of them. */
#ifndef MODEL_STEPS_PRIOR_H
#define MODEL_STEPS_PRIOR_H

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
/* The same in words, term by term: what it is, its value, what is usual, and -ln of its density
 * over the greatest. free() it; NULL: out of memory. */
char *prior_describe(const struct steps_problem *problem, const struct steps *steps);

/* The probability that a cache has a size that the OS reports, given its size in solved steps; 0:
 * the OS says nothing. */
double prior_reported_weight(const struct steps_problem *problem, const struct steps *steps,
			     size_t which);

/* Is no cache before it? */
bool prior_is_first_cache(const struct steps *steps, size_t which);
/* Is it a cache, and none after it? */
bool prior_is_last_cache(const struct steps *steps, size_t which);

#endif
