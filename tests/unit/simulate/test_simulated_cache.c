/* Which item a simulated cache gives up: replacement policies, and victim caches. */
#include <stddef.h>
#include <stdint.h>

#include <math.h>
#include <stdlib.h>

#include "traces.h"
#include "unit.h"

#define LINE 64
#define PAGE TRACES_PAGE

static bool touch_all(struct simulated_cache *cache, const char *items)
{
	bool hit = false;
	for (; *items; items++)
		hit = simulated_cache_touch(cache, (uint32_t)(*items - 'a'));
	return hit;
}

/* Was the last of the items there? In one set of 4. */
static bool last_hits(enum simulated_policy policy, const char *items)
{
	struct simulated_shape shape = {.entries = 4, .ways = 4, .policy = policy};
	struct simulated_cache cache;
	assert_int_equal(simulated_cache_open(&cache, &shape, 1, NULL), 0);
	bool hit = touch_all(&cache, items);
	simulated_cache_close(&cache);
	return hit;
}

static void a_hit_counts_as_a_use(void **state)
{
	(void)state;
	assert_true(last_hits(SIMULATED_LRU, "abcdaea"));
	assert_false(last_hits(SIMULATED_LRU, "abcdaeb"));
	assert_true(last_hits(SIMULATED_LRU, "abcdbaefb"));
	assert_false(last_hits(SIMULATED_LRU, "abcdbaefc"));
	/* The tree's root points to the pair that was not used last, its other nodes within. */
	assert_true(last_hits(SIMULATED_PLRU, "abcdaea"));
	assert_false(last_hits(SIMULATED_PLRU, "abcdaec"));
	assert_true(last_hits(SIMULATED_PLRU, "abcdaeb"));
	assert_true(last_hits(SIMULATED_RANDOM, "abcda"));
	/* A hit makes a near; b is the first of those that are then the farthest. */
	assert_true(last_hits(SIMULATED_SRRIP, "abcdaea"));
	assert_false(last_hits(SIMULATED_SRRIP, "abcdaeb"));
	assert_true(last_hits(SIMULATED_SRRIP, "abcdaec"));
	/* A second miss takes c, which has come nearer the end, before the newer e. */
	assert_false(last_hits(SIMULATED_SRRIP, "abcdaefc"));
	assert_true(last_hits(SIMULATED_SRRIP, "abcdaefe"));
}

/* Of four, one was taken out: is the last of the items there after those in between? */
static bool last_hits_without(enum simulated_policy policy, char taken, const char *items)
{
	struct simulated_shape shape = {.entries = 4, .ways = 4, .policy = policy};
	struct simulated_cache cache;
	assert_int_equal(simulated_cache_open(&cache, &shape, 1, NULL), 0);
	touch_all(&cache, "abcd");
	assert_true(simulated_cache_take(&cache, (uint32_t)(taken - 'a')));
	assert_false(simulated_cache_take(&cache, (uint32_t)(taken - 'a')));
	bool hit = touch_all(&cache, items);
	simulated_cache_close(&cache);
	return hit;
}

static void what_is_taken_out_leaves_room(void **state)
{
	(void)state;
	for (int policy = SIMULATED_LRU; policy <= SIMULATED_DRRIP; policy++)
		for (char taken = 'a'; taken <= 'd'; taken++)
			for (char kept = 'a'; kept <= 'd'; kept++) {
				const char one_more[] = {'e', kept, 0};
				assert_int_equal(last_hits_without((enum simulated_policy)policy,
								   taken, one_more),
						 kept != taken);
			}
	/* The order of age outlives it: of a, c, d, e the first goes next. */
	assert_false(last_hits_without(SIMULATED_LRU, 'b', "efa"));
	assert_true(last_hits_without(SIMULATED_LRU, 'b', "efc"));
}

/* ---- RRIP ---- */

/* Hits in the first level, of a fixed cycle of `lines`, once warm: mean of `laps`. */
static double cycle_hits(const char *description, uint32_t lines, unsigned laps, uint64_t key)
{
	struct simulated_memory memory = traces_open(description);
	uint32_t *order = traces_order(lines, key);
	double hits = 0;
	traces_map(&memory, (uint64_t)lines * LINE, PAGE, key);
	for (int warm = 0; warm < 6; warm++)
		traces_lap_hits(&memory, order, lines, LINE);
	for (unsigned lap = 0; lap < laps; lap++)
		hits += (double)traces_lap_hits(&memory, order, lines, LINE);
	free(order);
	simulated_memory_close(&memory);
	return hits / laps;
}

