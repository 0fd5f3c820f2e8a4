/* The simulated hierarchy against laws that are known without it (Poisson, exact sets, the fixed
 * point of random replacement), on traces of the test's own making. */
#include <stddef.h>
#include <stdint.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "traces.h"
#include "unit.h"

#define LINE 64
#define PAGE TRACES_PAGE

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

static void lru_cycle_follows_its_sets(void **state)
{
	(void)state;
	const char *cache = ONE_CACHE("64K/8/lru/4c"); /* 1024 lines, 128 sets */
	assert_true(cycle_hits(cache, 1000, 1, 1) == 1000);
	assert_true(cycle_hits(cache, 1024, 1, 1) == 1024);
	/* Each line over fills one set to 9, and none of the 9 hits again: (1 - A(x - 1)) / x. */
	assert_true(cycle_hits(cache, 1024 + 1, 1, 1) == 1024 - 8);
	assert_true(cycle_hits(cache, 1024 + 64, 1, 1) == 1024 - 8 * 64);
	assert_true(cycle_hits(cache, 1024 + 128, 1, 1) == 0);
	assert_true(cycle_hits(cache, 3000, 1, 1) == 0);
}

static void any_number_of_sets_and_full_associativity_work(void **state)
{
	(void)state;
	const char *odd = ONE_CACHE("60K/10/lru/4c"); /* 96 sets */
	assert_true(cycle_hits(odd, 960, 1, 1) == 960);
	assert_true(cycle_hits(odd, 960 + 10, 1, 1) == 960 - 100);
	const char *full = ONE_CACHE("16K/full/lru/4c");
	assert_true(cycle_hits(full, 256, 1, 1) == 256);
	assert_true(cycle_hits(full, 257, 1, 1) == 0);
	const char *direct = ONE_CACHE("16K/1/plru/4c");
	assert_true(cycle_hits(direct, 256 + 16, 1, 1) == 256 - 16);
}

/* h = exp(-x (1 - h)), solved. */
static void random_replacement_follows_its_law(void **state)
{
	(void)state;
	const char *cache = ONE_CACHE("256K/32/random/4c");
	near(share(cache, 4096, 1, 2), 1, 0);
	near(share(cache, 4096, 1.25, 30), 0.63, 0.03);
	near(share(cache, 4096, 1.5, 30), 0.42, 0.03);
	near(share(cache, 4096, 2, 30), 0.20, 0.02);
}

static void plru_is_near_lru(void **state)
{
	(void)state;
	const char *cache = ONE_CACHE("64K/8/plru/4c");
	near(share(cache, 1024, 1, 1), 1, 0);
	double over = share(cache, 1024, 1.0625, 20);
	assert_true(over < 0.75 && over > 0.4); /* LRU .47 */
	near(share(cache, 1024, 2, 20), 0, 0.1);
}

static void independent_order_hits_what_is_there(void **state)
{
	(void)state;
	const char *const caches[] = {ONE_CACHE("64K/8/lru/4c"), ONE_CACHE("64K/8/plru/4c"),
				      ONE_CACHE("64K/8/random/4c")};
	for (size_t i = 0; i < 3; i++)
		for (uint64_t x = 2; x <= 4; x += 2) {
			struct simulated_memory memory = traces_open(caches[i]);
			struct rng rng = rng_make(x);
			uint64_t hits = 0, loads = 200000;
			traces_map(&memory, 1024 * x * LINE, PAGE, 1);
			for (uint64_t n = 0; n < 2 * loads; n++) {
				uint64_t line = rng_below(&rng, 1024 * x);
				unsigned level = simulated_memory_load(&memory, line * LINE);
				hits += n >= loads && level == 0;
			}
			near((double)hits / (double)loads, 1.0 / (double)x, 0.01);
			simulated_memory_close(&memory);
		}
}

static double poisson_below(double mean, unsigned limit)
{
	double term = exp(-mean), sum = 0;
	for (unsigned n = 0; n < limit; n++, term *= mean / n)
		sum += term;
	return sum;
}

