#include "measure/simulated_cache.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/rng.h"

int simulated_cache_open(struct simulated_cache *cache, const struct simulated_shape *shape,
			 uint64_t seed, struct fathom_error *error)
{
	*cache = (struct simulated_cache){.policy = shape->policy, .random = rng_mix(seed, 0)};
	if (!shape->entries)
		return 0;
	cache->ways = (uint32_t)shape->ways;
	cache->sets = (uint32_t)(shape->entries / shape->ways);
	cache->tags = calloc(shape->entries, sizeof(*cache->tags));
	if (shape->policy == SIMULATED_PLRU)
		cache->trees = calloc(cache->sets, sizeof(*cache->trees));
	if (cache->tags && (cache->trees || shape->policy != SIMULATED_PLRU))
		return 0;
	simulated_cache_close(cache);
	return error_no_memory(error);
}

void simulated_cache_close(struct simulated_cache *cache)
{
	free(cache->tags);
	free(cache->trees);
	*cache = (struct simulated_cache){0};
}

void simulated_cache_flush(struct simulated_cache *cache)
{
	if (!cache->tags)
		return;
	memset(cache->tags, 0, (size_t)cache->sets * cache->ways * sizeof(*cache->tags));
	if (cache->trees)
		memset(cache->trees, 0, cache->sets * sizeof(*cache->trees));
}

/* The tags are in order of age: each moves one place on until the gap that the item left. */
static bool touch_lru(uint32_t *tags, uint32_t ways, uint32_t tag)
{
	uint32_t carried = tag;
	for (uint32_t i = 0; i < ways; i++) {
		uint32_t here = tags[i];
		tags[i] = carried;
		if (here == tag)
			return true;
		carried = here;
	}
	return false;
}

static uint32_t find(const uint32_t *tags, uint32_t ways, uint32_t tag)
{
	uint32_t way = 0;
	while (way < ways && tags[way] != tag)
		way++;
	return way;
}

/* Knuth's MMIX generator; its high bits are good enough to pick a way. */
static uint32_t random_way(struct simulated_cache *cache)
{
	cache->random = cache->random * 6364136223846793005u + 1442695040888963407u;
	return (uint32_t)((cache->random >> 32) * cache->ways >> 32);
}

/* Sets fill from the first way on, so that one whose last way is taken is full. */
static bool touch_random(struct simulated_cache *cache, uint32_t *tags, uint32_t tag)
{
	if (find(tags, cache->ways, tag) < cache->ways)
		return true;
	bool full = tags[cache->ways - 1];
	tags[full ? random_way(cache) : find(tags, cache->ways, 0)] = tag;
	return false;
}

static uint32_t older_way(uint64_t tree, uint32_t ways)
{
	uint32_t node = 1;
	while (node < ways)
		node = 2 * node + (tree >> node & 1);
	return node - ways;
}

/* Every node on the way to the leaf points to its other half. */
static uint64_t point_away(uint64_t tree, uint32_t ways, uint32_t way)
{
	for (uint32_t node = ways + way; node > 1; node /= 2) {
		uint64_t bit = (uint64_t)1 << (node / 2);
		tree = node % 2 ? tree & ~bit : tree | bit;
	}
	return tree;
}

static bool touch_plru(struct simulated_cache *cache, uint32_t set, uint32_t *tags, uint32_t tag)
{
	uint64_t *tree = &cache->trees[set];
	uint32_t way = find(tags, cache->ways, tag);
	bool hit = way < cache->ways;
	bool full = tags[cache->ways - 1];
	if (!hit)
		way = full ? older_way(*tree, cache->ways) : find(tags, cache->ways, 0);
	tags[way] = tag;
	*tree = point_away(*tree, cache->ways, way);
	return hit;
}

bool simulated_cache_touch(struct simulated_cache *cache, uint32_t item)
{
	uint32_t set = item % cache->sets;
	uint32_t *tags = cache->tags + (size_t)set * cache->ways;
	switch (cache->policy) {
	case SIMULATED_LRU:
		return touch_lru(tags, cache->ways, item + 1);
	case SIMULATED_PLRU:
		return touch_plru(cache, set, tags, item + 1);
	default:
		return touch_random(cache, tags, item + 1);
	}
}
