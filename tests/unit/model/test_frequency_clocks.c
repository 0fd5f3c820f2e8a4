/* Which sizes and clocks of several runs a law is found from, and which are not believed. */
#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/warnings.h"
#include "clock_runs.h"
#include "unit.h"

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

/* The clock drifts alike in both runs, of which the fast one lacks the first sizes. */
static void test_the_ratio_of_clocks_is_within_its_interval(void **state)
{
	struct fathom_result *runs[] = {clock_run(2, 0.002, 1, true), clock_run(4, 0.002, 2, true)};
	struct fathom_curve *slow = &runs[0]->curves[0], *fast = &runs[1]->curves[0];
	(void)state;
	for (size_t i = 0; i < slow->point_count; i++) {
		slow->points[i].clock_hz = 2e9 * (1 + 1e-4 * (double)i);
		fast->points[i].clock_hz = 2 * slow->points[i].clock_hz;
	}
	for (size_t i = 0; i < fast->point_count / 4; i++)
		fast->points[i].latency_ns = NAN;
	struct fathom_result *result;
	assert_int_equal(clock_runs_find(runs, 2, NULL, &result, NULL), 0);
	const struct fathom_clock *clock = &result->clocks[1];
	assert_true(clock->relative > 2);
	assert_true(clock->relative_low <= clock->relative);
	assert_true(clock->relative_high >= clock->relative);
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

/* An L2 on a clock of its own tells nothing of the core's. */
static void test_a_second_cache_that_does_not_follow(void **state)
{
	static const struct known_level machine[CLOCK_LEVELS] = {{"L1", 32 * KIB, 4, 0},
								 {"L2", 512 * KIB, 4, 10},
								 {"L3", 12 * MIB, 38, 20},
								 {"memory", 0, 61, 78}};
	struct fathom_result *runs[] = {clock_run_of(machine, 2, 0.002, 7, false),
					clock_run_of(machine, 4, 0.002, 8, false)};
	struct fathom_result *result;
	(void)state;
	assert_int_equal(clock_runs_find(runs, 2, NULL, &result, NULL), 0);
	assert_float_equal(result->clocks[1].relative, 2, 0.02);
	assert_non_null(strstr(result->warnings.items[0].text, "hits in L1"));
	assert_non_null(strstr(result->warnings.items[0].text, "L2, which does not follow it"));
	assert_non_null(warnings_find(&result->warnings, "clock-not-followed"));
	fathom_result_free(result);
}

/* Without sizes of the second cache the first tells the clock: the third is not the second. */
static void test_caches_are_counted_as_caches(void **state)
{
	struct fathom_result *runs[] = {clock_run(2, 0.002, 7, false),
					clock_run(4, 0.002, 8, false)};
	struct fathom_result *result;
	(void)state;
	for (int i = 0; i < 2; i++) {
		struct fathom_curve *curve = &runs[i]->curves[0];
		for (size_t k = 0; k < curve->point_count; k++) {
			double bytes = (double)curve->points[k].spec.size_bytes;
			if (i == 1 && bytes > 40 * KIB && bytes < 500 * KIB)
				curve->points[k].latency_ns = NAN;
		}
	}
	assert_int_equal(clock_runs_find(runs, 2, NULL, &result, NULL), 0);
	assert_float_equal(result->clocks[1].relative, 2, 0.02);
	assert_non_null(strstr(result->warnings.items[0].text, "hits in L1"));
	fathom_result_free(result);
}

/* A warning of a run says which in `where`, and not in its text again. */
static void test_a_run_is_named_once(void **state)
{
	struct fathom_result *runs[] = {clock_run(2, 0.002, 1, true), clock_run(4, 0.002, 2, true)};
	struct fathom_result *result;
	(void)state;
	warnings_add(&runs[1]->warnings, "clock-wandered", NULL, NULL, "the clock wandered");
	assert_int_equal(clock_runs_find(runs, 2, NULL, &result, NULL), 0);
	assert_int_equal(result->warnings.count, 1);
	assert_string_equal(result->warnings.items[0].where, "run 2");
	assert_string_equal(result->warnings.items[0].text, "the clock wandered");
	fathom_result_free(result);
}

static void check_refused(const double *clocks_hz, struct fathom_result **runs,
			  enum fathom_status status, const char *reason)
{
	struct fathom_result *result = NULL;
	struct fathom_error error = {0};
	assert_int_equal(clock_runs_find(runs, 2, clocks_hz, &result, &error), -1);
	assert_null(result);
	assert_int_equal(error.status, status);
	assert_non_null(strstr(error.text, reason));
	assert_non_null(error.hint);
	fathom_error_clear(&error);
}

static void test_clocks_in_the_wrong_order(void **state)
{
	struct fathom_result *runs[] = {clock_run(2, 0.002, 1, true), clock_run(4, 0.002, 2, true)};
	(void)state;
	check_refused((const double[]){4e9, 2e9}, runs, FATHOM_USAGE, "L1 is slower at the higher");
}

static void test_the_same_clock(void **state)
{
	struct fathom_result *runs[] = {clock_run(2, 0.002, 1, true), clock_run(2, 0.002, 2, true)};
	struct fathom_result *told[] = {clock_run(2, 0.002, 1, true), clock_run(4, 0.002, 2, true)};
	(void)state;
	check_refused(NULL, runs, FATHOM_BAD_INPUT, "the same clock (2 GHz in both)");
	check_refused((const double[]){3e9, 3e9}, told, FATHOM_USAGE, "(3 GHz in both)");
}

static void test_clocks_that_are_hardly_apart(void **state)
{
	struct fathom_result *near[] = {clock_run(2, 0.002, 1, true),
					clock_run(2.1, 0.002, 2, true)};
	struct fathom_result *far[] = {clock_run(2, 0.002, 1, true),
				       clock_run(2.3, 0.002, 2, true)};
	struct fathom_result *result;
	(void)state;
	assert_int_equal(clock_runs_find(near, 2, NULL, &result, NULL), 0);
	assert_non_null(warnings_find(&result->warnings, "clocks-near"));
	fathom_result_free(result);
	assert_int_equal(clock_runs_find(far, 2, NULL, &result, NULL), 0);
	assert_null(warnings_find(&result->warnings, "clocks-near"));
	fathom_result_free(result);
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(test_sizes_at_one_clock_are_left_out),
	cmocka_unit_test(test_rows_show_what_was_measured),
	cmocka_unit_test(test_the_ratio_of_clocks_is_within_its_interval),
	cmocka_unit_test(test_a_cache_whose_end_is_not_reached),
	cmocka_unit_test(test_a_second_cache_that_does_not_follow),
	cmocka_unit_test(test_caches_are_counted_as_caches),
	cmocka_unit_test(test_a_run_is_named_once),
	cmocka_unit_test(test_clocks_in_the_wrong_order),
	cmocka_unit_test(test_the_same_clock),
	cmocka_unit_test(test_clocks_that_are_hardly_apart),
};
UNIT_GROUP();
