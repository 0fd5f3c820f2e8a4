#include "simulate/simulated_cache.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/rng.h"

/* Jaleel et al., "High performance cache replacement using re-reference interval prediction",
 * ISCA 2010: two bits a line, one insertion in 32 of BRRIP is like SRRIP's, a 10-bit counter. */
#define RRIP_DISTANT    3
#define RRIP_LONG       2
#define BRRIP_LONG_ONCE 32
#define DUEL_MOST       512
#define DUEL_PERIOD     64 /* sets, of which one always follows SRRIP and one BRRIP */
#define NEARNESS_BITS   28 /* more ways than that there are not */
#define NEAREST         ((1u << NEARNESS_BITS) - 1)

#define LRU_MOST_WAYS 16 /* that have a loop of their own */

static bool is_rrip(enum simulated_policy policy)
{
	return policy >= SIMULATED_SRRIP;
}

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
	if (is_rrip(shape->policy))
		cache->distances = calloc(shape->entries, sizeof(*cache->distances));
	if (cache->tags && (cache->trees || shape->policy != SIMULATED_PLRU) &&
	    (cache->distances || !is_rrip(shape->policy)))
		return 0;
	simulated_cache_close(cache);
	return error_no_memory(error);
}

void simulated_cache_close(struct simulated_cache *cache)
{
	free(cache->tags);
	free(cache->trees);
	free(cache->distances);
	*cache = (struct simulated_cache){0};
}

void simulated_cache_flush(struct simulated_cache *cache)
{
	if (!cache->tags)
		return;
	memset(cache->tags, 0, (size_t)cache->sets * cache->ways * sizeof(*cache->tags));
	if (cache->trees)
		memset(cache->trees, 0, cache->sets * sizeof(*cache->trees));
	cache->has_gaps = false;
}

/* The way that holds the tag; `ways` where none does. A sum over all ways, as one at most counts:
 * compilers make vectors of that, which they cannot of a search that ends early. */
static uint32_t find(const uint32_t *tags, uint32_t ways, uint32_t tag)
{
	uint32_t after = 0;
	for (uint32_t i = 0; i < ways; i++)
		after += tags[i] == tag ? i + 1 : 0;
	return after ? after - 1 : ways;
}

/* A way that holds nothing; `ways` where there is none. Sets fill from the first way on, so that
 * one whose last way is taken is full, unless something was taken out. */
static uint32_t find_empty(const struct simulated_cache *cache, const uint32_t *tags)
{
	uint32_t way = 0;
	if (tags[cache->ways - 1] && !cache->has_gaps)
		return cache->ways;
	while (way < cache->ways && tags[way])
		way++;
	return way;
}

/* The tags are in order of age: each moves one place on until the gap that the item left. What
 * falls out at the end, or the item itself. */
static uint32_t touch_lru(uint32_t *tags, uint32_t ways, uint32_t tag)
{
	uint32_t moved = tag;
	for (uint32_t i = 0; i < ways; i++) {
		uint32_t next = tags[i];
		tags[i] = moved;
		moved = next;
		if (next == tag)
			break;
	}
	return moved;
}

/* The same of a constant number of ways, without a branch that depends on which one it is: 9 ns
 * instead of 16 for 8 of them, 12 instead of 20 for 16, where it may be any. */
static inline uint32_t touch_lru_ways(uint32_t *tags, const uint32_t ways, uint32_t tag)
{
	uint32_t before[LRU_MOST_WAYS];
	if (tags[0] == tag)
		return tag;
	memcpy(before, tags, ways * sizeof(*tags));
	uint32_t way = find(before, ways, tag);
	tags[0] = tag;
	for (uint32_t i = 1; i < ways; i++)
		tags[i] = i <= way ? before[i - 1] : before[i];
	return way < ways ? tag : before[ways - 1];
}

static void put(struct simulated_cache *cache, uint32_t *tags, uint32_t way, uint32_t tag)
{
	cache->evicted = tags[way];
	tags[way] = tag;
}

/* Knuth's MMIX generator; its high bits are good enough to pick a way. */
static uint32_t random_below(struct simulated_cache *cache, uint32_t bound)
{
	cache->random = cache->random * 6364136223846793005u + 1442695040888963407u;
	return (uint32_t)((cache->random >> 32) * bound >> 32);
}

static bool touch_random(struct simulated_cache *cache, uint32_t *tags, uint32_t tag)
{
	if (find(tags, cache->ways, tag) < cache->ways)
		return true;
	uint32_t way = find_empty(cache, tags);
	put(cache, tags, way < cache->ways ? way : random_below(cache, cache->ways), tag);
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
	if (!hit) {
		way = find_empty(cache, tags);
		if (way == cache->ways)
			way = older_way(*tree, cache->ways);
		put(cache, tags, way, tag);
	}
	*tree = point_away(*tree, cache->ways, way);
	return hit;
}

