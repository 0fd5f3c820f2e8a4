/* What is said of the largest sizes: the last cache, memory, or neither. */
#include <math.h>
#include <stdlib.h>

#include "base/warnings.h"
#include "level_curves.h"
#include "model/levels/levels.h"
#include "unit.h"

#define SEEDS (SANITIZED ? 1 : 6)

/* Page tables leave a cache at 512 MiB: what is quoted is told by the machine alone. */
static void memory_is_quoted_at_one_size(void **state)
{
	(void)state;
	struct known_step steps[4] = {three_caches[0], three_caches[1], three_caches[2]};
	steps[3] =
		(struct known_step){512 * 1048576.0, 60, {HIT_INDEPENDENT, false, 8, 1, 0}, true};
	struct fathom_cache last = {
		.level = 3, .kind = FATHOM_CACHE_UNIFIED, .size_bytes = 8 << 20, .shared_cpus = 2};
	struct fathom_machine machine = {
		.caches = &last, .cache_count = 1, .memory_bytes = 64ull << 30};
	for (double last_bytes = 256 * 1048576.0; last_bytes < 5e9; last_bytes *= 4) {
		struct known_curve known = with_steps(steps, 4);
		known.last_bytes = last_bytes;
		struct fathom_result result = {.curves = calloc(1, sizeof(*result.curves)),
					       .curve_count = 1,
					       .machine = &machine};
		result.curves[0] = make_curve(&known);
		assert_int_equal(levels_find(&result, NULL, NULL, NULL), 0);
		size_t memory = 0;
		while (memory < result.level_count &&
		       result.levels[memory].kind != FATHOM_LEVEL_MEMORY)
			memory++;
		assert_true(memory < result.level_count);
		assert_near(result.levels[memory].at_bytes, 256 * 1048576.0, 0.01);
		assert_near(result.levels[memory].latency_ns, 90, 0.08);
		result.machine = NULL;
		release(&result);
	}
}

/* Whatever a fit of all sizes would have there. */
static void memory_is_the_point_that_was_measured(void **state)
{
	(void)state;
	struct known_curve known = usual();
	struct fathom_result result = {.curves = calloc(1, sizeof(*result.curves)),
				       .curve_count = 1};
	result.curves[0] = make_curve(&known);
	struct fathom_point *last = &result.curves[0].points[result.curves[0].point_count - 1];
	last->latency_ns = 99;
	last->latency_low_ns = 93;
	last->latency_high_ns = 108;
	last->latency_cycles = 99 * known.clock_ghz;
	last->latency_low_cycles = 93 * known.clock_ghz;
	last->latency_high_cycles = 108 * known.clock_ghz;
	assert_int_equal(levels_find(&result, NULL, NULL, NULL), 0);
	const struct fathom_level *memory = &result.levels[3];
	assert_int_equal(memory->kind, FATHOM_LEVEL_MEMORY);
	assert_true(memory->latency_ns == 99);
	assert_true(memory->latency_low_ns == 93 && memory->latency_high_ns == 108);
	assert_true(memory->latency_high_cycles == 108 * known.clock_ghz);
	release(&result);
}
static void one_level_only(void **state)
{
	(void)state;
	struct known_curve known = with_steps(NULL, 0);
	struct fathom_result result = fit(&known, 1);
	assert_int_equal(result.level_count, 1);
	assert_int_equal(result.levels[0].kind, FATHOM_LEVEL_CACHE);
	assert_true(isnan(result.levels[0].size_bytes));
	assert_near(result.levels[0].size_low_bytes, known.last_bytes, 0.01);
	assert_near(result.levels[0].latency_ns, 1.5, 0.01);
	assert_non_null(warnings_find(&result.warnings, "memory-not-reached"));
	release(&result);
}

