/* What a prefetcher is worth: the difference, its interval, and whether that excludes 0. */
#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "document/table.h"
#include "model/prefetchers.h"
#include "unit.h"

#define SIZE ((uint64_t)1 << 28)

static struct fathom_point points[8];
static struct fathom_curve curves[8];
static struct fathom_result result;

static void add(enum fathom_pattern pattern, uint64_t stride_bytes, double ns, double half_ns)
{
	size_t i = result.curve_count++;
	points[i] = (struct fathom_point){
		.spec = {.pattern = pattern, .stride_bytes = stride_bytes, .size_bytes = SIZE},
		.latency_ns = ns,
		.latency_low_ns = ns - half_ns,
		.latency_high_ns = ns + half_ns,
	};
	curves[i] = (struct fathom_curve){
		.experiment = FATHOM_ABLATION, .points = &points[i], .point_count = 1};
}

static int begin(void **state)
{
	(void)state;
	result = (struct fathom_result){.curves = curves};
	return 0;
}

static int end(void **state)
{
	(void)state;
	table_free_items(&effect_table, result.effects, result.effect_count);
	return 0;
}

static const struct fathom_effect *find_only(const char *name)
{
	assert_int_equal(prefetchers_find(&result, NULL), 0);
	assert_int_equal(result.effect_count, 1);
	assert_string_equal(result.effects[0].name, name);
	assert_true(result.effects[0].size_bytes == SIZE);
	return &result.effects[0];
}

static void near(double value, double wanted)
{
	assert_true(fabs(value - wanted) < 1e-9);
}

static void a_difference_beyond_both_intervals_acts(void **state)
{
	(void)state;
	add(FATHOM_SEQUENTIAL, 0, 5, 1);
	add(FATHOM_PAGE_LOCAL, 0, 50, 2);
	const struct fathom_effect *effect = find_only("stride");
	near(effect->ns, 45);
	near(effect->low_ns, 42);
	near(effect->high_ns, 48);
	assert_true(effect->acts);
	assert_int_equal(effect->with_curve, 0);
	assert_int_equal(effect->without_curve, 1);
}

static void an_interval_that_holds_0_does_not(void **state)
{
	(void)state;
	add(FATHOM_RANDOM_CYCLE, 0, 100, 10);
	add(FATHOM_RANDOM_LAPS, 0, 115, 6);
	const struct fathom_effect *effect = find_only("temporal");
	near(effect->low_ns, -1);
	assert_false(effect->acts);
}

static void a_trifle_does_not(void **state)
{
	(void)state;
	add(FATHOM_RANDOM_CYCLE, 0, 100, 0.1);
	add(FATHOM_RANDOM_LAPS, 0, 104, 0.1);
	assert_false(find_only("temporal")->acts);
}

static void without_intervals_nothing_does(void **state)
{
	(void)state;
	add(FATHOM_SEQUENTIAL, 0, 5, NAN);
	add(FATHOM_PAGE_LOCAL, 0, 50, 2);
	const struct fathom_effect *effect = find_only("stride");
	assert_true(isnan(effect->low_ns));
	assert_false(effect->acts);
}

static void of_a_pair_the_second_access_is_told(void **state)
{
	(void)state;
	add(FATHOM_LINE_PAIR, 64, 60, 1);
	add(FATHOM_LINE_PAIR, 128, 100, 1);
	const struct fathom_effect *effect = find_only("adjacent line");
	near(effect->ns, 80);
	near(effect->low_ns, 76);
	assert_true(effect->acts);
}

/* Both drift by more than they differ. */
static void blocks_of_the_same_round_are_compared(void **state)
{
	(void)state;
	double slow[] = {110, 120, 130, 140, 150, 160, 170}, fast[] = {99, 108, 119, 127, 138, 147};
	add(FATHOM_RANDOM_CYCLE, 0, 123, 25);
	add(FATHOM_RANDOM_LAPS, 0, 140, 30);
	points[0].blocks_ns = fast;
	points[0].block_count = 6;
	points[1].blocks_ns = slow;
	points[1].block_count = 7;
	const struct fathom_effect *effect = find_only("temporal");
	near(effect->ns, 12);
	near(effect->low_ns, 11);
	near(effect->high_ns, 13);
	assert_true(effect->acts);
	points[0].block_count = 5;
	assert_false(find_only("temporal")->acts);
}

static void other_experiments_have_none(void **state)
{
	(void)state;
	add(FATHOM_SEQUENTIAL, 0, 5, 1);
	add(FATHOM_PAGE_LOCAL, 0, 50, 2);
	curves[0].experiment = FATHOM_PATTERNS;
	assert_int_equal(prefetchers_find(&result, NULL), 0);
	assert_int_equal(result.effect_count, 0);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, begin, end)

static const struct CMUnitTest tests[] = {
	TEST(a_difference_beyond_both_intervals_acts),
	TEST(an_interval_that_holds_0_does_not),
	TEST(a_trifle_does_not),
	TEST(without_intervals_nothing_does),
	TEST(of_a_pair_the_second_access_is_told),
	TEST(blocks_of_the_same_round_are_compared),
	TEST(other_experiments_have_none),
};
UNIT_GROUP();
