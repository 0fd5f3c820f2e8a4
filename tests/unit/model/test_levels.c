/* Curves of known levels: are these the levels that are found? */
#include <math.h>
#include <stdlib.h>

#include "base/warnings.h"
#include "document/table.h"
#include "level_curves.h"
#include "model/levels/levels.h"
#include "unit.h"

#define SEEDS (SANITIZED ? 1 : 5)

static void three_caches_and_memory(void **state)
{
	(void)state;
	for (uint64_t seed = 1; seed <= SEEDS; seed++) {
		struct known_curve known = usual();
		known.seed = seed;
		struct fathom_result result = fit(&known, 1);
		assert_three(&result);
		assert_near(result.levels[0].latency_cycles, 1.5 * 3.2, 0.05);
		assert_true(isnan(result.levels[3].size_bytes));
		assert_near(result.levels[3].at_bytes, 256 * 1048576.0, 0.01);
		assert_near(result.levels[1].increment_bytes,
			    result.levels[1].size_bytes - result.levels[0].size_bytes, 1e-9);
		assert_null(warnings_find(&result.warnings, "memory-not-reached"));
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
	assert_int_equal(levels_find(&result, NULL, NULL, NULL), 0);
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
	assert_int_equal(levels_find(&result, NULL, NULL, NULL), 0);
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
	for (uint64_t seed = 1; seed <= SEEDS; seed++) {
		struct known_curve known = usual();
		known.outliers = 0.06;
		known.noise = 0.01;
		known.seed = seed;
		struct fathom_result result = fit(&known, 1);
		assert_three(&result);
		release(&result);
	}
}

static void too_few_points_have_no_levels(void **state)
{
	(void)state;
	struct known_curve known = usual();
	known.last_bytes = known.first_bytes * 1.2;
	struct fathom_result result = fit(&known, 1);
	assert_int_equal(result.curves[0].point_count, 2);
	assert_int_equal(result.level_count, 0);
	assert_non_null(warnings_find(&result.warnings, "too-few-sizes"));
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
	assert_int_equal(levels_find(&result, NULL, NULL, NULL), 0);
	assert_non_null(warnings_find(&result.warnings, "fit-poor"));
	for (size_t i = 0; i < result.level_count; i++)
		assert_true(result.levels[i].confidence < 0.6);
	release(&result);
	known = usual();
	result = fit(&known, 1);
	assert_null(warnings_find(&result.warnings, "fit-poor"));
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
	assert_int_equal(levels_find(&result, NULL, NULL, NULL), 0);
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
	assert_int_equal(levels_find(&result, NULL, NULL, NULL), 0);
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
	assert_int_equal(levels_find(&result, NULL, NULL, NULL), 0);
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
	assert_int_equal(levels_find(&result, NULL, NULL, NULL), 0);
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

/* Nodes as large as a line are one a line, however small that is. */
static void small_lines_hold_one_small_node(void **state)
{
	(void)state;
	struct known_curve known = usual();
	struct fathom_result result = fit(&known, 1);
	for (size_t i = 0; i < result.curves[0].point_count; i++)
		result.curves[0].points[i].spec.node_bytes = 32;
	result.measured_line_bytes = 32;
	assert_int_equal(levels_find(&result, NULL, NULL, NULL), 0);
	assert_three(&result);
	release(&result);
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(small_lines_hold_one_small_node),
	cmocka_unit_test(three_caches_and_memory),
	cmocka_unit_test(a_clock_that_swings_is_no_noise),
	cmocka_unit_test(a_clock_that_jumps_within_a_size_is_no_noise),
	cmocka_unit_test(the_interval_contains_the_bracket_of_a_sharp_cliff),
	cmocka_unit_test(an_order_that_is_not_known_is_no_obstacle),
	cmocka_unit_test(cycles_alone),
	cmocka_unit_test(outlying_points_are_no_levels),
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
