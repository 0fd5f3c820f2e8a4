/* Speed-up and knee of curves along the lanes that were made by hand, with noise. */
#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "lanes.h"
#include "model/parallelism/parallelism.h"
#include "unit.h"

/* The fewest lanes with 90 % of what the most have, without noise. */
static double true_knee(overlapping *shape, double limit)
{
	double top = 0;
	unsigned lanes = 1;
	for (unsigned i = 1; i <= LANES_DENSE; i++)
		top = fmax(top, shape(i, limit));
	while (shape(lanes, limit) < 0.9 * top - 1e-9)
		lanes++;
	return lanes;
}

struct score {
	int tries, knee, speedup, saturated, held, knee_held;
};

/* Limits between the two, each with its own noise. */
static struct score try_many(struct lanes_made made, double least, double most, int tries)
{
	struct score score = {.tries = tries};
	for (int i = 0; i < tries; i++) {
		made.limit = least + (most - least) * i / tries;
		lanes_result.seed = (uint64_t)i;
		const struct fathom_parallelism *found = lanes_find_made(made);
		double knee = true_knee(made.shape, made.limit), top = 0;
		for (int lanes = 1; lanes <= LANES_DENSE; lanes++)
			top = fmax(top, made.shape(lanes, made.limit));
		score.knee += fabs(found->knee_lanes - knee) <= 1;
		score.speedup += within(found->speedup, top, 0.02);
		score.saturated += found->saturated;
		score.held += found->speedup_low <= top && top <= found->speedup_high;
		score.knee_held += found->knee_low_lanes <= knee && knee <= found->knee_high_lanes;
	}
	return score;
}

static void a_hard_knee_is_found_within_a_lane(void **state)
{
	(void)state;
	struct score score = try_many(lanes_made(lanes_hard, 0), 1, 28, 200);
	assert_true(score.knee >= 0.99 * score.tries);
	assert_true(score.speedup >= 0.97 * score.tries);
	assert_true(score.saturated >= 0.99 * score.tries);
}

static void intervals_hold_the_truth(void **state)
{
	(void)state;
	struct score score = try_many(lanes_made(lanes_hard, 0), 1, 28, 200);
	assert_true(score.held >= 0.9 * score.tries);
	assert_true(score.knee_held >= 0.95 * score.tries);
}

static void much_noise_makes_no_plateau_of_its_best(void **state)
{
	(void)state;
	struct lanes_made made = lanes_made(lanes_hard, 0);
	made.noise = 0.1;
	struct score score = try_many(made, 2, 28, 100);
	assert_true(score.knee >= 0.85 * score.tries);
	assert_true(score.held >= 0.85 * score.tries);
}

static void a_soft_knee_is_found_within_a_lane(void **state)
{
	(void)state;
	struct score score = try_many(lanes_made(lanes_soft, 0), 1, 18, 100);
	assert_true(score.knee >= 0.95 * score.tries);
	assert_true(score.saturated >= 0.95 * score.tries);
}

static void a_decline_at_many_lanes_hurts_nothing(void **state)
{
	(void)state;
	struct score score = try_many(lanes_made(lanes_falling, 0), 3, 24, 100);
	assert_true(score.knee >= 0.95 * score.tries);
	assert_true(score.speedup >= 0.95 * score.tries);
	assert_true(score.saturated == score.tries);
}

static void what_still_rises_is_a_lower_bound(void **state)
{
	(void)state;
	const struct fathom_parallelism *found = lanes_find_made(lanes_made(lanes_hard, 40));
	assert_false(found->saturated);
	assert_true(within(found->speedup, 32, 0.02));
	assert_int_equal(found->limit, FATHOM_LIMIT_LANES);
	found = lanes_find_made(lanes_made(lanes_hyperbolic, 30));
	assert_false(found->saturated);
	found = lanes_find_made(lanes_made(lanes_hard, 27));
	assert_true(found->saturated);
}

/* The gain of each number of lanes is as uncertain, the rise from one to the other is not. */
static void noise_of_one_lane_hides_no_rise(void **state)
{
	(void)state;
	static const unsigned few[] = {1, 2, 4, 8, 12, 13, 14, 15, 16};
	struct lanes_made made = lanes_made(lanes_hard, 40);
	made.lanes = few;
	made.count = 9;
	size_t at = lanes_add(made);
	for (size_t k = 0; k < made.blocks; k++)
		lanes_points(at)[0].blocks_ns[k] *= 1 + 0.07 * (double)(k % 3);
	lanes_summarise(&lanes_points(at)[0]);
	const struct fathom_parallelism *found = lanes_find(0);
	assert_false(found->saturated);
	assert_int_equal(found->limit, FATHOM_LIMIT_LANES);
}

