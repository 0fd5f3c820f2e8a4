/* The door of model/cores: which classes of pairs of CPUs there are. */
#pragma once

#include "fathom.h"

/* The classes of all curves of FATHOM_CORE_TO_CORE, in place of those that the result has, with
 * warnings "fixed-home", "class-not-repeated", "cpus-moved" (of the one class that is left nothing
 * is told but the least and the greatest), "pairs-moved" (the intervals of these pairs are widened)
 * and "pairs-drifted". A class of too few pairs for an interval has that of its pairs together. Of
 * a curve with pairs of several homes those count that have the home of the first. Where each pair
 * has several blocks a class must be in either half of them. Errors: BAD_INPUT (too many CPUs),
 * FAILED. */
int core_classes_find(struct fathom_result *result, struct fathom_error *error);
