/* Curves of known levels: are these the levels that are found? */
#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/warnings.h"
#include "curves.h"
#include "document/table.h"
#include "model/levels/levels.h"
#include "unit.h"

static const struct hit_shape lru = {HIT_CYCLE_LRU, false, 8, 1, 0};
static const struct hit_shape scattered = {HIT_CYCLE_LRU, true, 8, 1, 0};
static const struct hit_shape at_random = {HIT_CYCLE_RANDOM, false, 16, 1, 0};
static const struct hit_shape resistant = {HIT_CYCLE_RESISTANT, false, 16, 1, 0};

/* 48 KiB at 1.5 ns, 2 MiB at 4.5, 12 MiB at 20, memory at 90. */
static const struct known_step three_caches[] = {
	{48 * 1024.0, 3.0, {HIT_CYCLE_LRU, false, 12, 1, 0}, false},
	{2 * 1048576.0, 15.5, {HIT_CYCLE_LRU, true, 16, 1, 0}, false},
	{12 * 1048576.0, 70.0, {HIT_CYCLE_LRU, true, 12, 1, 0}, false},
};

static struct known_curve usual(void)
{
	return (struct known_curve){
		.first_bytes = 4096,
		.last_bytes = 256 * 1048576.0,
		.per_octave = 4,
		.base = 1.5,
		.steps = three_caches,
		.step_count = 3,
		.noise = 0.005,
		.clock_ghz = 3.2,
		.seed = 1,
	};
}

static struct known_curve with_steps(const struct known_step *steps, size_t count)
{
	struct known_curve known = usual();
	known.steps = steps;
	known.step_count = count;
	return known;
}

static struct fathom_result fit(const struct known_curve *known, size_t count)
{
	struct fathom_result result = {.curves = calloc(count, sizeof(*result.curves)),
				       .curve_count = count};
	for (size_t i = 0; i < count; i++)
		result.curves[i] = make_curve(&known[i]);
	assert_int_equal(levels_find(&result, NULL, NULL), 0);
	return result;
}

static void release(struct fathom_result *result)
{
	for (size_t i = 0; i < result->curve_count; i++)
		free(result->curves[i].points);
	free(result->curves);
	table_free_items(&level_table, result->levels, result->level_count);
	table_free_items(&hypothesis_table, result->hypotheses, result->hypothesis_count);
	warnings_free(&result->warnings);
}

static size_t count_kind(const struct fathom_result *result, enum fathom_level_kind kind)
{
	size_t count = 0;
	for (size_t i = 0; i < result->level_count; i++)
		count += result->levels[i].kind == kind;
	return count;
}

static bool warned(const struct fathom_result *result, const char *id)
{
	for (size_t i = 0; i < result->warnings.count; i++)
		if (strcmp(result->warnings.items[i].id, id) == 0)
			return true;
	return false;
}

static void assert_near(double value, double truth, double share)
{
	if (!(fabs(value / truth - 1) <= share))
		fail_msg("%g is not within %g %% of %g", value, 100 * share, truth);
}

static void assert_cache(const struct fathom_level *level, const char *name, double reach_bytes,
			 double latency_ns)
{
	assert_int_equal(level->kind, FATHOM_LEVEL_CACHE);
	assert_string_equal(level->name, name);
	assert_near(level->size_bytes, reach_bytes, 0.25);
	assert_true(level->size_low_bytes <= 1.05 * reach_bytes);
	assert_true(level->size_high_bytes >= 0.95 * reach_bytes);
	assert_true(level->size_low_bytes <= level->size_bytes);
	assert_true(level->size_bytes <= level->size_high_bytes);
	assert_near(level->latency_ns, latency_ns, 0.10);
	assert_true(level->latency_low_ns <= level->latency_ns);
	assert_true(level->latency_ns <= level->latency_high_ns);
	assert_true(level->confidence > 0.8 && level->confidence <= 1);
	assert_non_null(level->evidence);
}

/* Of the first curve. */
static void assert_three(const struct fathom_result *result)
{
	size_t caches = 0;
	for (size_t i = 0; i < result->level_count; i++)
		caches += result->levels[i].curve == 0 &&
			  result->levels[i].kind == FATHOM_LEVEL_CACHE;
	assert_int_equal(caches, 3);
	assert_cache(&result->levels[0], "L1", 48 * 1024.0, 1.5);
	assert_cache(&result->levels[1], "L2", 2 * 1048576.0, 4.5);
	assert_cache(&result->levels[2], "L3", 12 * 1048576.0, 20);
	assert_int_equal(result->levels[3].kind, FATHOM_LEVEL_MEMORY);
	assert_near(result->levels[3].latency_ns, 90, 0.05);
}

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
		assert_int_equal(levels_find(&result, NULL, NULL), 0);
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
	assert_int_equal(levels_find(&result, NULL, NULL), 0);
	const struct fathom_level *memory = &result.levels[3];
	assert_int_equal(memory->kind, FATHOM_LEVEL_MEMORY);
	assert_true(memory->latency_ns == 99);
	assert_true(memory->latency_low_ns == 93 && memory->latency_high_ns == 108);
	assert_true(memory->latency_high_cycles == 108 * known.clock_ghz);
	release(&result);
}

