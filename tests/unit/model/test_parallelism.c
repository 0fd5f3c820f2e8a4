/* What goes with the lanes of a size: its level, its bandwidth, and what limits. */
#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "lanes.h"
#include "unit.h"

static size_t add_read(uint64_t size_bytes, uint32_t threads, enum fathom_page page,
		       double bytes_per_second)
{
	const struct fathom_point point = {
		.spec = {.size_bytes = size_bytes,
			 .pattern = FATHOM_READ,
			 .threads = threads,
			 .lanes = 1,
			 .page = page},
		.bandwidth_bytes_per_second = bytes_per_second,
		.bandwidth_low_bytes_per_second = 0.9 * bytes_per_second,
		.bandwidth_high_bytes_per_second = 1.1 * bytes_per_second,
	};
	return lanes_add_point(&point);
}

static void bandwidth_gives_the_lines_under_way(void **state)
{
	(void)state;
	lanes_add(lanes_made(lanes_hard, 10));
	add_read(LANES_SIZE, 4, FATHOM_PAGE_DEFAULT, 40e9);
	add_read(LANES_SIZE, 1, FATHOM_PAGE_DEFAULT, 16e9);
	add_read(LANES_SIZE, 8, FATHOM_PAGE_4K, 99e9);
	add_read(LANES_SIZE / 2, 1, FATHOM_PAGE_DEFAULT, 99e9);
	const struct fathom_parallelism *found = lanes_find(0);
	assert_int_equal(lanes_result.parallelism_count, 1);
	assert_true(found->read_bytes_per_second == 16e9 &&
		    found->read_low_bytes_per_second == 0.9 * 16e9);
	assert_true(found->all_bytes_per_second == 40e9 && found->all_threads == 4);
	assert_true(within(found->little_lines, found->latency_ns * 16 / 64, 1e-9));
	assert_true(within(found->little_low_lines, found->latency_low_ns * 16 * 0.9 / 64, 1e-9));
	assert_true(within(found->little_high_lines, found->latency_high_ns * 16 * 1.1 / 64, 1e-9));
	assert_true(within(found->bytes_per_second, 64e9 / found->ns_per_access, 1e-9));
	assert_true(within(found->low_bytes_per_second, 64e9 / found->high_ns_per_access, 1e-9));
}

/* 16 threads, each with a sixteenth of what they share: the size of the third is that of the second
 * times 16, and that of the last a sixteenth of its own. */
static void threads_share_what_is_not_their_own(void **state)
{
	(void)state;
	static const uint64_t sizes[] = {LANES_SIZE >> 4, LANES_SIZE, LANES_SIZE << 4};
	size_t one = add_read(sizes[0], 1, FATHOM_PAGE_DEFAULT, 1e9);
	size_t all = add_read(sizes[0], 16, FATHOM_PAGE_DEFAULT, 4e9);
	for (size_t i = 1; i < 3; i++) {
		lanes_points(one)[i] = lanes_points(one)[0];
		lanes_points(all)[i] = lanes_points(all)[0];
		lanes_points(one)[i].spec.size_bytes = sizes[i];
		lanes_points(all)[i].spec.size_bytes = i == 2 ? sizes[i] / 16 : sizes[i];
		lanes_points(all)[i].bandwidth_bytes_per_second = 5e9 + (double)i * 1e9;
	}
	lanes_result.curves[one].point_count = lanes_result.curves[all].point_count = 3;
	lanes_add(lanes_made(lanes_hard, 10));
	assert_true(lanes_find(0)->all_bytes_per_second == 6e9);
	for (size_t i = 0; i < LANES_DENSE; i++)
		lanes_points(2)[i].spec.size_bytes = sizes[2];
	assert_true(lanes_find(0)->all_bytes_per_second == 7e9);
}

static void without_bandwidth_there_is_none(void **state)
{
	(void)state;
	const struct fathom_parallelism *found = lanes_find_made(lanes_made(lanes_hard, 10));
	assert_true(isnan(found->read_bytes_per_second) && isnan(found->all_bytes_per_second));
	assert_true(isnan(found->little_lines) && isnan(found->little_low_lines));
	assert_int_equal(found->all_threads, 0);
}

static void without_a_line_no_bytes_are_claimed(void **state)
{
	(void)state;
	lanes_result.measured_line_bytes = 0;
	const struct fathom_parallelism *found = lanes_find_made(lanes_made(lanes_hard, 10));
	assert_true(isnan(found->bytes_per_second) && isnan(found->high_bytes_per_second));
}

