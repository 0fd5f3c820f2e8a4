/* The line through latencies against 1 / clock. */
#include <math.h>
#include <stddef.h>
#include <stdint.h>

#include "base/rng.h"
#include "model/frequency/clock_law.h"
#include "unit.h"

#define NEAR  1e-9
#define TRIES 4000

static void test_two_points_are_met(void **state)
{
	/* 20 ns at the slowest clock, and 80 outside. */
	const struct clock_law_point points[] = {{1, 100, 0.1}, {2, 90, 0.2}};
	struct clock_law law;
	(void)state;
	assert_true(clock_law_fit(points, 2, &law));
	assert_float_equal(law.core_ns, 20, NEAR);
	assert_float_equal(law.outside_ns, 80, NEAR);
	/* (L1 - L2) / (1 - 1/2), and 2 L2 - L1. */
	assert_float_equal(law.core_error_ns, 2 * sqrt(0.01 + 0.04), NEAR);
	assert_float_equal(law.outside_error_ns, sqrt(0.01 + 4 * 0.04), NEAR);
}

static void test_without_errors(void **state)
{
	const struct clock_law_point points[] = {{1, 100, 0.1}, {2, 90, NAN}};
	struct clock_law law;
	(void)state;
	assert_true(clock_law_fit(points, 2, &law));
	assert_float_equal(law.core_ns, 20, NEAR);
	assert_true(isnan(law.core_error_ns) && isnan(law.outside_error_ns));
}

static void test_one_clock_is_no_law(void **state)
{
	const struct clock_law_point points[] = {{1, 100, 0.1}, {1, 90, 0.1}};
	struct clock_law law = {7, 7, 7, 7};
	(void)state;
	assert_false(clock_law_fit(points, 1, &law));
	assert_false(clock_law_fit(points, 2, &law));
	assert_float_equal(law.core_ns, 7, 0);
}

/* The first two say 20 + 80, and the third hardly counts. */
static void test_errors_weigh(void **state)
{
	const struct clock_law_point points[] = {{1, 100, 0.01}, {2, 90, 0.01}, {4, 95, 100}};
	struct clock_law law;
	(void)state;
	assert_true(clock_law_fit(points, 3, &law));
	assert_float_equal(law.core_ns, 20, 0.01);
	assert_float_equal(law.outside_ns, 80, 0.01);
}

/* Points that scatter by ten times what their errors say. */
static void test_scatter_enlarges_errors(void **state)
{
	const struct clock_law_point even[] = {{1, 100, 0.1}, {2, 90, 0.1}, {4, 85, 0.1}};
	const struct clock_law_point uneven[] = {{1, 100, 0.1}, {2, 92, 0.1}, {4, 85, 0.1}};
	struct clock_law exact, scattered;
	(void)state;
	assert_true(clock_law_fit(even, 3, &exact));
	assert_true(clock_law_fit(uneven, 3, &scattered));
	assert_true(scattered.core_error_ns > 5 * exact.core_error_ns);
}

/* As many as should do lie within the errors that are stated. */
static void test_errors_are_true(void **state)
{
	struct rng rng = rng_make(3);
	int core = 0, outside = 0;
	(void)state;
	for (int i = 0; i < TRIES; i++) {
		struct clock_law_point points[3];
		struct clock_law law;
		for (int k = 0; k < 3; k++) {
			double relative = 1 + 0.5 * k;
			points[k] = (struct clock_law_point){
				relative, 20 / relative + 80 + 0.1 * rng_normal(&rng), 0.1};
		}
		assert_true(clock_law_fit(points, 3, &law));
		core += fabs(law.core_ns - 20) < 1.96 * law.core_error_ns;
		outside += fabs(law.outside_ns - 80) < 1.96 * law.outside_error_ns;
	}
	assert_in_range(core, TRIES * 94 / 100, TRIES);
	assert_in_range(outside, TRIES * 94 / 100, TRIES);
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(test_two_points_are_met),      cmocka_unit_test(test_without_errors),
	cmocka_unit_test(test_one_clock_is_no_law),     cmocka_unit_test(test_errors_weigh),
	cmocka_unit_test(test_scatter_enlarges_errors), cmocka_unit_test(test_errors_are_true),
};
UNIT_GROUP();
