/* Each invariant is broken once: it is told which field does not hold. What a disturbed run leads
 * to is withheld, and then all hold. */
#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/warnings.h"
#include "model/checks/invariants.h"
#include "model/checks/withhold.h"
#include "samples.h"
#include "unit.h"

static struct fathom_result *result;

static int begin(void **state)
{
	(void)state;
	result = sample_parallelism_result();
	return 0;
}

static int begin_pages(void **state)
{
	(void)state;
	result = sample_pages_result();
	return 0;
}

static int end(void **state)
{
	(void)state;
	fathom_result_free(result);
	return 0;
}

static void holds(void)
{
	struct fathom_error error = {0};
	if (invariants_verify(result, &error))
		fail_msg("%s", error.text);
}

static void breaks(const char *field)
{
	struct fathom_error error = {0};
	assert_int_equal(invariants_verify(result, &error), -1);
	assert_int_equal(error.status, FATHOM_BAD_INPUT);
	if (!strstr(error.text, field))
		fail_msg("'%s' is not in: %s", field, error.text);
	fathom_error_clear(&error);
}

static bool warns(const char *id)
{
	return warnings_find(&result->warnings, id);
}

static void withhold(const char *id)
{
	assert_int_equal(withhold_doubtful(result, NULL), 0);
	assert_true(warns(id));
	holds();
}

static void test_samples_hold(void **state)
{
	(void)state;
	holds();
}

static void test_intervals(void **state)
{
	(void)state;
	result->levels[1].latency_high_ns = result->levels[1].latency_ns / 2;
	breaks("levels[1].latency_ns");
	assert_int_equal(withhold_outside(result, NULL), 0);
	assert_true(isnan(result->levels[1].latency_high_ns));
	assert_true(warns("contradiction"));
	holds();
	result->parallelism[0].knee_low_lanes = result->parallelism[0].knee_lanes + 1;
	breaks("parallelism[0].knee_lanes");
}

static void test_cycles(void **state)
{
	(void)state;
	struct fathom_point *point = &result->curves[0].points[5];
	point->latency_cycles *= 1.2;
	point->latency_low_cycles = point->latency_high_cycles = NAN;
	breaks("curves[0].points[5].latency_cycles");
	/* Of another block, as few blocks make it: computed. */
	point->blocks_ns[5] = 1.25 * point->latency_ns;
	withhold("cycles-computed");
	assert_true(fabs(point->latency_cycles / point->latency_ns * 1e9 / point->clock_hz - 1) <
		    1e-9);
}

static void test_blocks(void **state)
{
	(void)state;
	result->curves[0].points[5].blocks_ns[2] = -1;
	breaks("curves[0].points[5].blocks_ns");
	for (int i = 0; i < 6; i++)
		result->curves[0].points[5].blocks_ns[i] = 1e6;
	breaks("curves[0].points[5].blocks_ns");
}

static void test_specs(void **state)
{
	(void)state;
	struct fathom_point *point = &result->curves[0].points[5];
	point->nodes++;
	breaks("points[5].nodes");
	point->nodes--;
	point->spec.lanes = 1u << 30;
	breaks("points[5].lanes");
	point->spec.lanes = 1;
	point->spec.node_bytes = 1ull << 62;
	breaks("points[5].node_bytes");
}

static void test_levels(void **state)
{
	(void)state;
	struct fathom_level *level = &result->levels[2];
	struct fathom_level kept = *level;
	level->size_bytes = level->size_low_bytes = level->size_high_bytes = 1024;
	breaks("levels[2].size_bytes");
	*level = kept;
	level->latency_ns = level->latency_low_ns = level->latency_high_ns = 1;
	breaks("levels[2].latency_ns");
	*level = kept;
	level->latency_cycles *= 1.5;
	level->latency_high_cycles *= 1.5;
	breaks("levels[2].latency_cycles");
	*level = kept;
	level[1].latency_ns = level[1].latency_low_ns = level[1].latency_high_ns = 1e6;
	breaks("levels[3].latency_ns");
}

static void test_clock(void **state)
{
	(void)state;
	result->clock_min_hz = 5e9;
	breaks("clock");
}

/* The sample's last point along the lanes. */
static struct fathom_curve *lanes_of(size_t which)
{
	return &result->curves[result->parallelism[which].curve];
}

static void test_overlap(void **state)
{
	(void)state;
	double lanes = lanes_of(0)->points[lanes_of(0)->point_count - 1].spec.lanes;
	result->parallelism[0].speedup = lanes * 1.01;
	result->parallelism[0].speedup_low = lanes * 0.9;
	result->parallelism[0].speedup_high = lanes * 1.1;
	breaks("parallelism[0].speedup");
	/* Noise alone. */
	assert_int_equal(withhold_doubtful(result, NULL), 0);
	assert_true(result->parallelism[0].speedup == lanes);
	assert_false(warns("one-lane-disturbed"));
	holds();
}

static void scale(struct fathom_point *point, double times)
{
	point->latency_ns *= times;
	point->latency_low_ns *= times;
	point->latency_high_ns *= times;
	point->latency_cycles *= times;
	point->latency_low_cycles *= times;
	point->latency_high_cycles *= times;
	point->ns_per_access *= times;
	point->low_ns_per_access *= times;
	point->high_ns_per_access *= times;
	point->cycles_per_access *= times;
	point->low_cycles_per_access *= times;
	point->high_cycles_per_access *= times;
	for (size_t i = 0; i < point->block_count; i++)
		point->blocks_ns[i] *= times;
}

