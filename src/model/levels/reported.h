/* The levels as measured against the caches as the OS reports them. */
#ifndef MODEL_LEVELS_REPORTED_H
#define MODEL_LEVELS_REPORTED_H

#include "fathom.h"

/* Gives each cache level of fathom's own curves the reported cache that it stands for (by order,
 * and where their numbers differ by the sizes), and puts these warnings in place of those of the
 * same id that were there; `where` is the level's name:
 * "reach-differs": by more than the interval allows, and neither the reach nor what the level adds
 * to the one before is what is reported; the text names the likely cause;
 * "cache-not-reported": a level for which no cache is left;
 * "cache-not-found": a cache for which no level is left, though the curve covers it, unless a step
 * of unknown kind is it;
 * "cache-not-reached": the curve ends before the cache does.
 * Nothing is compared where result->machine is NULL or reports no caches, or where the curve's CPU
 * is of another kind than the one whose caches are reported. Errors: FAILED (memory). */
int reported_compare(struct fathom_result *result, struct fathom_error *error);

#endif
