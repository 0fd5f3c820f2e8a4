/* What is said of the clock that a run had, and when it is said to have wandered. */
#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/warnings.h"
#include "measure/sampling/clock_record.h"
#include "unit.h"

#define TARGET 0.01
#define NEAR   1e-6

/* `swing`, from lowest to highest, evenly over the run and in no order; then `drift` on top. */
static struct fathom_result told(size_t count, double swing, double drift)
{
	struct clock_record record = {0};
	struct fathom_result result = {0};
	for (size_t i = 0; i < count; i++) {
		double share = (double)(i * 7 % count) / (double)(count - 1) - 0.5;
		double late = (double)i / (double)(count - 1);
		double hz = 3e9 * (1 + swing * share + drift * late);
		assert_int_equal(clock_record_add(&record, hz, NULL), 0);
		assert_int_equal(clock_record_add(&record, NAN, NULL), 0);
	}
	clock_record_report(&record, TARGET, &result);
	clock_record_free(&record);
	return result;
}

static void test_a_clock_that_holds_still(void **state)
{
	struct fathom_result result = told(100, 0.02, 0);
	(void)state;
	assert_int_equal(result.warnings.count, 0);
	assert_float_equal(result.clock_min_hz, 2.97e9, 1);
	assert_float_equal(result.clock_median_hz, 3e9, 1e6);
	assert_float_equal(result.clock_max_hz, 3.03e9, 1);
	assert_true(fabs(result.clock_drift) < 0.005);
}

static void test_no_clock(void **state)
{
	struct clock_record record = {0};
	struct fathom_result result = {.clock_missing = (char *)"it is emulated"};
	(void)state;
	clock_record_report(&record, TARGET, &result);
	assert_int_equal(result.warnings.count, 0); /* nothing was measured */
	assert_int_equal(clock_record_add(&record, NAN, NULL), 0);
	clock_record_report(&record, TARGET, &result);
	assert_int_equal(result.warnings.count, 1);
	assert_string_equal(result.warnings.items[0].id, "no-cycles");
	assert_non_null(strstr(result.warnings.items[0].text, "it is emulated"));
	assert_true(isnan(result.clock_median_hz));
	warnings_free(&result.warnings);
}

static void test_a_clock_that_wanders(void **state)
{
	struct fathom_result result = told(100, 0.04, 0);
	(void)state;
	assert_int_equal(result.warnings.count, 1);
	assert_string_equal(result.warnings.items[0].id, "clock-wandered");
	assert_non_null(strstr(result.warnings.items[0].text, "between 2.94 and 3.06 GHz"));
	warnings_free(&result.warnings);
}

static void test_a_clock_that_falls(void **state)
{
	struct fathom_result result = told(101, 0, -0.04);
	(void)state;
	/* The middles of the ends are three quarters of the run apart. */
	assert_float_equal(result.clock_drift, -0.03, 0.001);
	assert_int_equal(result.warnings.count, 1);
	assert_non_null(strstr(result.warnings.items[0].text, "lower at the end"));
	warnings_free(&result.warnings);
}

/* A probe that was hit is no clock that moves. */
static void test_one_that_strays(void **state)
{
	struct clock_record record = {0};
	struct fathom_result result = {0};
	(void)state;
	for (int i = 0; i < 60; i++)
		assert_int_equal(clock_record_add(&record, i == 30 ? 2e9 : 3e9, NULL), 0);
	clock_record_report(&record, TARGET, &result);
	clock_record_free(&record);
	assert_int_equal(result.warnings.count, 0);
	assert_float_equal(result.clock_min_hz, 2e9, NEAR);
	assert_float_equal(result.clock_drift, 0, NEAR);
}

static void test_none_and_few(void **state)
{
	struct clock_record record = {0};
	struct fathom_result result = {0};
	(void)state;
	clock_record_report(&record, TARGET, &result);
	assert_true(isnan(result.clock_min_hz) && isnan(result.clock_median_hz));
	assert_true(isnan(result.clock_max_hz) && isnan(result.clock_drift));
	assert_int_equal(clock_record_add(&record, 3e9, NULL), 0);
	clock_record_report(&record, TARGET, &result);
	assert_float_equal(result.clock_median_hz, 3e9, NEAR);
	assert_true(isnan(result.clock_drift));
	assert_int_equal(result.warnings.count, 0);
	clock_record_free(&record);
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(test_a_clock_that_holds_still), cmocka_unit_test(test_no_clock),
	cmocka_unit_test(test_a_clock_that_wanders),     cmocka_unit_test(test_a_clock_that_falls),
	cmocka_unit_test(test_one_that_strays),          cmocka_unit_test(test_none_and_few),
};
UNIT_GROUP();