static void three_caches_and_memory(void **state)
{
	(void)state;
	for (uint64_t seed = 1; seed <= 5; seed++) {
		struct known_curve known = usual();
		known.seed = seed;
		struct fathom_result result = fit(&known, 1);
		assert_three(&result);
		assert_near(result.levels[0].latency_cycles, 1.5 * 3.2, 0.05);
		assert_true(isnan(result.levels[3].size_bytes));
		assert_near(result.levels[3].at_bytes, 256 * 1048576.0, 0.01);
		assert_near(result.levels[1].increment_bytes,
			    result.levels[1].size_bytes - result.levels[0].size_bytes, 1e-9);
		assert_false(warned(&result, "memory-not-reached"));
		release(&result);
	}
}

/* The clock swings by 4 % from point to point, and with it what L1 and L2 take; for the last sizes
 * in L2 it is 10 % faster. */
static void swing(struct fathom_curve *curve)
{
	for (size_t i = 0; i < curve->point_count; i++) {
		struct fathom_point *point = &curve->points[i];
		double share = 1 + 0.04 * sin(2.4 * (double)i);
		if (point->spec.size_bytes > 524288 && point->spec.size_bytes <= 1048576)
			share *= 1.1;
		if (point->spec.size_bytes < 2 * 1048576)
			point->latency_ns /= share;
		point->latency_cycles = point->latency_ns * 3.2 * share;
	}
}

static double width_of_second(bool clock_known)
{
	struct known_curve known = usual();
	known.noise = 0.001;
	struct fathom_curve curve = make_curve(&known);
	struct fathom_result result = {.curves = &curve, .curve_count = 1};
	swing(&curve);
	for (size_t i = 0; i < curve.point_count && !clock_known; i++)
		curve.points[i].latency_cycles = NAN;
	assert_int_equal(levels_find(&result, NULL, NULL), 0);
	const struct fathom_level *second = &result.levels[1];
	assert_string_equal(second->name, "L2");
	assert_near(second->latency_ns, 4.5, clock_known ? 0.005 : 0.05);
	if (clock_known)
		assert_near(second->latency_cycles, 4.5 * 3.2, 0.005);
	double width_ns = second->latency_high_ns - second->latency_low_ns;
	free(curve.points);
	table_free_items(&level_table, result.levels, result.level_count);
	table_free_items(&hypothesis_table, result.hypotheses, result.hypothesis_count);
	warnings_free(&result.warnings);
	return width_ns;
}

static void a_clock_that_swings_is_no_noise(void **state)
{
	(void)state;
	assert_true(width_of_second(true) < 0.5 * width_of_second(false));
}

/* Of the blocks of each size in L1 and L2 one was at 4.2 GHz and not at 3.6; every third size has
 * it the other way round. */
static void jump(struct fathom_curve *curve)
{
	for (size_t i = 0; i < curve->point_count; i++) {
		struct fathom_point *point = &curve->points[i];
		double cycles = point->latency_ns * 3.6, ghz = i % 3 ? 3.6 : 4.2;
		point->latency_cycles = cycles;
		point->latency_low_cycles = 0.999 * cycles;
		point->latency_high_cycles = 1.001 * cycles;
		if (point->spec.size_bytes < 2 * 1048576) {
			point->latency_ns = cycles / ghz;
			point->latency_low_ns = 0.999 * cycles / 4.2;
			point->latency_high_ns = 1.001 * cycles / 3.6;
		}
	}
}

static void a_clock_that_jumps_within_a_size_is_no_noise(void **state)
{
	(void)state;
	struct known_curve known = usual();
	known.noise = 0.001;
	struct fathom_result result = {.curves = calloc(1, sizeof(*result.curves)),
				       .curve_count = 1};
	result.curves[0] = make_curve(&known);
	jump(&result.curves[0]);
	assert_int_equal(levels_find(&result, NULL, NULL), 0);
	assert_three(&result);
	for (size_t i = 0; i < 2; i++) {
		double truth_ns = i ? 4.5 : 1.5;
		assert_near(result.levels[i].latency_ns, truth_ns, 0.005);
		assert_near(result.levels[i].latency_cycles, 3.6 * truth_ns, 0.005);
	}
	release(&result);
}

