/* Which sizes and clocks of several runs a law is found from, and which are not believed. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "clock_runs.h"

/* The clock did not rise before the fast run came to 16 KiB. */
static void test_sizes_at_one_clock_are_left_out(void **state)
{
	struct fathom_result *runs[] = {clock_run(2, 0.002, 1, true), clock_run(4, 0.002, 2, true)};
	struct fathom_curve *fast = &runs[1]->curves[0];
	size_t early = 0;
	(void)state;
	for (; fast->points[early].spec.size_bytes < 16 * 1024; early++) {
		struct fathom_point *point = &fast->points[early];
		point->clock_hz = 2.001e9;
		point->latency_ns *= 2;
		point->latency_low_ns *= 2;
		point->latency_high_ns *= 2;
	}
	const double slow_ns = runs[0]->curves[0].points[early].latency_ns;
	const double fast_ns = fast->points[early].latency_ns;
	struct fathom_result *result;
	assert_int_equal(clock_runs_find(runs, 2, NULL, &result, NULL), 0);
	assert_null(clock_law_at(result, 4 * 1024));
	assert_null(clock_law_at(result, 8 * 1024));
	const struct fathom_clock_law *law = clock_law_at(result, 16 * 1024);
	assert_non_null(law);
	/* What stands in the row is what was measured. */
	assert_float_equal(law->slow_ns, slow_ns, 1e-9);
	assert_float_equal(law->fast_ns, fast_ns, 1e-9);
	assert_float_equal(clock_law_of(result, "L1")->fast_ns, 1, 0.02);
	assert_float_equal(clock_law_of(result, "L1")->speedup, 2, 0.02);
	assert_string_equal(result->warnings.items[0].id, "sizes-at-one-clock");
	fathom_result_free(result);
}

/* Of several runs, whose law does not meet the points, too. */
static void test_rows_show_what_was_measured(void **state)
{
	struct fathom_result *runs[] = {clock_run(2, 0.01, 1, true), clock_run(3, 0.01, 2, true),
					clock_run(4, 0.01, 3, true)};
	const double slow_ns = runs[0]->curves[0].points[0].latency_ns;
	const double fast_ns = runs[2]->curves[0].points[0].latency_ns;
	struct fathom_result *result;
	(void)state;
	assert_int_equal(clock_runs_find(runs, 3, NULL, &result, NULL), 0);
	const struct fathom_clock_law *law = clock_law_at(result, 4 * 1024);
	assert_float_equal(law->slow_ns, slow_ns, 1e-9);
	assert_float_equal(law->fast_ns, fast_ns, 1e-9);
	assert_float_equal(law->speedup, slow_ns / fast_ns, 1e-9);
	fathom_result_free(result);
}

static void cut(struct fathom_curve *curve, double last_bytes)
{
	size_t count = 0;
	while (count < curve->point_count &&
	       (double)curve->points[count].spec.size_bytes <= last_bytes)
		count++;
	curve->point_count = count;
}

/* The sweep stops within the third cache. */
static void test_a_cache_whose_end_is_not_reached(void **state)
{
	struct fathom_result *runs[] = {clock_run(2, 0.002, 1, true), clock_run(4, 0.002, 2, true)};
	struct fathom_result *result;
	(void)state;
	cut(&runs[0]->curves[0], 6 * MIB);
	cut(&runs[1]->curves[0], 6 * MIB);
	assert_int_equal(clock_runs_find(runs, 2, NULL, &result, NULL), 0);
	const struct fathom_clock_law *law = clock_law_of(result, "L3");
	assert_float_equal(law->core_cycles, 38, CLOCK_TOLERANCE * 38);
	const struct fathom_curve *curve = &result->curves[0];
	assert_int_equal(law->to_bytes, curve->points[curve->point_count - 1].spec.size_bytes);
	fathom_result_free(result);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_sizes_at_one_clock_are_left_out),
		cmocka_unit_test(test_rows_show_what_was_measured),
		cmocka_unit_test(test_a_cache_whose_end_is_not_reached),
	};
	return cmocka_run_group_tests_name("frequency_clocks", tests, NULL, NULL);
}