/* Pages fall into 32 colours; a line hits where at most 7 others fell into its own. */
static void random_placement_overfills_sets(void **state)
{
	(void)state;
	const char *cache = "sim:l1=1M/8/lru/4c,l2=off,dtlb=off,placement=random,memory=8G";
	for (double x = 0.5; x <= 1.5; x += 0.5) {
		uint32_t lines = (uint32_t)(16384 * x);
		double hits = 0;
		for (uint64_t key = 0; key < 12; key++)
			hits += cycle_hits(cache, lines, 1, key) / lines / 12;
		near(hits, poisson_below(8 * x, 8), 0.05);
	}
}

static void random_frames_are_distinct_and_even_ones_a_run(void **state)
{
	(void)state;
	struct simulated_memory memory =
		traces_open("sim:placement=random,memory=16M,l3=off,seed=3");
	unsigned char seen[4096] = {0};
	traces_map(&memory, 16 << 20, PAGE, 9);
	for (size_t i = 0; i < 4096; i++) {
		uint32_t frame = memory.map.frame_lines[i] / (PAGE / LINE);
		assert_in_range(frame, 0, 4095);
		assert_int_equal(seen[frame % 4096]++, 0);
	}
	simulated_memory_close(&memory);
	memory = traces_open("sim:placement=even,memory=1G");
	traces_map(&memory, 1 << 20, PAGE, 9);
	uint32_t first = memory.map.frame_lines[0];
	for (uint32_t i = 0; i < 256; i++)
		assert_int_equal(memory.map.frame_lines[i], first + i * (PAGE / LINE));
	traces_map(&memory, 1 << 20, PAGE, 10);
	assert_int_not_equal(memory.map.frame_lines[0], first);
	simulated_memory_close(&memory);
}

static void caches_outlive_a_mapping(void **state)
{
	(void)state;
	struct simulated_memory memory = traces_open("sim:dtlb=8/full/lru/0c,stlb=off");
	uint32_t *order = traces_order(256, 1);
	traces_map(&memory, 16384, PAGE, 1);
	assert_int_equal(traces_lap_hits(&memory, order, 256, LINE), 0);
	assert_int_equal(traces_lap_hits(&memory, order, 256, LINE), 256);
	traces_map(&memory, 16384, PAGE, 1); /* the same frames again */
	memory.lines_served[1] = memory.lines_served[2] = memory.lines_served[3] = 0;
	assert_int_equal(traces_lap_hits(&memory, order, 256, LINE), 256);
	/* The 4 pages' translations were lost, and are found in the tables again. */
	assert_true(memory.lines_served[1] >= 4);
	traces_map(&memory, 16384, PAGE, 2);
	assert_int_equal(traces_lap_hits(&memory, order, 256, LINE), 0);
	free(order);
	simulated_memory_close(&memory);
}

/* Cycles a load takes when `pages` pages are visited in turn, one line in each, all lines of
 * which stay in the first level. */
static double page_cost(const char *description, uint32_t pages, uint64_t page_bytes)
{
	struct simulated_memory memory = traces_open(description);
	struct simulated_cost cost = {0, 0};
	traces_map(&memory, pages * page_bytes, page_bytes, 3);
	for (int lap = 0; lap < 3; lap++) {
		simulated_memory_take_cost(&memory);
		/* Every visit needs another line of the page table than the one before: 8 entries
		 * a line. */
		for (uint32_t i = 0; i < pages; i++) {
			uint64_t page = (i * 8 + i * 8 / pages) % pages;
			simulated_memory_load(&memory, page * page_bytes + i * LINE % page_bytes);
		}
		cost = simulated_memory_take_cost(&memory);
	}
	assert_true(cost.ns == 0);
	simulated_memory_close(&memory);
	return cost.cycles / pages;
}

#define ROOMY "sim:placement=even,memory=8G,mem=1000c,l1=4M/1024/lru/4c,"