static void the_interval_contains_the_bracket_of_a_sharp_cliff(void **state)
{
	(void)state;
	static const struct known_step steps[] = {
		{50000, 3, {HIT_CYCLE_LRU, false, 16, 1, 0}, false},
		{3e6, 85, {HIT_CYCLE_LRU, false, 16, 1, 0}, false},
	};
	struct known_curve known = with_steps(steps, 2);
	known.per_octave = 1; /* 32 and 64 KiB, 2 and 4 MiB */
	struct fathom_result result = fit(&known, 1);
	assert_int_equal(count_kind(&result, FATHOM_LEVEL_CACHE), 2);
	assert_true(result.levels[0].size_low_bytes < 36000);
	assert_true(result.levels[0].size_high_bytes > 60000);
	assert_true(result.levels[1].size_low_bytes < 2.3e6);
	assert_true(result.levels[1].size_high_bytes > 3.7e6);
	release(&result);
}

static void an_order_that_is_not_known_is_no_obstacle(void **state)
{
	(void)state;
	struct known_curve known = usual();
	known.pattern = FATHOM_PATTERN_UNKNOWN;
	struct fathom_result result = fit(&known, 1);
	assert_three(&result);
	release(&result);
	known.pattern = FATHOM_INDEPENDENT;
	result = fit(&known, 1);
	assert_three(&result);
	release(&result);
}

static void cycles_alone(void **state)
{
	(void)state;
	struct known_curve known = usual();
	known.cycles_alone = true;
	known.last_bytes = 1 << 20;
	struct fathom_result result = fit(&known, 1);
	assert_true(result.level_count >= 2);
	assert_true(isnan(result.levels[0].latency_ns));
	assert_near(result.levels[0].latency_cycles, 1.5, 0.05);
	assert_near(result.levels[0].size_bytes, 48 * 1024.0, 0.15);
	release(&result);
}

static void outlying_points_are_no_levels(void **state)
{
	(void)state;
	for (uint64_t seed = 1; seed <= 5; seed++) {
		struct known_curve known = usual();
		known.outliers = 0.06;
		known.noise = 0.01;
		known.seed = seed;
		struct fathom_result result = fit(&known, 1);
		assert_three(&result);
		release(&result);
	}
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
	assert_true(warned(&result, "memory-not-reached"));
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
	assert_int_equal(levels_find(&result, NULL, NULL), 0);
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
	assert_true(warned(&result, "memory-not-reached"));
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
	assert_int_equal(levels_find(&result, NULL, NULL), 0);
	const struct fathom_level *last = &result.levels[1];
	assert_int_equal(last->kind, FATHOM_LEVEL_CACHE);
	assert_true(last->size_low_bytes < 1 << 20);
	assert_true(warned(&result, "memory-not-reached"));
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
	for (uint64_t seed = 1; seed <= 6; seed++) {
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
		assert_true(warned(&result, "memory-not-reached"));
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
	assert_true(warned(&result, "memory-not-reached"));
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
		assert_int_equal(levels_find(&result, NULL, NULL), 0);
		assert_int_equal(count_kind(&result, FATHOM_LEVEL_MEMORY), !left);
		assert_int_equal(count_kind(&result, FATHOM_LEVEL_UNKNOWN), left);
		assert_int_equal(warned(&result, "memory-not-reached"), left);
		release(&result);
	}
}

/* ---- slower than a cache ---- */

/* ---- translation ---- */

static const struct known_step with_tlb[] = {
	{48 * 1024.0, 3.0, {HIT_CYCLE_LRU, false, 12, 1, 0}, false},
	{256 * 1024.0, 2.0, {HIT_INDEPENDENT, false, 4, 1, 0}, true},
	{2 * 1048576.0, 85.0, {HIT_CYCLE_LRU, false, 16, 1, 0}, false},
};

/* A main curve of three steps up to `last_bytes`, and its control. */
static struct fathom_result fit_controlled_to(double last_bytes, const struct known_step steps[3],
					      double per_octave, uint64_t seed)
{
	struct known_curve known[2] = {with_steps(steps, 3), with_steps(steps, 3)};
	known[0].last_bytes = last_bytes;
	known[1].pattern = FATHOM_WINDOW;
	known[1].first_bytes = 128 * 1024;
	known[1].last_bytes = fmin(8 << 20, last_bytes);
	known[1].per_octave = per_octave;
	known[1].seed = seed;
	return fit(known, 2);
}

