/* What a sweep does next: which sizes, how many blocks of each, how much warming. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "measure/reach.h"
#include "measure/schedule.h"

/* 1 KiB to 1 GiB, four sizes an octave; caches end at 32 KiB and 8 MiB. */
#define SIZES      81
#define PER_OCTAVE 4
#define VISIT_S    0.01

static struct tally tallies[SIZES];
static double values[SIZES][64], scratch[64];

static double truth_ns(uint64_t bytes)
{
	return bytes <= 32 << 10 ? 1.5 : bytes <= 8 << 20 ? 10 : 100;
}

static void give_blocks(size_t index, size_t count)
{
	struct tally *tally = &tallies[index];
	tally->ns = values[index];
	tally->scratch = scratch;
	for (; tally->block_count < count; tally->block_count++)
		values[index][tally->block_count] = truth_ns(tally->spec.size_bytes);
	tally->cost_s = VISIT_S;
}

static struct schedule make(void)
{
	memset(tallies, 0, sizeof(tallies));
	for (size_t i = 0; i < SIZES; i++) {
		tallies[i].spec = (struct fathom_spec){
			.size_bytes = (uint64_t)(1024 * exp2((double)i / PER_OCTAVE)),
			.node_bytes = 64};
		tallies[i].cost_s = NAN;
	}
	return schedule_make(tallies, SIZES, 1u << 30, 64, 20);
}

static struct schedule make_after_first_pass(void)
{
	struct schedule schedule = make();
	for (size_t i = 0; i < SIZES; i += PER_OCTAVE)
		give_blocks(i, 1);
	schedule_set_reach(&schedule);
	for (size_t i = 0; i < SIZES; i += PER_OCTAVE)
		tallies[i].cost_s = VISIT_S;
	return schedule;
}

static size_t count_wanted(void)
{
	size_t count = 0;
	for (size_t i = 0; i < SIZES; i++)
		count += tallies[i].wanted;
	return count;
}

static void the_last_cliff_is_found(void **state)
{
	(void)state;
	struct schedule schedule = make_after_first_pass();
	for (size_t i = 0; i < SIZES; i++)
		assert_int_equal(tallies[i].stride == 0, i % PER_OCTAVE == 0);
	assert_int_equal(tallies[1].stride, 1);
	assert_int_equal(tallies[2].stride, 2);
	assert_int_equal(schedule.always_count, SIZES);
	assert_int_equal(schedule.reach_bytes, 16 << 20); /* the octave after 8 MiB */
}

static void slow_growth_is_no_cliff(void **state)
{
	(void)state;
	make();
	for (size_t i = 0; i < SIZES; i++) {
		give_blocks(i, 1);
		values[i][0] = 100 * pow(1.2, (double)i / PER_OCTAVE);
	}
	assert_int_equal(reach_find(tallies, SIZES), 0);
}

static void enough_time_wants_all(void **state)
{
	(void)state;
	struct schedule schedule = make_after_first_pass();
	schedule_choose(&schedule, 1000);
	assert_int_equal(count_wanted(), SIZES);
}

static void little_time_wants_even_steps(void **state)
{
	(void)state;
	struct schedule schedule = make_after_first_pass();
	schedule_choose(&schedule, 0);
	assert_int_equal(count_wanted(), SIZES / PER_OCTAVE + 1); /* what has a block is kept */
	schedule_choose(&schedule, 3);
	size_t wanted = count_wanted();
	assert_true(wanted > SIZES / PER_OCTAVE + 1 && wanted < SIZES);
	assert_true(tallies[2].wanted && tallies[78].wanted); /* half-way before quarter-way */
}

