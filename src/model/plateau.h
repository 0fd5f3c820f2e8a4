/* A size to measure a level at: one whose accesses hardly any other level serves. */
#pragma once

#include "fathom.h"

/* Have levels been found in that curve? */
bool plateau_has_levels(const struct fathom_result *result, size_t curve);
/* The level of result->levels that serves a chain of that size: of the caches that it fits in the
 * smallest, else memory; NULL: none is known. A step of unknown kind that costs more than the cache
 * before it is taken for a cache. */
const struct fathom_level *plateau_level(const struct fathom_result *result, uint64_t size_bytes);

/* Do all accesses of a chain of that size hit the first cache? Where no sweep has found levels,
 * what the OS reports decides. */
bool plateau_is_in_first_cache(const struct fathom_result *result, uint64_t size_bytes);

/* Such a size inside each cache whose end was seen, ascending, and one for memory: four times the
 * cache before where that is well inside, else half-way, by ratio, between the two; of memory the
 * size that its latency is of. None is more than `most_bytes`. *levels[i] is the level of
 * sizes_bytes[i]. At most `most`; how many: 0 where no level was found. */
size_t plateau_sizes(const struct fathom_result *result, uint64_t most_bytes, uint64_t *sizes_bytes,
		     const struct fathom_level **levels, size_t most);

/* The sizes at which hardly any other level serves, and whose blocks agree: from four times the
 * cache before (or half-way to it, where that leaves less than an octave) to half the reach, from
 * where the sets of a cache whose pages lie at random begin to overflow; of memory to infinity.
 * False: no such cache or memory, or its reach is not known, or nothing lies between. */
bool plateau_range(const struct fathom_result *result, const struct fathom_level *level,
		   double *low_bytes, double *high_bytes);