static struct fathom_result fit_controlled(const struct known_step steps[3], double per_octave,
					   uint64_t seed)
{
	return fit_controlled_to(usual().last_bytes, steps, per_octave, seed);
}

static void what_the_control_lacks_is_translation(void **state)
{
	(void)state;
	struct fathom_result result = fit_controlled(with_tlb, 2, 2);
	assert_int_equal(count_kind(&result, FATHOM_LEVEL_CACHE), 2);
	assert_int_equal(count_kind(&result, FATHOM_LEVEL_TLB), 1);
	const struct fathom_level *tlb = &result.levels[result.level_count - 1];
	assert_int_equal(tlb->kind, FATHOM_LEVEL_TLB);
	assert_string_equal(tlb->name, "TLB 1");
	assert_near(tlb->entries, 64, 0.2);
	assert_int_equal(tlb->entry_bytes, 4096);
	assert_near(tlb->penalty_ns, 2, 0.15);
	assert_non_null(strstr(tlb->evidence, "control curve"));
	release(&result);
}

static void the_last_cache_is_hit_without_translation(void **state)
{
	(void)state;
	struct fathom_result result = fit_controlled_to(1 << 20, with_tlb, 2, 2);
	assert_int_equal(count_kind(&result, FATHOM_LEVEL_CACHE), 2);
	assert_int_equal(count_kind(&result, FATHOM_LEVEL_TLB), 1);
	assert_true(isnan(result.levels[1].size_bytes));
	assert_near(result.levels[1].latency_ns, 4.5, 0.02);
	release(&result);
}

static void walks_make_no_memory_of_a_cache(void **state)
{
	(void)state;
	static const struct known_step with_walks[] = {
		{32 * 1024.0, 3.0, {HIT_CYCLE_LRU, true, 8, 1, 0}, false},
		{512 * 1024.0, 25.5, {HIT_CYCLE_LRU, true, 8, 1, 0}, false},
		{3 * 1048576.0, 20.0, {HIT_INDEPENDENT, false, 4, 1, 0}, true},
	};
	struct fathom_result result = fit_controlled_to(64 << 20, with_walks, 2, 2);
	assert_int_equal(count_kind(&result, FATHOM_LEVEL_CACHE), 3);
	assert_int_equal(count_kind(&result, FATHOM_LEVEL_MEMORY), 0);
	assert_true(warned(&result, "memory-not-reached"));
	release(&result);
}

/* They bring the control half of what L2 misses, more or less. */
static void fetch_ahead(struct fathom_curve *control)
{
	for (size_t i = 0; i < control->point_count; i++) {
		struct fathom_point *point = &control->points[i];
		double missed_ns = fmax(0, point->latency_ns - 4.7);
		point->latency_ns -= (i % 3 ? 0.6 : 0.3) * missed_ns;
		point->latency_cycles = NAN;
		point->latency_low_ns = point->latency_ns - 0.2 * missed_ns;
		point->latency_high_ns = point->latency_ns + 0.2 * missed_ns;
	}
}

static void what_prefetchers_bring_the_control_is_no_translation(void **state)
{
	(void)state;
	static const struct known_step steps[] = {
		{48 * 1024.0, 3.0, {HIT_CYCLE_LRU, false, 12, 1, 0}, false},
		{384 * 1024.0, 2.0, {HIT_INDEPENDENT, false, 6, 1, 0}, true},
		{2 * 1048576.0, 28, {HIT_CYCLE_LRU, true, 16, 1, 0}, false},
		{8 * 1048576.0, 10, {HIT_INDEPENDENT, false, 16, 1, 0}, true},
		{40 * 1048576.0, 120, {HIT_CYCLE_LRU, true, 15, 1, 0}, false},
	};
	struct known_curve known[2] = {with_steps(steps, 5), with_steps(steps, 5)};
	known[0].last_bytes = 512 * 1048576.0;
	known[0].per_octave = 8;
	known[1].pattern = FATHOM_WINDOW;
	known[1].first_bytes = 128 * 1024;
	known[1].last_bytes = 128 * 1048576.0;
	known[1].per_octave = 8;
	struct fathom_result result = {.curves = calloc(2, sizeof(*result.curves)),
				       .curve_count = 2};
	for (size_t i = 0; i < 2; i++)
		result.curves[i] = make_curve(&known[i]);
	fetch_ahead(&result.curves[1]);
	assert_int_equal(levels_find(&result, NULL, NULL), 0);
	assert_int_equal(count_kind(&result, FATHOM_LEVEL_CACHE), 3);
	assert_cache(&result.levels[1], "L2", 2 * 1048576.0, 4.5);
	assert_cache(&result.levels[2], "L3", 40 * 1048576.0, 32.5);
	release(&result);
}