static void the_level_is_the_first_that_holds_the_size(void **state)
{
	(void)state;
	char l1[] = "L1", l2[] = "L2", memory[] = "memory", step[] = "step 1";
	struct fathom_level levels[] = {
		{.name = l1, .kind = FATHOM_LEVEL_CACHE, .size_bytes = 48 << 10},
		{.name = l2, .kind = FATHOM_LEVEL_CACHE, .size_bytes = 80 << 20},
		{.name = memory, .kind = FATHOM_LEVEL_MEMORY, .size_bytes = NAN},
		{.name = step, .kind = FATHOM_LEVEL_UNKNOWN, .size_bytes = 90 << 20},
	};
	lanes_add(lanes_made(lanes_hard, 10));
	assert_null(lanes_find(0)->level);
	lanes_result.levels = levels;
	lanes_result.level_count = 4;
	assert_string_equal(lanes_find(0)->level, "L2");
	levels[1].size_bytes = 60 << 20;
	assert_string_equal(lanes_find(0)->level, "memory");
	levels[1].size_bytes = NAN; /* its end was not reached */
	levels[1].size_low_bytes = LANES_SIZE;
	assert_string_equal(lanes_find(0)->level, "L2");
	lanes_result.level_count = 1;
	assert_null(lanes_find(0)->level);
}

/* ---- limits ---- */

static void set_floor(size_t curve, double floor_ns)
{
	for (size_t i = 0; i < lanes_result.curves[curve].point_count; i++)
		lanes_points(curve)[i].floor_ns = floor_ns;
}

static void told(const struct fathom_parallelism *found, enum fathom_limit limit, const char *word)
{
	assert_int_equal(found->limit, limit);
	assert_non_null(found->evidence);
	assert_non_null(strstr(found->evidence, word));
}

static void misses_are_the_limit_where_nothing_else_is(void **state)
{
	(void)state;
	set_floor(lanes_add(lanes_made(lanes_hard, 10)), 1);
	told(lanes_find(0), FATHOM_LIMIT_BUFFERS, "no other limit");
}

/* All lanes but the first one were measured while something took the cache. */
static double slowed(double lanes, double limit)
{
	return lanes > 1 ? 0.6 * fmin(lanes, limit) : 1;
}

static void misses_do_not_explain_few_slow_lanes(void **state)
{
	(void)state;
	set_floor(lanes_add(lanes_made(slowed, 14)), 1);
	told(lanes_find(0), FATHOM_LIMIT_UNKNOWN, "4 lanes are but 2.");
}

static void a_loop_as_slow_as_the_memory_is_the_limit(void **state)
{
	(void)state;
	size_t at = lanes_add(lanes_made(lanes_hard, 10));
	set_floor(at, 10);
	told(lanes_find(0), FATHOM_LIMIT_LOOP, "hit L1");
	set_floor(at, 8);
	told(lanes_find(0), FATHOM_LIMIT_BUFFERS, "no other limit");
}

static void in_the_first_cache_no_misses_are_the_limit(void **state)
{
	(void)state;
	char l1[] = "L1";
	struct fathom_level level = {
		.name = l1, .kind = FATHOM_LEVEL_CACHE, .size_bytes = (double)LANES_SIZE};
	size_t at = lanes_add(lanes_made(lanes_hard, 10));
	lanes_result.levels = &level;
	lanes_result.level_count = 1;
	told(lanes_find(0), FATHOM_LIMIT_LOOP, "no miss");
	set_floor(at, 10);
	told(lanes_find(0), FATHOM_LIMIT_LOOP, "hit L1");
}

/* 4 KiB pages: 150 ns in place of 100. */
static void add_both_pages(double overlap_of_4k)
{
	struct lanes_made made = lanes_made(lanes_hard, 10);
	size_t large = lanes_add(made);
	made.latency_ns = 150;
	made.limit = overlap_of_4k;
	size_t small = lanes_add(made);
	for (size_t i = 0; i < LANES_DENSE; i++) {
		lanes_points(large)[i].page_bytes = 2 << 20;
		lanes_points(small)[i].page_bytes = 4096;
		lanes_points(small)[i].spec.page = FATHOM_PAGE_4K;
	}
}

static void walkers_are_the_limit_where_small_pages_cost_throughput(void **state)
{
	(void)state;
	add_both_pages(8);
	told(lanes_find(0), FATHOM_LIMIT_BUFFERS, "no other limit");
	told(lanes_find(1), FATHOM_LIMIT_WALKERS, "on 2 MiB pages");
}

/* As many accesses a second in either: walks hide behind the misses of others. */
static void walks_that_hide_are_no_limit(void **state)
{
	(void)state;
	add_both_pages(15);
	told(lanes_find(1), FATHOM_LIMIT_BUFFERS, "no other limit");
}