static double share(const char *description, double lines, double x, unsigned laps)
{
	uint32_t count = (uint32_t)(lines * x);
	return cycle_hits(description, count, laps, 5) / count;
}

static void near(double value, double wanted, double tolerance)
{
	if (!(fabs(value - wanted) <= tolerance))
		fail_msg("%g is not %g within %g", value, wanted, tolerance);
}

#define ONE_CACHE(shape) "sim:l1=" shape ",l2=off,dtlb=off,placement=even,mem=100ns"

static void static_insertion_thrashes_and_bimodal_keeps_a_part(void **state)
{
	(void)state;
	const char *const caches[] = {ONE_CACHE("64K/8/srrip/4c"), ONE_CACHE("64K/8/brrip/4c"),
				      ONE_CACHE("64K/8/drrip/4c")};
	for (size_t i = 0; i < 3; i++) {
		near(share(caches[i], 1024, 0.5, 1), 1, 0);
		near(share(caches[i], 1024, 1, 1), 1, 0);
	}
	near(share(caches[0], 1024, 1.25, 5), 0, 0);
	near(share(caches[0], 1024, 2, 5), 0, 0);
	/* All ways but one keep theirs: (1 - 1/8) / x. */
	near(share(caches[1], 1024, 1.25, 20), 0.7, 0.005);
	near(share(caches[1], 1024, 2, 20), 0.4375, 0.005);
	/* The same but for one set in 64 that always inserts as SRRIP does. */
	near(share(caches[2], 1024, 1.25, 20), 0.7 * 63 / 64, 0.01);
	near(share(caches[2], 1024, 2, 20), 0.4375 * 63 / 64, 0.01);
}

/* Hits in the third lap over a half of the lines, all of which fit, when the other half was in use
 * for long. */
static double hits_after_a_change(const char *description)
{
	struct simulated_memory memory = traces_open(description);
	uint32_t *order = traces_order(1024, 1), *other = traces_order(1024, 2);
	traces_map(&memory, 2048 * LINE, PAGE, 1);
	for (uint32_t i = 0; i < 1024; i++)
		other[i] += 1024;
	for (int lap = 0; lap < 10; lap++)
		traces_lap_hits(&memory, order, 1024, LINE);
	for (int lap = 0; lap < 2; lap++)
		traces_lap_hits(&memory, other, 1024, LINE);
	double hits = (double)traces_lap_hits(&memory, other, 1024, LINE) / 1024;
	free(order);
	free(other);
	simulated_memory_close(&memory);
	return hits;
}

static void bimodal_insertion_is_slow_to_learn_and_dueling_is_not(void **state)
{
	(void)state;
	double fast = hits_after_a_change(ONE_CACHE("64K/8/srrip/4c"));
	double slow = hits_after_a_change(ONE_CACHE("64K/8/brrip/4c"));
	double dueling = hits_after_a_change(ONE_CACHE("64K/8/drrip/4c"));
	assert_true(fast == 1);
	assert_true(slow < 0.3);
	assert_true(dueling > 0.9);
}

static void rrip_caches_start_anew_with_a_mapping(void **state)
{
	(void)state;
	struct simulated_memory memory = traces_open(ONE_CACHE("64K/8/brrip/4c"));
	uint32_t *order = traces_order(1024, 1);
	traces_map(&memory, 1024 * LINE, PAGE, 1);
	for (int lap = 0; lap < 10; lap++)
		traces_lap_hits(&memory, order, 1024, LINE);
	traces_map(&memory, 1024 * LINE, PAGE, 2);
	assert_int_equal(traces_lap_hits(&memory, order, 1024, LINE), 0);
	assert_int_equal(traces_lap_hits(&memory, order, 1024, LINE), 1024);
	free(order);
	simulated_memory_close(&memory);
}

/* ---- victim caches ---- */

/* Share of a fixed cycle, once warm, that does not go to memory. */
static double kept(const char *description, uint32_t lines)
{
	struct simulated_memory memory = traces_open(description);
	uint32_t *order = traces_order(lines, 3);
	uint64_t level_memory = memory.spec.cache_count;
	traces_map(&memory, (uint64_t)lines * LINE, PAGE, 3);
	for (int lap = 0; lap < 8; lap++)
		traces_lap_hits(&memory, order, lines, LINE);
	memory.lines_served[level_memory] = 0;
	for (int lap = 0; lap < 4; lap++)
		traces_lap_hits(&memory, order, lines, LINE);
	double missed = (double)memory.lines_served[level_memory] / lines / 4;
	free(order);
	simulated_memory_close(&memory);
	return 1 - missed;
}

