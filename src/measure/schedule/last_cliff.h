/* A first estimate, from a few sizes, of where the last cache ends: enough to plan the rest of a
 * sweep. (The levels themselves are found by the models.) */
#pragma once

#include "measure/schedule/accumulator.h"

/* The upper end of the last cliff among the sizes an octave apart that have blocks: neighbours that
 * rise by more than 1.25 an octave, and by more than 1.75 in all, from what a cache may take (100
 * ns; page tables that no longer fit in a cache can make memory as much slower); 0: there is none.
 * Translation alone grows more slowly than a cliff. `accumulators`: of one curve, ascending in
 * size. */
uint64_t last_cliff_find(const struct accumulator *accumulators, size_t count);

/* Memory is looked for up to this many times the last cliff. */
#define LAST_CLIFF_TO_MEMORY 16