static void lines_as_fast_as_reading_are_bandwidth(void **state)
{
	(void)state;
	lanes_add(lanes_made(lanes_hard, 10)); /* 6.4 GB/s */
	size_t at = add_read(LANES_SIZE, 1, FATHOM_PAGE_DEFAULT, 7e9);
	told(lanes_find(0), FATHOM_LIMIT_BANDWIDTH, "7 GB/s");
	lanes_points(at)[0].bandwidth_bytes_per_second = 10e9;
	told(lanes_find(0), FATHOM_LIMIT_BUFFERS, "no other limit");
	lanes_points(at)[0].bandwidth_bytes_per_second = 4e9;
	told(lanes_find(0), FATHOM_LIMIT_BUFFERS, "no other limit");
}

/* Then memory has more to give, and one thread reaches a limit of its own core. */
static void what_all_threads_exceed_is_no_bandwidth_of_memory(void **state)
{
	(void)state;
	char l1[] = "L1", memory[] = "memory";
	struct fathom_level levels[] = {
		{.name = l1, .kind = FATHOM_LEVEL_CACHE, .size_bytes = LANES_SIZE / 8.0},
		{.name = memory, .kind = FATHOM_LEVEL_MEMORY, .size_bytes = NAN}};
	lanes_result.levels = levels;
	lanes_result.level_count = 2;
	lanes_add(lanes_made(lanes_hard, 10));
	add_read(LANES_SIZE, 1, FATHOM_PAGE_DEFAULT, 7e9);
	told(lanes_find(0), FATHOM_LIMIT_BANDWIDTH, "outstanding misses may limit");
	size_t all = add_read(LANES_SIZE, 2, FATHOM_PAGE_DEFAULT, 7.5e9);
	told(lanes_find(0), FATHOM_LIMIT_BANDWIDTH, "hardly more");
	lanes_points(all)[0].bandwidth_bytes_per_second = 14e9;
	told(lanes_find(0), FATHOM_LIMIT_BUFFERS, "no other limit");
	lanes_result.levels = NULL;
	lanes_result.level_count = 0;
}

/* No level is known: the OS says who shares the cache that holds the size. */
static void what_threads_exceed_in_a_shared_cache_is_no_bandwidth(void **state)
{
	(void)state;
	struct fathom_cache caches[] = {
		{.level = 2, .kind = FATHOM_CACHE_UNIFIED, .size_bytes = 1 << 20, .shared_cpus = 1},
		{.level = 3,
		 .kind = FATHOM_CACHE_UNIFIED,
		 .size_bytes = 2 * LANES_SIZE,
		 .shared_cpus = 2}};
	struct fathom_machine machine = {.caches = caches, .cache_count = 2};
	lanes_result.machine = &machine;
	lanes_add(lanes_made(lanes_hard, 10));
	add_read(LANES_SIZE, 1, FATHOM_PAGE_DEFAULT, 7e9);
	size_t all = add_read(LANES_SIZE, 2, FATHOM_PAGE_DEFAULT, 14e9);
	told(lanes_find(0), FATHOM_LIMIT_BUFFERS, "no other limit");
	lanes_points(all)[0].bandwidth_bytes_per_second = 7.5e9;
	told(lanes_find(0), FATHOM_LIMIT_BANDWIDTH, "hardly more");
	caches[1].shared_cpus = 1; /* caches of their own add up anyway */
	lanes_points(all)[0].bandwidth_bytes_per_second = 14e9;
	told(lanes_find(0), FATHOM_LIMIT_BANDWIDTH, "outstanding misses may limit");
	lanes_result.machine = NULL;
}

/* Reading was measured in the large pages alone. */
static void bandwidth_of_larger_pages_is_a_limit_too(void **state)
{
	(void)state;
	add_both_pages(15);
	add_read(LANES_SIZE, 1, FATHOM_PAGE_DEFAULT, 7e9);
	told(lanes_find(1), FATHOM_LIMIT_BANDWIDTH, "7 GB/s");
	assert_true(isnan(lanes_find(1)->read_bytes_per_second));
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, lanes_begin, lanes_end)

static const struct CMUnitTest tests[] = {
	TEST(bandwidth_gives_the_lines_under_way),
	TEST(threads_share_what_is_not_their_own),
	TEST(without_bandwidth_there_is_none),
	TEST(without_a_line_no_bytes_are_claimed),
	TEST(the_level_is_the_first_that_holds_the_size),
	TEST(misses_are_the_limit_where_nothing_else_is),
	TEST(misses_do_not_explain_few_slow_lanes),
	TEST(a_loop_as_slow_as_the_memory_is_the_limit),
	TEST(in_the_first_cache_no_misses_are_the_limit),
	TEST(walkers_are_the_limit_where_small_pages_cost_throughput),
	TEST(walks_that_hide_are_no_limit),
	TEST(lines_as_fast_as_reading_are_bandwidth),
	TEST(what_all_threads_exceed_is_no_bandwidth_of_memory),
	TEST(what_threads_exceed_in_a_shared_cache_is_no_bandwidth),
	TEST(bandwidth_of_larger_pages_is_a_limit_too),
};
UNIT_GROUP();