static void tlb_steps_at_its_entries(void **state)
{
	(void)state;
	const char *machine = ROOMY "l2=4M/1024/lru/20c,l3=off,dtlb=64/4/lru/0c,"
				    "stlb=512/8/lru/7c,walk=4,pwc=32";
	near(page_cost(machine, 64, PAGE), 4, 1e-9);
	near(page_cost(machine, 64 + 16, PAGE), 4 + 7, 1e-9);
	near(page_cost(machine, 512, PAGE), 4 + 7, 1e-9);
	/* Beyond: the page-walk cache leaves one table line, which is in the second level. */
	near(page_cost(machine, 1024, PAGE), 4 + 7 + 20, 1e-9);
}

static void a_walk_costs_where_its_lines_live(void **state)
{
	(void)state;
	/* 512 pages have 64 lines of leaf entries, and one of each of the three levels above. */
	near(page_cost(ROOMY "l2=8K/full/lru/20c,dtlb=4/full/lru/1c,stlb=off,pwc=32", 512, PAGE),
	     4 + 1 + 20, 1e-9);
	near(page_cost(ROOMY "l2=8K/full/lru/20c,dtlb=4/full/lru/1c,stlb=off,pwc=off", 512, PAGE),
	     4 + 1 + 4 * 20, 1e-9);
	near(page_cost(ROOMY "l2=1K/full/lru/20c,l3=8K/full/lru/50c,dtlb=4/full/lru/1c,stlb=off,"
			     "pwc=32",
		       512, PAGE),
	     4 + 1 + 50, 1e-9);
	near(page_cost(ROOMY "l2=1K/full/lru/20c,l3=off,dtlb=4/full/lru/1c,stlb=off,pwc=32", 512,
		       PAGE),
	     4 + 1 + 1000, 1e-9);
	near(page_cost(ROOMY "l2=off,walk_from=l1,dtlb=4/full/lru/1c,stlb=off,pwc=32", 512, PAGE),
	     4 + 1 + 4, 1e-9);
	near(page_cost(ROOMY "dtlb=off", 512, PAGE), 4, 1e-9);
}

static void large_pages_have_fewer_levels(void **state)
{
	(void)state;
	const char *machine = ROOMY "l2=8K/full/lru/20c,dtlb=4/full/lru/1c,stlb=off,pwc=off,walk=5";
	near(page_cost(machine, 64, PAGE), 4 + 1 + 5 * 20, 1e-9);
	near(page_cost(machine, 64, 2 << 20), 4 + 1 + 4 * 20, 1e-9);
	near(page_cost(machine, 8, 1 << 30), 4 + 1 + 3 * 20, 1e-9);
}

static void what_does_not_fit_is_refused(void **state)
{
	(void)state;
	struct simulated_memory memory = traces_open("sim:memory=64M");
	struct fathom_error error = {0};
	traces_map(&memory, 4096, PAGE, 1);
	uint32_t line = memory.map.frame_lines[0];
	assert_int_equal(simulated_memory_map(&memory, (64 << 20) + 1, PAGE, 1, &error), -1);
	assert_int_equal(error.status, FATHOM_UNABLE);
	assert_int_equal(simulated_memory_map(&memory, 4096, 1 << 30, 1, &error), -1);
	assert_int_equal(memory.map.frame_lines[0], line);
	assert_int_equal(simulated_memory_map(&memory, 64 << 20, PAGE, 1, &error), 0);
	fathom_error_clear(&error);
	simulated_memory_close(&memory);
	simulated_memory_close(&memory);
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(lru_cycle_follows_its_sets),
	cmocka_unit_test(any_number_of_sets_and_full_associativity_work),
	cmocka_unit_test(random_replacement_follows_its_law),
	cmocka_unit_test(plru_is_near_lru),
	cmocka_unit_test(independent_order_hits_what_is_there),
	cmocka_unit_test(random_placement_overfills_sets),
	cmocka_unit_test(random_frames_are_distinct_and_even_ones_a_run),
	cmocka_unit_test(caches_outlive_a_mapping),
	cmocka_unit_test(tlb_steps_at_its_entries),
	cmocka_unit_test(a_walk_costs_where_its_lines_live),
	cmocka_unit_test(large_pages_have_fewer_levels),
	cmocka_unit_test(what_does_not_fit_is_refused),
};
UNIT_GROUP();