/* Rises a little all along, as what hits below 1 KiB would. */
static void nothing_ends_where_nothing_was_measured(void **state)
{
	(void)state;
	struct known_curve known = usual();
	struct fathom_result result = {.curves = calloc(1, sizeof(*result.curves)),
				       .curve_count = 1};
	known.pattern = FATHOM_PATTERN_UNKNOWN;
	known.clock_ghz = 0;
	result.curves[0] = make_curve(&known);
	for (size_t i = 0; i < result.curves[0].point_count; i++)
		result.curves[0].points[i].latency_ns = 5 + 0.002 * (double)i;
	assert_int_equal(levels_find(&result, NULL, NULL, NULL), 0);
	for (size_t i = 0; i < result.level_count; i++) {
		assert_false(result.levels[i].size_bytes < known.first_bytes);
		assert_false(result.levels[i].latency_ns < 4.9);
	}
	release(&result);
}

static void a_curve_that_ends_in_a_cache(void **state)
{
	(void)state;
	struct known_curve known = usual();
	known.last_bytes = 1 << 20;
	struct fathom_result result = fit(&known, 1);
	assert_int_equal(count_kind(&result, FATHOM_LEVEL_CACHE), 2);
	assert_int_equal(count_kind(&result, FATHOM_LEVEL_MEMORY), 0);
	assert_true(isnan(result.levels[1].size_bytes));
	assert_near(result.levels[1].latency_ns, 4.5, 0.02);
	assert_non_null(warnings_find(&result.warnings, "memory-not-reached"));
	release(&result);
}

/* One size past the last cache: it is not where the cache ends, and no more is known of what
 * follows.
 */
static void a_last_size_that_rises_is_not_in_the_cache(void **state)
{
	(void)state;
	struct known_curve known = usual();
	known.pattern = FATHOM_PATTERN_UNKNOWN;
	known.per_octave = 1;
	known.last_bytes = 1 << 20;
	struct fathom_result result = {.curves = calloc(1, sizeof(*result.curves)),
				       .curve_count = 1};
	result.curves[0] = make_curve(&known);
	struct fathom_curve *curve = &result.curves[0];
	curve->points[curve->point_count - 1].latency_ns *= 5;
	curve->points[curve->point_count - 1].latency_low_ns = NAN;
	curve->points[curve->point_count - 1].latency_high_ns = NAN;
	assert_int_equal(levels_find(&result, NULL, NULL, NULL), 0);
	const struct fathom_level *last = &result.levels[1];
	assert_int_equal(last->kind, FATHOM_LEVEL_CACHE);
	assert_true(last->size_low_bytes < 1 << 20);
	assert_non_null(warnings_find(&result.warnings, "memory-not-reached"));
	release(&result);
}

/* Independent accesses, which nobody said they were, to 32 KiB, 1 MiB and `last_bytes`. */
static struct known_curve independent_curve(struct known_step steps[3], double last_bytes)
{
	const struct hit_shape shape = {HIT_INDEPENDENT, false, 16, 1, 0};
	steps[0] = (struct known_step){32768, 3, shape, false};
	steps[1] = (struct known_step){1 << 20, 9.8, shape, false};
	steps[2] = (struct known_step){last_bytes, 78, shape, false};
	struct known_curve known = with_steps(steps, 3);
	known.pattern = FATHOM_PATTERN_UNKNOWN;
	known.base = 1.2;
	known.last_bytes = 64 << 20;
	return known;
}

static void an_order_is_told_by_all_frames(void **state)
{
	(void)state;
	for (int per_octave = 1; per_octave <= 4; per_octave *= 2) {
		struct known_step steps[3];
		struct known_curve known = independent_curve(steps, 20 << 20);
		known.per_octave = per_octave;
		known.noise = 0.003;
		struct fathom_result result = fit(&known, 1);
		assert_int_equal(count_kind(&result, FATHOM_LEVEL_CACHE), 3);
		assert_int_equal(count_kind(&result, FATHOM_LEVEL_TLB), 0);
		assert_near(result.levels[1].latency_ns, 4.2, 0.03);
		assert_near(result.levels[2].latency_ns, 14, 0.05);
		assert_near(result.levels[2].size_bytes, 20 << 20, 0.15);
		release(&result);
	}
}

