/* The generator: reproducible, uniform, without bias at the edges. */
#include <math.h>
#include <stddef.h>
#include <stdint.h>

#include "base/rng.h"
#include "unit.h"

static void same_seed_same_numbers(void **state)
{
	(void)state;
	struct rng a = rng_make(5), b = rng_make(5), c = rng_make(6);
	int different = 0;
	for (int i = 0; i < 100; i++) {
		uint64_t number = rng_next(&a);
		assert_true(number == rng_next(&b));
		different += number != rng_next(&c);
	}
	assert_int_equal(different, 100);
}

/* From the reference programs of Blackman and Vigna (prng.di.unimi.it), seed 0: splitmix64.c,
 * and xoshiro256starstar.c on a state of four of its numbers. */
static void agrees_with_the_reference(void **state)
{
	(void)state;
	assert_true(rng_mix(0, 0) == 0xE220A8397B1DCDAFu);
	assert_true(rng_mix(0, 1) == 0x6E789E6AA1B965F4u);
	struct rng rng = {{1, 2, 3, 4}};
	assert_true(rng_next(&rng) == 11520);
	assert_true(rng_next(&rng) == 0);
	assert_true(rng_next(&rng) == 1509978240);
	assert_true(rng_next(&rng) == 1215971899390074240u);
}

static void below_stays_below_and_is_uniform(void **state)
{
	(void)state;
	struct rng rng = rng_make(1);
	int counts[10] = {0};
	for (int i = 0; i < 100000; i++) {
		uint64_t number = rng_below(&rng, 10);
		assert_true(number < 10);
		counts[number]++;
	}
	for (int i = 0; i < 10; i++) /* 10000 expected, standard deviation 95 */
		assert_in_range(counts[i], 9500, 10500);
	for (int i = 0; i < 100; i++)
		assert_true(rng_below(&rng, 1) == 0);
}

static void large_bounds_have_no_bias(void **state)
{
	(void)state;
	struct rng rng = rng_make(2);
	const uint64_t bound = 3ull
			       << 62; /* a plain remainder would hit the low third twice as often */
	int low = 0;
	for (int i = 0; i < 30000; i++)
		low += rng_below(&rng, bound) < bound / 3;
	assert_in_range(low, 9600, 10400);
}

static void unit_and_normal_have_their_moments(void **state)
{
	(void)state;
	struct rng rng = rng_make(3);
	const int count = 100000;
	double unit_sum = 0, normal_sum = 0, normal_squares = 0;
	for (int i = 0; i < count; i++) {
		double unit = rng_unit(&rng), normal = rng_normal(&rng);
		assert_true(unit >= 0 && unit < 1 && isfinite(normal));
		unit_sum += unit;
		normal_sum += normal;
		normal_squares += normal * normal;
	}
	assert_true(fabs(unit_sum / count - 0.5) < 0.005);
	assert_true(fabs(normal_sum / count) < 0.02);
	assert_true(fabs(normal_squares / count - 1) < 0.03);
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(same_seed_same_numbers),
	cmocka_unit_test(agrees_with_the_reference),
	cmocka_unit_test(below_stays_below_and_is_uniform),
	cmocka_unit_test(large_bounds_have_no_bias),
	cmocka_unit_test(unit_and_normal_have_their_moments),
};
UNIT_GROUP();