static void accesses_that_never_overlap_have_a_knee_at_one(void **state)
{
	(void)state;
	const struct fathom_parallelism *found = lanes_find_made(lanes_made(lanes_hard, 1));
	assert_true(found->saturated);
	assert_true(within(found->speedup, 1, 0.02));
	assert_true(found->knee_lanes <= 1);
}

/* One block on a placement that is twice as slow. */
static void a_slow_placement_cancels(void **state)
{
	(void)state;
	struct lanes_made made = lanes_made(lanes_hard, 10);
	made.noise = 0.001;
	size_t at = lanes_add(made);
	for (size_t i = 0; i < made.count; i++) {
		lanes_points(at)[i].blocks_ns[2] *= 2;
		lanes_points(at)[i].blocks_ns[4] *= 3;
		lanes_summarise(&lanes_points(at)[i]);
	}
	const struct fathom_parallelism *found = lanes_find(0);
	assert_true(within(found->speedup, 10, 0.005));
	assert_true(found->speedup_high - found->speedup_low < 0.1);
	assert_true(found->latency_high_ns > 2 * found->latency_low_ns);
}

/* At `lanes` many times as many accesses overlap. */
static void make_lucky(size_t curve, size_t lanes, double times)
{
	for (size_t k = 0; k < 6; k++)
		lanes_points(curve)[lanes - 1].blocks_ns[k] /= times;
	lanes_summarise(&lanes_points(curve)[lanes - 1]);
}

static void one_lucky_point_is_neither_plateau_nor_knee(void **state)
{
	(void)state;
	make_lucky(lanes_add(lanes_made(lanes_hard, 12)), 20, 1.2);
	const struct fathom_parallelism *found = lanes_find(0);
	assert_true(within(found->speedup, 12, 0.02));
	assert_true(fabs(found->knee_lanes - 11) <= 1);
	lanes_result.curve_count = 0;
	make_lucky(lanes_add(lanes_made(lanes_hard, 12)), 6, 1.9);
	found = lanes_find(0);
	assert_true(within(found->speedup, 12, 0.02));
	assert_true(fabs(found->knee_lanes - 11) <= 1);
}

static void five_blocks_give_no_interval(void **state)
{
	(void)state;
	struct lanes_made made = lanes_made(lanes_hard, 10);
	made.blocks = 5;
	const struct fathom_parallelism *found = lanes_find_made(made);
	assert_true(within(found->speedup, 10, 0.03));
	assert_true(isnan(found->speedup_low) && isnan(found->speedup_high));
	assert_true(isnan(found->low_ns_per_access) && isnan(found->knee_low_lanes));
	assert_true(isnan(found->low_bytes_per_second));
}

static void points_without_blocks_still_tell(void **state)
{
	(void)state;
	size_t at = lanes_add(lanes_made(lanes_hard, 10));
	for (size_t i = 0; i < LANES_DENSE; i++)
		lanes_points(at)[i].block_count = 0;
	const struct fathom_parallelism *found = lanes_find(0);
	assert_true(within(found->speedup, 10, 0.03));
	assert_true(fabs(found->knee_lanes - 9) <= 1);
	assert_true(isnan(found->speedup_low));
}

/* Interrupted in the middle of a round. */
static void numbers_of_blocks_may_differ(void **state)
{
	(void)state;
	struct lanes_made made = lanes_made(lanes_hard, 10);
	made.blocks = 9;
	size_t at = lanes_add(made);
	for (size_t i = 12; i < LANES_DENSE; i++) {
		lanes_points(at)[i].block_count = 8;
		lanes_summarise(&lanes_points(at)[i]);
	}
	const struct fathom_parallelism *found = lanes_find(0);
	assert_true(within(found->speedup, 10, 0.05));
	assert_true(fabs(found->knee_lanes - 9) <= 1);
	assert_true(found->speedup_low < 10 && found->speedup_high > 10);
}