static void trimming_starts_with_the_dearest_between_others(void **state)
{
	(void)state;
	struct schedule schedule = make_after_first_pass();
	for (size_t i = 0; i < SIZES; i += PER_OCTAVE)
		tallies[i].cost_s = i < 60 ? 0.001 : 0.1;
	schedule_choose(&schedule, 1000);
	schedule_trim(&schedule, 1000);
	assert_int_equal(count_wanted(), SIZES);
	schedule_trim(&schedule, 6);
	assert_true(count_wanted() < SIZES);
	for (size_t i = 0; i < 57; i++)
		assert_true(tallies[i].wanted);
	assert_false(tallies[57].wanted);
	assert_true(tallies[SIZES - 1].wanted);
	schedule_trim(&schedule, 0);
	assert_int_equal(count_wanted(), SIZES / PER_OCTAVE + 1);
}

/* Spaced nodes leave few small sizes: they are no octaves of eight. */
static void few_small_sizes_are_still_an_octave_apart(void **state)
{
	(void)state;
	make();
	for (size_t i = 0; i < SIZES; i++)
		tallies[i].spec.size_bytes = 4096 * (i + 1);
	schedule_make(tallies, SIZES, 1u << 30, 64, 20);
	for (size_t i = 0; i < SIZES; i++) {
		bool apart = i + 1 == SIZES || ((i + 1) & i) == 0;
		assert_int_equal(tallies[i].stride == 0, apart);
	}
}

static void what_has_no_interval_yet_is_brought_to_one(void **state)
{
	(void)state;
	struct schedule schedule = make_after_first_pass();
	size_t index = schedule_soonest(&schedule, 0.01, 10);
	assert_true(index < SIZES);
	assert_true(tallies[index].block_count < SCHEDULE_FEWEST_BLOCKS);
}

static void large_sizes_share_a_chain(void **state)
{
	(void)state;
	struct schedule schedule = make_after_first_pass();
	assert_int_equal(schedule_blocks_a_visit(&schedule, &tallies[0]), 1);
	assert_int_equal(schedule_blocks_a_visit(&schedule, &tallies[SIZES - 1]), 3);
}

static void warming_is_a_lap_or_the_last_cache(void **state)
{
	(void)state;
	struct schedule schedule = make_after_first_pass();
	struct sampler_options options = {0};
	schedule_warming(&schedule, &tallies[0], false, &options);
	assert_int_equal(options.warm_hops, 16);
	assert_int_equal(options.lap_hops, 16);
	assert_int_equal(options.alone_hops, 0);
	schedule_warming(&schedule, &tallies[SIZES - 1], false, &options);
	assert_int_equal(options.warm_hops, (16 << 20) / 64);
	assert_int_equal(options.alone_hops, 0);
	schedule_warming(&schedule, &tallies[14 * PER_OCTAVE], false, &options); /* 16 MiB */
	assert_int_equal(options.alone_hops, (16 << 20) / 64);
	schedule_warming(&schedule, &tallies[0], true, &options);
	assert_int_equal(options.warm_hops, 0);
}

static void the_nearest_to_its_target_comes_first(void **state)
{
	(void)state;
	struct schedule schedule = make_after_first_pass();
	for (size_t i = 0; i < SIZES; i++)
		give_blocks(i, 6);
	assert_int_equal(schedule_soonest(&schedule, 0.01, 10), SIZES); /* both are exact */
	values[0][0] *= 1.2;
	values[4][0] *= 1.05;
	assert_int_equal(schedule_soonest(&schedule, 0.01, 10), 4);
	assert_int_equal(schedule_soonest(&schedule, 0.01, VISIT_S), SIZES);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_last_cliff_is_found),
		cmocka_unit_test(slow_growth_is_no_cliff),
		cmocka_unit_test(enough_time_wants_all),
		cmocka_unit_test(little_time_wants_even_steps),
		cmocka_unit_test(trimming_starts_with_the_dearest_between_others),
		cmocka_unit_test(few_small_sizes_are_still_an_octave_apart),
		cmocka_unit_test(what_has_no_interval_yet_is_brought_to_one),
		cmocka_unit_test(large_sizes_share_a_chain),
		cmocka_unit_test(warming_is_a_lap_or_the_last_cache),
		cmocka_unit_test(the_nearest_to_its_target_comes_first),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