#define VICTIM(last) "sim:l1=8K/8/lru/4c,l2=64K/8/lru/16c,l3=" last ",dtlb=off,placement=even"

/* With as many sets in both, 8 and 32 ways are an LRU cache of 40: 1024 + 4096 lines, and one more
 * costs a whole set. */
static void a_victim_cache_adds_its_size(void **state)
{
	(void)state;
	const char *victim = VICTIM("256K/32/lru/60c/victim"), *filled = VICTIM("256K/32/lru/60c");
	near(kept(victim, 4096), 1, 0);
	near(kept(victim, 5120), 1, 0);
	near(kept(victim, 5121), (5121 - 41) / 5121.0, 1e-12);
	near(kept(victim, 5120 + 128), 0, 0);
	near(kept(filled, 4096), 1, 0);
	near(kept(filled, 5120), 0, 0);
}

/* Where the sets differ a few of them overfill before: the cliff is less sharp. */
static void a_victim_cache_of_other_sets_nearly_adds_its_size(void **state)
{
	(void)state;
	const char *const policies[] = {VICTIM("256K/16/lru/60c/victim"),
					VICTIM("256K/16/plru/60c/victim"),
					VICTIM("256K/16/random/60c/victim")};
	for (size_t i = 0; i < 3; i++) {
		near(kept(policies[i], 4096), 1, 0.001);
		assert_true(kept(policies[i], 4700) > 0.9);
		assert_true(kept(policies[i], 5120 * 95 / 100) > 0.6);
	}
	/* Half of it is gone where 5120 lines are. */
	assert_true(kept(policies[0], 5120 * 105 / 100) < 0.4);
	assert_true(kept(policies[1], 5120 * 105 / 100) < 0.45);
	near(kept(policies[0], 6400), 0, 0.01);
}

static void a_line_is_in_the_victim_cache_or_before_it(void **state)
{
	(void)state;
	const char *const machines[] = {VICTIM("256K/32/lru/60c/victim"),
					VICTIM("256K/16/random/60c/victim"),
					VICTIM("256K/16/brrip/60c/victim")};
	for (size_t i = 0; i < 3; i++) {
		struct simulated_memory memory = traces_open(machines[i]);
		uint32_t *order = traces_order(4500, 4);
		traces_map(&memory, 4500 * LINE, PAGE, 4);
		for (int lap = 0; lap < 5; lap++)
			traces_lap_hits(&memory, order, 4500, LINE);
		const struct simulated_cache *before = &memory.caches[1];
		uint32_t full = 0;
		for (uint32_t way = 0; way < before->sets * before->ways; way++) {
			if (!before->tags[way])
				continue;
			full++;
			assert_false(
				simulated_cache_take(&memory.caches[2], before->tags[way] - 1));
		}
		assert_int_equal(full, 1024);
		free(order);
		simulated_memory_close(&memory);
	}
}

/* The cost of a hit there is its own, and it makes room for what it is swapped with. */
static void a_victim_hit_costs_what_it_says(void **state)
{
	(void)state;
	struct simulated_memory memory = traces_open(VICTIM("256K/32/lru/60c/victim"));
	uint32_t *order = traces_order(4096, 5);
	traces_map(&memory, 4096 * LINE, PAGE, 5);
	for (int lap = 0; lap < 3; lap++)
		traces_lap_hits(&memory, order, 4096, LINE);
	simulated_memory_take_cost(&memory);
	traces_lap_hits(&memory, order, 4096, LINE);
	struct simulated_cost cost = simulated_memory_take_cost(&memory);
	near(cost.cycles, 4096 * 60, 1e-6);
	near(cost.ns, 0, 0);
	free(order);
	simulated_memory_close(&memory);
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(a_hit_counts_as_a_use),
	cmocka_unit_test(what_is_taken_out_leaves_room),
	cmocka_unit_test(static_insertion_thrashes_and_bimodal_keeps_a_part),
	cmocka_unit_test(bimodal_insertion_is_slow_to_learn_and_dueling_is_not),
	cmocka_unit_test(rrip_caches_start_anew_with_a_mapping),
	cmocka_unit_test(a_victim_cache_adds_its_size),
	cmocka_unit_test(a_victim_cache_of_other_sets_nearly_adds_its_size),
	cmocka_unit_test(a_line_is_in_the_victim_cache_or_before_it),
	cmocka_unit_test(a_victim_hit_costs_what_it_says),
};
UNIT_GROUP();