static void test_one_lane_that_was_disturbed(void **state)
{
	(void)state;
	size_t last = result->parallelism_count - 1;
	scale(lanes_of(last)->points, 3);
	withhold("one-lane-disturbed");
	assert_true(isnan(result->parallelism[last].speedup));
	assert_true(isnan(lanes_of(last)->points[0].latency_ns));
	assert_true(isfinite(result->parallelism[last].ns_per_access));
	/* The others are as they were. */
	assert_true(isfinite(result->parallelism[0].speedup));
}

static void test_lanes_that_are_too_fast(void **state)
{
	(void)state;
	struct fathom_curve *curve = lanes_of(0);
	scale(&curve->points[5], 0.4);
	withhold("lanes-disturbed");
	assert_true(isnan(curve->points[5].ns_per_access));
	assert_true(isfinite(curve->points[0].latency_ns));
	assert_true(isfinite(result->parallelism[0].speedup));
}

static void test_floors(void **state)
{
	(void)state;
	struct fathom_point *point = &lanes_of(0)->points[7];
	point->floor_ns = 2 * point->ns_per_access;
	breaks("floor_ns");
	assert_int_equal(withhold_doubtful(result, NULL), 0);
	assert_true(point->floor_ns == point->ns_per_access);
	holds();
}

/* A clock of half the truth. */
static void test_first_cache_in_no_whole_cycles(void **state)
{
	(void)state;
	for (size_t i = 0; i < result->level_count; i++) {
		struct fathom_level *level = &result->levels[i];
		level->latency_cycles *= 2.31 / 5;
		level->latency_low_cycles *= 2.31 / 5;
		level->latency_high_cycles *= 2.31 / 5;
	}
	withhold("cycles-doubtful");
	assert_true(isnan(result->levels[0].latency_cycles));
	assert_true(isnan(result->curves[0].points[3].latency_cycles));
	assert_true(isnan(result->clock_median_hz));
	assert_non_null(result->clock_missing);
	assert_true(isfinite(result->levels[0].latency_ns));
}

/* Known no better than this, it may be a whole number. */
static void test_first_cache_that_is_inexact(void **state)
{
	(void)state;
	struct fathom_level *level = &result->levels[0];
	level->latency_cycles = 5.2;
	level->latency_low_cycles = 4.9;
	level->latency_high_cycles = 5.5;
	assert_int_equal(withhold_doubtful(result, NULL), 0);
	assert_false(warns("cycles-doubtful"));
	assert_true(isfinite(level->latency_cycles));
}

static void test_clocks_of_stages(void **state)
{
	(void)state;
	struct fathom_curve *curve = lanes_of(0);
	assert_int_equal(withhold_doubtful(result, NULL), 0);
	assert_false(warns("clock-differs"));
	for (size_t i = 0; i < result->curve_count; i++)
		for (size_t k = 0; k < result->curves[i].point_count; k++)
			if (result->curves[i].experiment == curve->experiment)
				result->curves[i].points[k].clock_hz *= 1.03;
	assert_int_equal(withhold_doubtful(result, NULL), 0);
	assert_true(warns("clock-differs"));
}

static void test_parts(void **state)
{
	(void)state;
	struct fathom_decomposition *made =
		&result->decompositions[result->decomposition_count - 1];
	made[-1].total = made->total; /* no cache ends there */
	memcpy(made[-1].parts, made->parts, sizeof(made->parts));
	holds();
	made->parts[FATHOM_PART_MEMORY].ns += 1;
	made->parts[FATHOM_PART_MEMORY].high_ns += 1;
	breaks("parts");
	made->parts[FATHOM_PART_MEMORY].ns += made->total.ns;
	made->parts[FATHOM_PART_MEMORY].high_ns += made->total.ns;
	made->parts[FATHOM_PART_RESIDUAL].ns -= made->total.ns + 1;
	made->parts[FATHOM_PART_RESIDUAL].low_ns -= made->total.ns + 1;
	breaks("parts.residual");
	withhold("parts-doubtful");
	assert_true(isnan(made->parts[FATHOM_PART_MEMORY].ns));
	assert_true(isfinite(made->total.ns));
}

/* Two placements differ in the middle of a cliff: that is no fault of the measurement. */
static void test_parts_in_a_cliff(void **state)
{
	(void)state;
	struct fathom_decomposition *made =
		&result->decompositions[result->decomposition_count - 1];
	made[-1].total.ns = made->total.ns / 2;
	made->parts[FATHOM_PART_MEMORY].ns -= made->total.ns / 2;
	made->parts[FATHOM_PART_RESIDUAL].ns += made->total.ns / 2;
	assert_int_equal(withhold_doubtful(result, NULL), 0);
	assert_false(warns("parts-doubtful"));
	assert_true(warns("parts-at-cliff"));
	assert_true(isnan(made->parts[FATHOM_PART_MEMORY].ns));
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, begin, end)

static const struct CMUnitTest tests[] = {
	TEST(test_samples_hold),
	cmocka_unit_test_setup_teardown(test_samples_hold, begin_pages, end),
	TEST(test_intervals),
	TEST(test_cycles),
	TEST(test_blocks),
	TEST(test_specs),
	TEST(test_levels),
	TEST(test_clock),
	TEST(test_overlap),
	TEST(test_one_lane_that_was_disturbed),
	TEST(test_lanes_that_are_too_fast),
	TEST(test_floors),
	TEST(test_first_cache_in_no_whole_cycles),
	TEST(test_first_cache_that_is_inexact),
	TEST(test_clocks_of_stages),
	cmocka_unit_test_setup_teardown(test_parts, begin_pages, end),
	cmocka_unit_test_setup_teardown(test_parts_in_a_cliff, begin_pages, end),
};
UNIT_GROUP();
