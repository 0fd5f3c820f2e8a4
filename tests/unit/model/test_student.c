/* Student's t against printed tables, and Holm's adjustment by hand. */
#include <math.h>
#include <stddef.h>
#include <stdint.h>

#include "model/compare/student.h"
#include "unit.h"

/* Two-sided 5 % and 0.1 %. Source: NIST/SEMATECH e-Handbook of Statistical Methods, 1.3.6.7.2. */
static void quantiles_are_those_of_the_table(void **state)
{
	static const double table[][3] = {{1, 12.706, 636.619}, {2, 4.303, 31.599},
					  {4, 2.776, 8.610},    {6, 2.447, 5.959},
					  {10, 2.228, 4.587},   {100, 1.984, 3.390}};
	(void)state;
	for (size_t i = 0; i < sizeof(table) / sizeof(*table); i++) {
		assert_true(fabs(student_reach(0.05, table[i][0]) - table[i][1]) <= 1e-3);
		assert_true(fabs(student_reach(0.001, table[i][0]) / table[i][2] - 1) <= 1e-3);
	}
}

/* In closed form: one degree of freedom is Cauchy's distribution, two has a root. */
static void tails_are_those_of_closed_forms(void **state)
{
	(void)state;
	for (double t = 0.01; t < 1e6; t *= 3) {
		double cauchy = 1 - 2 / acos(-1) * atan(t), two = 1 - t / sqrt(2 + t * t);
		assert_true(fabs(student_tails(t, 1) - cauchy) <= 1e-12);
		assert_true(fabs(student_tails(t, 2) - two) <= 1e-12);
	}
	assert_true(fabs(student_tails(0, 5) - 1) <= 0);
	assert_true(fabs(student_tails(INFINITY, 5) - 0) <= 0);
}

static void reach_is_the_inverse_of_tails(void **state)
{
	(void)state;
	for (double freedom = 1; freedom < 200; freedom *= 1.7)
		for (double tails = 1e-6; tails < 1; tails *= 4) {
			double t = student_reach(tails, freedom);
			assert_true(fabs(student_tails(t, freedom) / tails - 1) <= 1e-9);
		}
}

static void the_smallest_is_multiplied_by_the_number_of_tests(void **state)
{
	const double given[] = {0.01, NAN, 0.04, 0.03, 0.005};
	double adjusted[5];
	(void)state;
	assert_int_equal(student_adjust(given, 5, adjusted), 0);
	assert_true(fabs(adjusted[4] - 4 * 0.005) <= 1e-15);
	assert_true(fabs(adjusted[0] - 3 * 0.01) <= 1e-15);
	assert_true(fabs(adjusted[3] - 2 * 0.03) <= 1e-15);
	assert_true(fabs(adjusted[2] - 2 * 0.03) <= 1e-15); /* never under the one before */
	assert_true(isnan(adjusted[1]));
}

static void no_probability_is_over_one(void **state)
{
	const double given[] = {0.9, 0.6};
	double adjusted[2];
	(void)state;
	assert_int_equal(student_adjust(given, 2, adjusted), 0);
	assert_true(fabs(adjusted[0] - 1) <= 0);
	assert_true(fabs(adjusted[1] - 1) <= 0);
	assert_int_equal(student_adjust(NULL, 0, NULL), 0);
}

static void false_alarms_are_adjusted_by_their_rank(void **state)
{
	const double given[] = {0.5, 0.001, NAN, 0.01, 0.9};
	double adjusted[5];
	(void)state;
	assert_int_equal(student_adjust_share(given, 5, adjusted), 0);
	assert_true(fabs(adjusted[1] - 0.004) < 1e-12);
	assert_true(fabs(adjusted[3] - 0.02) < 1e-12);
	assert_true(fabs(adjusted[0] - 2.0 / 3) < 1e-12);
	assert_true(adjusted[4] == 0.9 && isnan(adjusted[2]));
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(quantiles_are_those_of_the_table),
	cmocka_unit_test(tails_are_those_of_closed_forms),
	cmocka_unit_test(reach_is_the_inverse_of_tails),
	cmocka_unit_test(the_smallest_is_multiplied_by_the_number_of_tests),
	cmocka_unit_test(false_alarms_are_adjusted_by_their_rank),
	cmocka_unit_test(no_probability_is_over_one),
};
UNIT_GROUP();
