/* Where the caches seem to end, from a few sizes: enough to plan the rest of a sweep with. (What
 * the levels really are is the models' business.) */
#ifndef MEASURE_SCHEDULE_REACH_H
#define MEASURE_SCHEDULE_REACH_H

#include "measure/schedule/tally.h"

/* The upper end of the last cliff among the sizes an octave apart that have blocks: neighbours that
 * rise by more than 1.25 an octave, and by more than 1.75 in all, from what a cache may take (100
 * ns; page tables that no longer fit in a cache can make memory as much slower); 0: there is none.
 * Translation alone grows more slowly than a cliff. `tallies`: of one curve, ascending in size. */
uint64_t reach_find(const struct tally *tallies, size_t count);

/* Memory is looked for up to this many times the last cliff. */
#define REACH_TO_MEMORY 16

#endif