static void a_cache_that_the_control_shows_is_one(void **state)
{
	(void)state;
	struct known_step steps[3];
	memcpy(steps, with_tlb, sizeof(steps));
	steps[1].translation = false;
	struct fathom_result result = fit_controlled(steps, 4, 1);
	assert_int_equal(count_kind(&result, FATHOM_LEVEL_CACHE), 3);
	assert_int_equal(count_kind(&result, FATHOM_LEVEL_TLB), 0);
	release(&result);
}

/* Half as slow again as the one before. */
static void a_near_cache_needs_the_word_of_the_os(void **state)
{
	(void)state;
	struct fathom_cache caches[] = {{.level = 1, .size_bytes = 48 << 10},
					{.level = 2, .size_bytes = 2 << 20}};
	struct fathom_machine machine = {.caches = caches, .cache_count = 2};
	struct known_step steps[3];
	memcpy(steps, with_tlb, sizeof(steps));
	steps[1] = (struct known_step){256 * 1024.0, 2.2, {HIT_CYCLE_LRU, false, 8, 1, 0}, false};
	for (size_t unknown = 0; unknown < 2; unknown++) {
		struct known_curve known = with_steps(steps, 3);
		struct fathom_result result = {.curves = calloc(1, sizeof(*result.curves)),
					       .curve_count = 1,
					       .machine = unknown ? &machine : NULL};
		result.curves[0] = make_curve(&known);
		assert_int_equal(levels_find(&result, NULL, NULL), 0);
		assert_int_equal(count_kind(&result, FATHOM_LEVEL_CACHE), 3 - unknown);
		release(&result);
	}
}

static void two_caches_that_the_os_reports_are_two(void **state)
{
	(void)state;
	struct fathom_cache caches[] = {{.level = 1, .size_bytes = 48 << 10},
					{.level = 2, .size_bytes = 1200 << 10},
					{.level = 3, .size_bytes = 2 << 20}};
	struct fathom_machine machine = {.caches = caches};
	struct known_step steps[3];
	memcpy(steps, with_tlb, sizeof(steps));
	steps[1] = (struct known_step){1.2 * 1048576, 8, {HIT_CYCLE_LRU, false, 8, 1, 0}, false};
	for (machine.cache_count = 1; machine.cache_count <= 3; machine.cache_count++) {
		struct known_curve known = with_steps(steps, 3);
		struct fathom_result result = {.curves = calloc(1, sizeof(*result.curves)),
					       .curve_count = 1,
					       .machine = &machine};
		known.per_octave = 8;
		result.curves[0] = make_curve(&known);
		assert_int_equal(levels_find(&result, NULL, NULL), 0);
		assert_int_equal(count_kind(&result, FATHOM_LEVEL_CACHE), 3);
		release(&result);
	}
}

static const struct known_step far_apart[] = {
	{32 * 1024.0, 3.0, {HIT_CYCLE_LRU, false, 8, 1, 0}, false},
	{512 * 1024.0, 10.0, {HIT_CYCLE_LRU, true, 8, 1, 0}, false},
	{24 * 1048576.0, 80.0, {HIT_CYCLE_LRU, true, 16, 1, 0}, false},
};

/* Of what the third of far_apart hits, co-tenants evict as much as the size has of its reach. */
static void take_lines(const struct fathom_curve *curve, double ns)
{
	for (size_t i = 0; i < curve->point_count; i++) {
		struct fathom_point *point = &curve->points[i];
		double hits[2];
		for (size_t k = 0; k < 2; k++) {
			const struct known_step *step = &far_apart[k + 1];
			double size = (double)point->spec.size_bytes / step->reach_bytes;
			hit_shares(&step->shape, &size, 1, &hits[k]);
		}
		double taken = ns * (hits[1] - hits[0]) * (double)point->spec.size_bytes /
			       far_apart[2].reach_bytes;
		point->latency_ns += taken;
		point->latency_low_ns += taken;
		point->latency_high_ns += taken;
	}
}

