/* Where a level is measured: well inside it. */
#include <math.h>
#include <stddef.h>
#include <stdint.h>

#include "model/plateau.h"
#include "unit.h"

#define MOST 8

static struct fathom_level levels[MOST];
static struct fathom_result result = {.levels = levels};

static void add(enum fathom_level_kind kind, double size_bytes, double latency_ns,
		double penalty_ns)
{
	levels[result.level_count++] = (struct fathom_level){.kind = kind,
							     .size_bytes = size_bytes,
							     .size_low_bytes = size_bytes,
							     .latency_ns = latency_ns,
							     .penalty_ns = penalty_ns,
							     .at_bytes = NAN};
}

static void add_memory(double at_bytes)
{
	add(FATHOM_LEVEL_MEMORY, NAN, 100, NAN);
	levels[result.level_count - 1].at_bytes = at_bytes;
}

static void a_size_in_each_cache_and_in_memory(void **state)
{
	uint64_t sizes[MOST];
	const struct fathom_level *of[MOST];
	(void)state;
	result.level_count = 0;
	add(FATHOM_LEVEL_CACHE, 48 << 10, 1.4, NAN);
	add(FATHOM_LEVEL_CACHE, 2 << 20, 4.5, NAN);
	add(FATHOM_LEVEL_CACHE, 100 << 20, 35, NAN);
	add_memory(1 << 30);
	add(FATHOM_LEVEL_TLB, 384 << 10, NAN, 2);
	assert_int_equal(plateau_sizes(&result, UINT64_MAX, sizes, of, MOST), 4);
	assert_int_equal(sizes[0], 24 << 10);
	assert_in_range(sizes[1], 4 * (48 << 10), 2 << 19);
	assert_in_range(sizes[2], 4 * (2 << 20), 50 << 20);
	assert_int_equal(sizes[3], 1 << 30);
	for (int i = 0; i < 4; i++) {
		assert_ptr_equal(of[i], &levels[i]);
		assert_ptr_equal(plateau_level(&result, sizes[i]), &levels[i]);
	}
	/* What may not be mapped is not proposed, but of memory as much as may. */
	assert_int_equal(plateau_sizes(&result, 64 << 20, sizes, of, MOST), 4);
	assert_int_equal(sizes[3], 64 << 20);
	assert_int_equal(plateau_sizes(&result, UINT64_MAX, sizes, of, 2), 2);
}

/* Whether a cache ends there or not: what is between the steps is a place of its own. */
static void a_steep_step_of_unknown_kind_counts_as_a_cache(void **state)
{
	uint64_t sizes[MOST];
	const struct fathom_level *of[MOST];
	(void)state;
	result.level_count = 0;
	add(FATHOM_LEVEL_CACHE, 48 << 10, 1.4, NAN);
	add(FATHOM_LEVEL_CACHE, 2 << 20, 5, NAN);
	add_memory(1 << 30);
	add(FATHOM_LEVEL_UNKNOWN, 400 << 10, NAN, 0.7);
	add(FATHOM_LEVEL_UNKNOWN, 24 << 20, NAN, 103);
	assert_int_equal(plateau_sizes(&result, UINT64_MAX, sizes, of, MOST), 4);
	assert_ptr_equal(of[2], &levels[4]);
	assert_in_range(sizes[2], 7 << 20, 17 << 20);
	assert_ptr_equal(plateau_level(&result, 300 << 10), &levels[1]);
	assert_ptr_equal(plateau_level(&result, 10 << 20), &levels[4]);
	assert_ptr_equal(plateau_level(&result, 100 << 20), &levels[2]);
}

/* From four times the cache before to half the reach; half-way between where that is little. */
static void ranges_lie_well_inside_and_do_not_overlap(void **state)
{
	double low, high;
	(void)state;
	result.level_count = 0;
	add(FATHOM_LEVEL_CACHE, 32 << 10, 1.4, NAN);
	add(FATHOM_LEVEL_CACHE, 1 << 20, 4.5, NAN);
	add(FATHOM_LEVEL_CACHE, 4 << 20, 35, NAN);
	add_memory(64 << 20);
	add(FATHOM_LEVEL_TLB, 384 << 10, NAN, 2);
	assert_true(plateau_range(&result, &levels[0], &low, &high));
	assert_true(low == 0 && high == 16 << 10);
	assert_true(plateau_range(&result, &levels[1], &low, &high));
	assert_true(low == 128 << 10 && high == 512 << 10);
	assert_true(plateau_range(&result, &levels[2], &low, &high));
	assert_true(low > 1 << 20 && low < 2 << 20 && high == 2 << 20);
	assert_true(plateau_range(&result, &levels[3], &low, &high));
	assert_true(low == 16 << 20 && isinf(high));
	assert_false(plateau_range(&result, &levels[4], &low, &high));
	for (double reach = 9 << 20; reach > 5 << 20; reach -= 4096) { /* four sizes an octave */
		levels[2].size_bytes = levels[2].size_low_bytes = reach;
		assert_true(plateau_range(&result, &levels[2], &low, &high));
		assert_true(high > 1.5 * low);
	}
	levels[2].size_bytes = levels[2].size_low_bytes = 3 << 19; /* nothing between */
	assert_false(plateau_range(&result, &levels[2], &low, &high));
}

static void nothing_is_found_where_nothing_is(void **state)
{
	uint64_t sizes[MOST];
	const struct fathom_level *of[MOST];
	(void)state;
	result.level_count = 0;
	assert_int_equal(plateau_sizes(&result, UINT64_MAX, sizes, of, MOST), 0);
	assert_null(plateau_level(&result, 4096));
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(a_size_in_each_cache_and_in_memory),
	cmocka_unit_test(a_steep_step_of_unknown_kind_counts_as_a_cache),
	cmocka_unit_test(ranges_lie_well_inside_and_do_not_overlap),
	cmocka_unit_test(nothing_is_found_where_nothing_is),
};
UNIT_GROUP();
