/* The replacement of a cache, told by the orders that it was walked in. */
#include <string.h>

#include "level_curves.h"
#include "unit.h"

static const struct hit_shape lru = {HIT_CYCLE_LRU, false, 8, 1, 0};
static const struct hit_shape scattered = {HIT_CYCLE_LRU, true, 8, 1, 0};
static const struct hit_shape at_random = {HIT_CYCLE_RANDOM, false, 16, 1, 0};
static const struct hit_shape resistant = {HIT_CYCLE_RESISTANT, false, 16, 1, 0};

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

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(both_orders_tell_the_replacement),
	cmocka_unit_test(a_point_every_other_octave_does_not_tell_it),
};
UNIT_GROUP();