static void what_others_take_from_a_guest_is_no_cache(void **state)
{
	(void)state;
	struct fathom_machine machine = {.hypervisor = (char *)"kvm"};
	struct known_curve known[2] = {with_steps(far_apart, 3), with_steps(far_apart, 3)};
	struct fathom_result result = {
		.curves = calloc(2, sizeof(*result.curves)), .curve_count = 2, .machine = &machine};
	known[1].pattern = FATHOM_WINDOW;
	known[1].first_bytes = 128 * 1024;
	for (size_t i = 0; i < 2; i++) {
		known[i].clock_ghz = 0;
		result.curves[i] = make_curve(&known[i]);
		take_lines(&result.curves[i], 12);
	}
	assert_int_equal(levels_find(&result, NULL, NULL), 0);
	assert_int_equal(count_kind(&result, FATHOM_LEVEL_CACHE), 3);
	assert_cache(&result.levels[0], "L1", 32 * 1024.0, 1.5);
	assert_cache(&result.levels[1], "L2", 512 * 1024.0, 4.5);
	assert_cache(&result.levels[2], "L3", 24 * 1048576.0, 14.5);
	const char *told = strstr(result.levels[2].evidence, "co-tenants evict ");
	assert_non_null(told);
	assert_near(strtod(told + strlen("co-tenants evict "), NULL), 15, 0.15); /* 12 of 80 ns */
	release(&result);
}

/* Pages at random, over the second cache; the third ends at once. */
static const struct known_step shared_last[] = {
	{48 * 1024.0, 3.0, {HIT_CYCLE_LRU, false, 12, 1, 0}, false},
	{2 * 1048576.0, 28.0, {HIT_CYCLE_LRU, true, 16, 1, 32}, false},
	{32 * 1048576.0, 110.0, {HIT_CYCLE_LRU, false, 16, 1, 0}, false},
};

static void a_cache_that_others_share_may_end_at_once(void **state)
{
	(void)state;
	struct fathom_machine machine = {.hypervisor = (char *)"kvm"};
	for (uint64_t seed = 1; seed <= 4; seed++) {
		struct known_curve known[2] = {with_steps(shared_last, 3),
					       with_steps(shared_last, 3)};
		struct fathom_result result = {.curves = calloc(2, sizeof(*result.curves)),
					       .curve_count = 2,
					       .machine = &machine};
		known[1].pattern = FATHOM_WINDOW;
		known[1].first_bytes = 128 * 1024;
		for (size_t i = 0; i < 2; i++) {
			known[i].seed = seed + i;
			known[i].noise = 0.03;
			known[i].last_bytes = 512 << 20;
			result.curves[i] = make_curve(&known[i]);
		}
		assert_int_equal(levels_find(&result, NULL, NULL), 0);
		assert_int_equal(count_kind(&result, FATHOM_LEVEL_CACHE), 3);
		assert_cache(&result.levels[0], "L1", 48 * 1024.0, 1.5);
		assert_cache(&result.levels[1], "L2", 2 * 1048576.0, 4.5);
		assert_cache(&result.levels[2], "L3", 32 * 1048576.0, 32.5);
		release(&result);
	}
}

static void a_lone_curve_claims_no_cache_for_a_small_gradual_step(void **state)
{
	(void)state;
	struct known_curve known = with_steps(with_tlb, 3);
	struct fathom_result result = fit(&known, 1);
	assert_int_equal(count_kind(&result, FATHOM_LEVEL_CACHE), 2);
	const struct fathom_level *step = &result.levels[result.level_count - 1];
	assert_true(step->kind == FATHOM_LEVEL_TLB || step->kind == FATHOM_LEVEL_UNKNOWN);
	assert_non_null(strstr(step->evidence, "pages of 4 KiB"));
	release(&result);
}

/* ---- replacement ---- */

static void assert_class(const struct hit_shape *shape, enum fathom_replacement expected)
{
	struct known_step steps[2] = {{48 * 1024.0, 3.0, lru, false}, {4e6, 85.0, *shape, false}};
	struct known_curve known[2] = {with_steps(steps, 2), with_steps(steps, 2)};
	known[0].per_octave = known[1].per_octave = 8;
	known[1].pattern = FATHOM_INDEPENDENT;
	struct fathom_result result = fit(known, 2);
	assert_true(result.level_count >= 2);
	assert_near(result.levels[1].size_bytes, 4e6, 0.15);
	if (result.levels[1].replacement != expected)
		fail_msg("%d, not %d: %s", result.levels[1].replacement, expected,
			 result.levels[1].replacement_evidence);
	assert_non_null(result.levels[1].replacement_evidence);
	release(&result);
}

static void both_orders_tell_the_replacement(void **state)
{
	(void)state;
	assert_class(&lru, FATHOM_REPLACEMENT_LRU);
	assert_class(&scattered, FATHOM_REPLACEMENT_LRU);
	assert_class(&at_random, FATHOM_REPLACEMENT_RANDOM);
	assert_class(&resistant, FATHOM_REPLACEMENT_RESISTANT);
}