/* The first line that is predicted distant; where none is, all move on until one is. */
static uint32_t distant_way(uint8_t *distances, uint32_t ways)
{
	int32_t most = 0; /* of distance first, then of how near the first way */
	for (uint32_t i = 0; i < ways; i++) {
		int32_t both = distances[i] << NEARNESS_BITS | (int32_t)(NEAREST - i);
		most = both > most ? both : most;
	}
	uint32_t farthest = NEAREST - ((uint32_t)most & NEAREST);
	uint8_t missing = (uint8_t)(RRIP_DISTANT - distances[farthest]);
	for (uint32_t i = 0; missing && i < ways; i++)
		distances[i] = (uint8_t)(distances[i] + missing);
	return farthest;
}

/* A set that always follows one of the two and missed counts against that one. */
static bool inserts_bimodal(struct simulated_cache *cache, uint32_t set)
{
	if (cache->policy != SIMULATED_DRRIP)
		return cache->policy == SIMULATED_BRRIP;
	uint32_t period = cache->sets < DUEL_PERIOD ? cache->sets : DUEL_PERIOD;
	if (set % period == 0) {
		cache->duel += cache->duel < DUEL_MOST;
		return false;
	}
	if (set % period == period / 2) {
		cache->duel -= cache->duel > -DUEL_MOST;
		return true;
	}
	return cache->duel > 0;
}

static bool touch_rrip(struct simulated_cache *cache, uint32_t set, uint32_t *tags, uint32_t tag)
{
	uint8_t *distances = cache->distances + (size_t)set * cache->ways;
	uint32_t way = find(tags, cache->ways, tag);
	if (way < cache->ways) {
		distances[way] = 0;
		return true;
	}
	bool bimodal = inserts_bimodal(cache, set);
	bool distant = bimodal && random_below(cache, BRRIP_LONG_ONCE);
	way = find_empty(cache, tags);
	if (way == cache->ways)
		way = distant_way(distances, cache->ways);
	put(cache, tags, way, tag);
	distances[way] = distant ? RRIP_DISTANT : RRIP_LONG;
	return false;
}

/* Of the usual numbers of sets without a division, which takes as long as a short search. */
static uint32_t set_of(const struct simulated_cache *cache, uint32_t item)
{
	uint32_t mask = cache->sets - 1;
	return cache->sets & mask ? item % cache->sets : item & mask;
}

static uint32_t *tags_of(const struct simulated_cache *cache, uint32_t set)
{
	return cache->tags + (size_t)set * cache->ways;
}

/* A function of its own: what it keeps in registers would be saved at each touch of an LRU cache,
 * of which there are most. */
static __attribute__((noinline)) bool touch_other(struct simulated_cache *cache, uint32_t item)
{
	uint32_t set = set_of(cache, item);
	uint32_t *tags = tags_of(cache, set);
	switch (cache->policy) {
	case SIMULATED_PLRU:
		return touch_plru(cache, set, tags, item + 1);
	case SIMULATED_RANDOM:
		return touch_random(cache, tags, item + 1);
	default:
		return touch_rrip(cache, set, tags, item + 1);
	}
}

bool simulated_cache_touch(struct simulated_cache *cache, uint32_t item)
{
	if (cache->policy != SIMULATED_LRU)
		return touch_other(cache, item);
	uint32_t *tags = tags_of(cache, set_of(cache, item));
	if (cache->ways == 8)
		cache->evicted = touch_lru_ways(tags, 8, item + 1);
	else if (cache->ways == LRU_MOST_WAYS)
		cache->evicted = touch_lru_ways(tags, LRU_MOST_WAYS, item + 1);
	else
		cache->evicted = touch_lru(tags, cache->ways, item + 1);
	return cache->evicted == item + 1;
}

bool simulated_cache_take(struct simulated_cache *cache, uint32_t item)
{
	uint32_t *tags = tags_of(cache, set_of(cache, item));
	uint32_t way = find(tags, cache->ways, item + 1);
	if (way == cache->ways)
		return false;
	/* In order of age the gap is closed; elsewhere a line keeps its way. */
	if (cache->policy == SIMULATED_LRU) {
		uint32_t later = cache->ways - way - 1;
		memmove(tags + way, tags + way + 1, later * sizeof(*tags));
		way = cache->ways - 1;
	}
	tags[way] = 0;
	cache->has_gaps = true;
	return true;
}
