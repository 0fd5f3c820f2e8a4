/* One simulated cache, of lines or of translations: which items are in it now. */
#pragma once

#include "simulate/simulated_spec.h"

/* Items are numbers below 2^32 - 1; item % sets is the set. */
struct simulated_cache {
	uint32_t *tags;  /* sets x ways, item + 1, 0: empty; of LRU the latest of a set first */
	uint64_t *trees; /* PLRU only, one a set: bit k is node k of the tree, the root is 1, and a
			    set bit says that the older half is the right one */
	uint32_t sets;
	uint32_t ways;
	enum simulated_policy policy;
	uint64_t random;    /* the state that picks victims */
	uint8_t *distances; /* RRIP only, one a way: predicted distance to the next use, 0 to 3 */
	int32_t duel;       /* DRRIP only: above 0 static insertion misses more */
	bool has_gaps;      /* items were taken out: ways in use are not the first ones any more */
	uint32_t evicted;   /* by the last touch that was no hit: item + 1, 0: none */
};

/* Empty; of no entries where the shape has none. Errors: FAILED (memory). */
int simulated_cache_open(struct simulated_cache *cache, const struct simulated_shape *shape,
			 uint64_t seed, struct fathom_error *error);
void simulated_cache_close(struct simulated_cache *cache);
/* Empties it. */
void simulated_cache_flush(struct simulated_cache *cache);
/* Looks for the item, and puts it in where it is not. Was it there? */
bool simulated_cache_touch(struct simulated_cache *cache, uint32_t item);
/* Looks for the item, and takes it out where it is. Was it there? */
bool simulated_cache_take(struct simulated_cache *cache, uint32_t item);