static void a_point_every_other_octave_does_not_tell_it(void **state)
{
	(void)state;
	static const struct known_step steps[] = {
		{20000, 3, {HIT_CYCLE_LRU, false, 8, 1, 0}, false},
		{1.2e6, 85, {HIT_CYCLE_LRU, false, 16, 1, 0}, false}};
	struct known_curve known = with_steps(steps, 2);
	known.per_octave = 0.5;
	known.noise = 0.02;
	struct fathom_result result = fit(&known, 1);
	assert_true(result.level_count > 0);
	assert_int_equal(result.levels[0].replacement, FATHOM_REPLACEMENT_UNDECIDABLE);
	assert_non_null(strstr(result.levels[0].replacement_evidence, "too low to decide"));
	release(&result);
}

/* ---- what is odd ---- */

static void too_few_points_have_no_levels(void **state)
{
	(void)state;
	struct known_curve known = usual();
	known.last_bytes = known.first_bytes * 1.2;
	struct fathom_result result = fit(&known, 1);
	assert_int_equal(result.curves[0].point_count, 2);
	assert_int_equal(result.level_count, 0);
	assert_true(warned(&result, "too-few-sizes"));
	release(&result);
}

static void levels_that_a_curve_does_not_follow_are_doubted(void **state)
{
	(void)state;
	struct known_curve known = usual();
	struct fathom_result result = {.curves = calloc(1, sizeof(*result.curves)),
				       .curve_count = 1};
	result.curves[0] = make_curve(&known);
	for (size_t i = 0; i < result.curves[0].point_count; i++)
		result.curves[0].points[i].latency_ns = i % 2 ? 1 : 10;
	assert_int_equal(levels_find(&result, NULL, NULL), 0);
	assert_true(warned(&result, "fit-poor"));
	for (size_t i = 0; i < result.level_count; i++)
		assert_true(result.levels[i].confidence < 0.6);
	release(&result);
	known = usual();
	result = fit(&known, 1);
	assert_false(warned(&result, "fit-poor"));
	release(&result);
}

static void points_without_a_value_are_left_out(void **state)
{
	(void)state;
	struct known_curve known = usual();
	struct fathom_result result = {.curves = calloc(1, sizeof(*result.curves)),
				       .curve_count = 1};
	result.curves[0] = make_curve(&known);
	for (size_t i = 0; i < result.curves[0].point_count; i += 7)
		result.curves[0].points[i].latency_ns = i % 2 ? NAN : -1;
	result.curves[0].points[3].latency_ns = INFINITY;
	result.curves[0].points[5].latency_ns = 0;
	assert_int_equal(levels_find(&result, NULL, NULL), 0);
	assert_three(&result);
	release(&result);
}

static void sizes_in_no_order_and_twice(void **state)
{
	(void)state;
	struct known_curve known = usual();
	struct fathom_result result = {.curves = calloc(1, sizeof(*result.curves)),
				       .curve_count = 1};
	result.curves[0] = make_curve(&known);
	struct fathom_curve *curve = &result.curves[0];
	for (size_t i = 0; i < curve->point_count / 2; i += 3) {
		struct fathom_point held = curve->points[i];
		curve->points[i] = curve->points[curve->point_count - 1 - i];
		curve->points[curve->point_count - 1 - i] = held;
	}
	curve->points[4] = curve->points[9];
	assert_int_equal(levels_find(&result, NULL, NULL), 0);
	assert_three(&result);
	release(&result);
}

static void a_second_fit_finds_the_same(void **state)
{
	(void)state;
	struct known_curve known = usual();
	known.last_bytes = 1 << 20;
	struct fathom_result result = fit(&known, 1);
	size_t levels = result.level_count, warnings = result.warnings.count;
	double reach_bytes = result.levels[0].size_bytes;
	assert_int_equal(levels_find(&result, NULL, NULL), 0);
	assert_int_equal(result.level_count, levels);
	assert_int_equal(result.warnings.count, warnings);
	assert_true(result.levels[0].size_bytes == reach_bytes);
	release(&result);
}

static void each_curve_of_another_tool_has_its_own_levels(void **state)
{
	(void)state;
	struct known_curve known[2] = {usual(), with_steps(with_tlb, 3)};
	struct fathom_result result = {.curves = calloc(2, sizeof(*result.curves)),
				       .curve_count = 2};
	for (size_t i = 0; i < 2; i++) {
		known[i].pattern = FATHOM_PATTERN_UNKNOWN;
		result.curves[i] = make_curve(&known[i]);
		result.curves[i].tool = (char *)"lat_mem_rd";
	}
	assert_int_equal(levels_find(&result, NULL, NULL), 0);
	assert_three(&result);
	size_t of_second = 0;
	for (size_t i = 0; i < result.level_count; i++)
		of_second += result.levels[i].curve == 1;
	assert_true(of_second >= 3);
	release(&result);
}

