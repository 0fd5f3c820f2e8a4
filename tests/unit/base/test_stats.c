/* Order statistics against what the definition gives. */
#include <math.h>
#include <stddef.h>
#include <stdint.h>

#include "base/rng.h"
#include "base/stats.h"
#include "unit.h"

static void median_of_any_order(void **state)
{
	(void)state;
	double odd[] = {3, 1, 2}, even[] = {4, 1, 3, 2}, one[] = {7};
	assert_true(stats_median(odd, 3) == 2);
	assert_true(stats_median(even, 4) == 2.5);
	assert_true(even[0] == 1 && even[3] == 4);
	assert_true(stats_median(one, 1) == 7);
	assert_true(isnan(stats_median_sorted(NULL, 0)));
}

/* Ranks from tables of the sign test (P >= 95 %). */
static void ranks_are_those_of_the_tables(void **state)
{
	(void)state;
	static const struct {
		size_t count, rank;
	} known[] = {{0, 0},  {1, 0},  {5, 0},  {6, 1},  {8, 1},  {9, 2},   {11, 2},  {12, 3},
		     {14, 3}, {15, 4}, {20, 6}, {21, 6}, {25, 8}, {30, 10}, {100, 40}};
	for (size_t i = 0; i < sizeof(known) / sizeof(*known); i++)
		assert_int_equal(stats_interval_rank(known[i].count), known[i].rank);
}

static void ranks_of_many_values_stay_sound(void **state)
{
	(void)state;
	for (size_t count = 6; count < 3000; count++) {
		size_t rank = stats_interval_rank(count);
		/* the normal approximation: n/2 - 0.98 sqrt(n) */
		double expected = (double)count / 2 - 0.98 * sqrt((double)count);
		assert_true(fabs((double)rank - expected) < 2);
	}
}

static void interval_is_that_pair(void **state)
{
	(void)state;
	double values[9];
	for (int i = 0; i < 9; i++)
		values[i] = i + 1;
	struct stats_interval nine = stats_median_interval(values, 9);
	assert_true(nine.low == 2 && nine.high == 8);
	struct stats_interval six = stats_median_interval(values, 6);
	assert_true(six.low == 1 && six.high == 6);
	struct stats_interval five = stats_median_interval(values, 5);
	assert_true(isnan(five.low) && isnan(five.high));
}

static void interval_holds_the_median_as_often_as_it_says(void **state)
{
	(void)state;
	struct rng rng = rng_make(11);
	int held = 0;
	for (int i = 0; i < 20000; i++) {
		double values[14];
		for (int v = 0; v < 14; v++)
			values[v] = exp(rng_normal(&rng)); /* median 1, skewed */
		stats_sort(values, 14);
		struct stats_interval interval = stats_median_interval(values, 14);
		held += interval.low <= 1 && 1 <= interval.high;
	}
	assert_in_range(held, 19500, 19800); /* 98.7 %, the next narrower pair 94.3 % */
}

/* Groups of 1 3, 5 7 and 9 11: means 2, 6 and 10 (variance 16), inside each the variance is 2. */
static void what_groups_have_in_common_is_told_from_noise(void **state)
{
	(void)state;
	static const size_t pairs[] = {1, 1, 2, 2, 3, 3}, one[6] = {0}, each[] = {1, 2, 3, 4, 5, 6};
	static const size_t uneven[] = {1, 2, 2, 2, 3, 3};
	const double apart[] = {1, 3, 5, 7, 9, 11}, alike[] = {1, 3, 3, 1, 1, 3};
	struct stats_spread spread = stats_spread(apart, pairs, 6);
	assert_float_equal(spread.between, sqrt(16 - 2 / 2.0), 1e-12);
	assert_float_equal(spread.within, sqrt(2), 1e-12);
	spread = stats_spread(alike, pairs, 6);
	assert_float_equal(spread.between, 0, 0);
	assert_float_equal(spread.within, sqrt(2), 1e-12);
	spread = stats_spread(alike, uneven, 6);
	assert_float_equal(spread.within, sqrt(14.0 / 9), 1e-12);
	assert_float_equal(spread.between, 0, 0);
	assert_true(isnan(stats_spread(apart, one, 6).between));
	assert_true(isnan(stats_spread(apart, each, 6).within));
}

static void isotonic_values_never_fall(void **state)
{
	double values[] = {1, 3, 2, 5, 4, 0, 7}, rising[] = {1, 2, 2, 9};
	const double pooled[] = {1, 2.5, 2.5, 3, 3, 3, 7};
	(void)state;
	stats_isotonic(values, 7);
	for (size_t i = 0; i < 7; i++)
		assert_true(fabs(values[i] - pooled[i]) < 1e-12);
	stats_isotonic(rising, 4);
	assert_true(rising[1] == 2 && rising[3] == 9);
	stats_isotonic(NULL, 0);
}

static void the_shorth_is_where_values_lie_densest(void **state)
{
	(void)state;
	static const double tail[] = {1, 1, 1.25, 1.5, 7, 9, 30}, one[] = {3};
	struct stats_shorth shorth = stats_shorth(tail, 7);
	assert_true(shorth.low == 1 && shorth.high == 1.5 && shorth.center == 4.75 / 4);
	shorth = stats_shorth(one, 1);
	assert_true(shorth.low == 3 && shorth.high == 3 && shorth.center == 3);
	assert_true(isnan(stats_shorth(NULL, 0).center));
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(median_of_any_order),
	cmocka_unit_test(ranks_are_those_of_the_tables),
	cmocka_unit_test(ranks_of_many_values_stay_sound),
	cmocka_unit_test(interval_is_that_pair),
	cmocka_unit_test(interval_holds_the_median_as_often_as_it_says),
	cmocka_unit_test(what_groups_have_in_common_is_told_from_noise),
	cmocka_unit_test(isotonic_values_never_fall),
	cmocka_unit_test(the_shorth_is_where_values_lie_densest),
};
UNIT_GROUP();