static void between_lanes_left_out_the_knee_is_as_wide(void **state)
{
	(void)state;
	static const unsigned few[] = {1, 2, 4, 8, 16, 32};
	struct lanes_made made = lanes_made(lanes_hard, 6);
	made.lanes = few;
	made.count = 6;
	const struct fathom_parallelism *found = lanes_find_made(made);
	assert_true(found->saturated);
	assert_true(within(found->speedup, 6, 0.02));
	assert_true(found->knee_lanes == 8);
	assert_true(found->knee_low_lanes == 5 && found->knee_high_lanes == 8);
	made.count = 3;
	found = lanes_find_made(made);
	assert_false(found->saturated);
	assert_true(within(found->speedup, 4, 0.02));
}

static void without_one_lane_there_is_no_speedup(void **state)
{
	(void)state;
	static const unsigned few[] = {2, 4, 8, 16, 32};
	struct lanes_made made = lanes_made(lanes_hard, 6);
	made.lanes = few;
	made.count = 5;
	const struct fathom_parallelism *found = lanes_find_made(made);
	assert_true(isnan(found->speedup) && isnan(found->latency_ns));
	assert_true(isnan(found->speedup_low));
	assert_true(within(found->ns_per_access, 1.05 * LANES_LATENCY_NS / 6, 0.06));
}

static void points_that_were_not_measured_are_left_out(void **state)
{
	(void)state;
	size_t at = lanes_add(lanes_made(lanes_hard, 10));
	lanes_points(at)[8].ns_per_access = NAN;
	lanes_points(at)[9].ns_per_access = NAN;
	const struct fathom_parallelism *found = lanes_find(0);
	assert_true(within(found->speedup, 10, 0.02));
	assert_true(found->knee_low_lanes == 9 && found->knee_lanes == 11);
}

static void one_point_is_no_curve(void **state)
{
	(void)state;
	struct lanes_made made = lanes_made(lanes_hard, 10);
	made.count = 1;
	lanes_add(made);
	assert_int_equal(parallelism_find(&lanes_result, NULL), 0);
	assert_int_equal(lanes_result.parallelism_count, 0);
}

static void a_plateau_that_rises_says_so(void **state)
{
	(void)state;
	lanes_add(lanes_made(lanes_hard, 18));
	assert_null(strstr(lanes_find(0)->evidence, "may gain"));
	lanes_end(NULL);
	lanes_begin(NULL);
	struct fathom_point *points = lanes_points(lanes_add(lanes_made(lanes_hard, 18)));
	for (size_t i = 18; i < LANES_DENSE; i++) {
		double faster = 1 - 0.002 * (double)(i - 17);
		points[i].ns_per_access *= faster;
		for (size_t k = 0; k < points[i].block_count; k++)
			points[i].blocks_ns[k] *= faster;
	}
	const struct fathom_parallelism *found = lanes_find(0);
	assert_true(found->saturated);
	assert_non_null(strstr(found->evidence, "more may gain"));
}

static void the_same_seed_gives_the_same(void **state)
{
	(void)state;
	lanes_add(lanes_made(lanes_hard, 10));
	struct fathom_parallelism first = *lanes_find(0);
	const struct fathom_parallelism *again = lanes_find(0);
	assert_int_equal(lanes_result.parallelism_count, 1);
	assert_true(first.speedup == again->speedup && first.speedup_low == again->speedup_low &&
		    first.high_ns_per_access == again->high_ns_per_access);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, lanes_begin, lanes_end)

static const struct CMUnitTest tests[] = {
	TEST(a_hard_knee_is_found_within_a_lane),
	TEST(intervals_hold_the_truth),
	TEST(much_noise_makes_no_plateau_of_its_best),
	TEST(a_soft_knee_is_found_within_a_lane),
	TEST(a_decline_at_many_lanes_hurts_nothing),
	TEST(what_still_rises_is_a_lower_bound),
	TEST(noise_of_one_lane_hides_no_rise),
	TEST(accesses_that_never_overlap_have_a_knee_at_one),
	TEST(a_slow_placement_cancels),
	TEST(one_lucky_point_is_neither_plateau_nor_knee),
	TEST(five_blocks_give_no_interval),
	TEST(points_without_blocks_still_tell),
	TEST(numbers_of_blocks_may_differ),
	TEST(between_lanes_left_out_the_knee_is_as_wide),
	TEST(without_one_lane_there_is_no_speedup),
	TEST(points_that_were_not_measured_are_left_out),
	TEST(one_point_is_no_curve),
	TEST(a_plateau_that_rises_says_so),
	TEST(the_same_seed_gives_the_same),
};
UNIT_GROUP();