static void sizes_far_apart_show_no_slope(void **state)
{
	(void)state;
	static const struct known_step steps[] = {
		{40000, 7, {HIT_CYCLE_LRU, false, 8, 1, 0}, false},
		{180e3, 4, {HIT_CYCLE_LRU, false, 8, 1, 0}, false}, /* 47 % more */
		{1.4e6, 80, {HIT_CYCLE_LRU, false, 16, 1, 0}, false},
	};
	for (int per_octave = 1; per_octave <= 8; per_octave += 7) {
		struct known_curve known = with_steps(steps, 3);
		known.pattern = FATHOM_PATTERN_UNKNOWN;
		known.per_octave = per_octave;
		struct fathom_result result = fit(&known, 1);
		/* With one size an octave the second may as well be a TLB. */
		assert_in_range(count_kind(&result, FATHOM_LEVEL_CACHE), per_octave == 1 ? 2 : 3,
				3);
		release(&result);
	}
}

/* ---- where more would help ---- */

static void sizes_are_wanted_inside_wide_brackets(void **state)
{
	(void)state;
	static const struct known_step steps[] = {
		{50000, 3, {HIT_CYCLE_LRU, false, 16, 1, 0}, false},
		{3e6, 85, {HIT_CYCLE_LRU, false, 16, 1, 0}, false}};
	struct known_curve known = with_steps(steps, 2);
	known.per_octave = 1;
	struct fathom_result result = fit(&known, 1);
	uint64_t sizes[8];
	size_t count = levels_wanted(&result, sizes, 8);
	assert_int_equal(count, 2);
	assert_true(sizes[0] > 32768 && sizes[0] < 65536);
	assert_true(sizes[1] > 2 << 20 && sizes[1] < 4 << 20);
	assert_int_equal(levels_wanted(&result, sizes, 1), 1);
	release(&result);
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(memory_is_quoted_at_one_size),
	cmocka_unit_test(memory_is_the_point_that_was_measured),
	cmocka_unit_test(three_caches_and_memory),
	cmocka_unit_test(a_clock_that_swings_is_no_noise),
	cmocka_unit_test(a_clock_that_jumps_within_a_size_is_no_noise),
	cmocka_unit_test(the_interval_contains_the_bracket_of_a_sharp_cliff),
	cmocka_unit_test(an_order_that_is_not_known_is_no_obstacle),
	cmocka_unit_test(cycles_alone),
	cmocka_unit_test(outlying_points_are_no_levels),
	cmocka_unit_test(one_level_only),
	cmocka_unit_test(nothing_ends_where_nothing_was_measured),
	cmocka_unit_test(a_curve_that_ends_in_a_cache),
	cmocka_unit_test(a_last_size_that_rises_is_not_in_the_cache),
	cmocka_unit_test(an_order_is_told_by_all_frames),
	cmocka_unit_test(what_still_rises_is_no_plateau),
	cmocka_unit_test(a_curve_that_ends_in_a_cliff),
	cmocka_unit_test(memory_behind_a_cache_that_still_hits_is_memory),
	cmocka_unit_test(what_the_largest_size_leaves_is_not_memory),
	cmocka_unit_test(what_the_control_lacks_is_translation),
	cmocka_unit_test(the_last_cache_is_hit_without_translation),
	cmocka_unit_test(walks_make_no_memory_of_a_cache),
	cmocka_unit_test(what_prefetchers_bring_the_control_is_no_translation),
	cmocka_unit_test(a_cache_that_the_control_shows_is_one),
	cmocka_unit_test(a_near_cache_needs_the_word_of_the_os),
	cmocka_unit_test(two_caches_that_the_os_reports_are_two),
	cmocka_unit_test(what_others_take_from_a_guest_is_no_cache),
	cmocka_unit_test(a_cache_that_others_share_may_end_at_once),
	cmocka_unit_test(a_lone_curve_claims_no_cache_for_a_small_gradual_step),
	cmocka_unit_test(both_orders_tell_the_replacement),
	cmocka_unit_test(a_point_every_other_octave_does_not_tell_it),
	cmocka_unit_test(too_few_points_have_no_levels),
	cmocka_unit_test(levels_that_a_curve_does_not_follow_are_doubted),
	cmocka_unit_test(points_without_a_value_are_left_out),
	cmocka_unit_test(sizes_in_no_order_and_twice),
	cmocka_unit_test(a_second_fit_finds_the_same),
	cmocka_unit_test(each_curve_of_another_tool_has_its_own_levels),
	cmocka_unit_test(sizes_far_apart_show_no_slope),
	cmocka_unit_test(sizes_are_wanted_inside_wide_brackets),
};
UNIT_GROUP();