/* Two sizes beyond the last cache, which miss a seventh and a fourth. */
static void what_still_rises_is_no_plateau(void **state)
{
	(void)state;
	for (uint64_t seed = 1; seed <= SEEDS; seed++) {
		struct known_step steps[3];
		struct known_curve known = independent_curve(steps, 48 << 20);
		known.per_octave = 4;
		known.noise = 0.005;
		known.seed = seed;
		struct fathom_result result = fit(&known, 1);
		for (size_t i = 0; i < result.level_count; i++) {
			if (result.levels[i].kind != FATHOM_LEVEL_CACHE)
				continue;
			assert_true(result.levels[i].latency_ns < 15);
			assert_true(!(result.levels[i].size_low_bytes > 50 << 20));
		}
		assert_non_null(warnings_find(&result.warnings, "memory-not-reached"));
		release(&result);
	}
}

static void a_curve_that_ends_in_a_cliff(void **state)
{
	(void)state;
	static const struct known_step steps[] = {
		{48 * 1024.0, 3.0, {HIT_CYCLE_LRU, false, 12, 1, 0}, false},
		{8 * 1048576.0, 90.0, {HIT_CYCLE_RANDOM, true, 16, 1, 0}, false},
	};
	struct known_curve known = with_steps(steps, 2);
	known.last_bytes = 10 * 1048576.0;
	struct fathom_result result = fit(&known, 1);
	assert_int_equal(count_kind(&result, FATHOM_LEVEL_MEMORY), 0);
	assert_non_null(warnings_find(&result.warnings, "memory-not-reached"));
	release(&result);
}

/* Its hits hold the largest size below what any memory takes. */
static void memory_behind_a_cache_that_still_hits_is_memory(void **state)
{
	(void)state;
	static const struct known_step steps[] = {
		{48 * 1024.0, 3.0, {HIT_CYCLE_LRU, false, 12, 1, 0}, false},
		{1048576.0, 58.0, {HIT_CYCLE_RESISTANT, false, 16, 1, 0}, false},
	};
	struct known_curve known = with_steps(steps, 2);
	known.last_bytes = 10 * 1048576.0;
	struct fathom_result result = fit(&known, 1);
	assert_true(known_latency(&known, known.last_bytes) < 60);
	assert_int_equal(count_kind(&result, FATHOM_LEVEL_MEMORY), 1);
	release(&result);
}

/* 37 ns up to 32 MiB may be memory, so far beyond L1, but not where 64 MiB takes 108. */
static void what_the_largest_size_leaves_is_not_memory(void **state)
{
	(void)state;
	static const struct known_step steps[] = {
		{65536, 35.5, {HIT_CYCLE_LRU, false, 8, 1, 0}, false},
	};
	for (int left = 0; left < 2; left++) {
		struct known_curve known = with_steps(steps, 1);
		known.last_bytes = 64 << 20;
		struct fathom_result result = {.curves = calloc(1, sizeof(*result.curves)),
					       .curve_count = 1};
		result.curves[0] = make_curve(&known);
		struct fathom_point *points = result.curves[0].points;
		if (left)
			points[result.curves[0].point_count - 1].latency_ns = 108;
		assert_int_equal(levels_find(&result, NULL, NULL, NULL), 0);
		assert_int_equal(count_kind(&result, FATHOM_LEVEL_MEMORY), !left);
		assert_int_equal(count_kind(&result, FATHOM_LEVEL_UNKNOWN), left);
		assert_int_equal(warnings_find(&result.warnings, "memory-not-reached") != NULL,
				 left);
		release(&result);
	}
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(memory_is_quoted_at_one_size),
	cmocka_unit_test(memory_is_the_point_that_was_measured),
	cmocka_unit_test(one_level_only),
	cmocka_unit_test(nothing_ends_where_nothing_was_measured),
	cmocka_unit_test(a_curve_that_ends_in_a_cache),
	cmocka_unit_test(a_last_size_that_rises_is_not_in_the_cache),
	cmocka_unit_test(an_order_is_told_by_all_frames),
	cmocka_unit_test(what_still_rises_is_no_plateau),
	cmocka_unit_test(a_curve_that_ends_in_a_cliff),
	cmocka_unit_test(memory_behind_a_cache_that_still_hits_is_memory),
	cmocka_unit_test(what_the_largest_size_leaves_is_not_memory),
};
UNIT_GROUP();
