/* What a sweep does next: which sizes, how many blocks of each, how much warming. */
#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "measure/schedule/last_cliff.h"
#include "measure/schedule/schedule.h"
#include "unit.h"

/* 1 KiB to 1 GiB, four sizes an octave; caches end at 32 KiB and 8 MiB. */
#define SIZES      81
#define PER_OCTAVE 4
#define VISIT_S    0.01

static struct fathom_spec specs[SIZES + SIZES / 2];
static struct schedule schedule;

static double truth_ns(uint64_t bytes)
{
	return bytes <= 32 << 10 ? 1.5 : bytes <= 8 << 20 ? 10 : 100;
}

static void give_blocks(size_t index, size_t count)
{
	struct accumulator *accumulator = &schedule.accumulators[index];
	double ns = truth_ns(accumulator->spec.size_bytes);
	struct sampler_block block = {.mode = {ns, NAN},
				      .mean = {ns, NAN},
				      .mode_width = INFINITY,
				      .clock_hz = NAN,
				      .count = 1};
	while (accumulator->block_count < count)
		assert_int_equal(accumulator_add(accumulator, &block, false, NULL), 0);
	accumulator->cost_s = VISIT_S;
}

/* `control`: sizes of it, from 128 KiB on, two an octave. */
static void fill_specs(size_t control)
{
	memset(specs, 0, sizeof(specs));
	for (size_t i = 0; i < SIZES + control; i++) {
		double step = i < SIZES ? (double)i : (double)(2 * (i - SIZES)) + 7 * PER_OCTAVE;
		specs[i].size_bytes = (uint64_t)(1024 * exp2(step / PER_OCTAVE));
		specs[i].node_bytes = 64;
		if (i >= SIZES) {
			specs[i].pattern = FATHOM_WINDOW;
			specs[i].window_bytes = 65536;
		}
	}
}

static void open_schedule(size_t count)
{
	const struct meter meter = {.line_bytes = 64};
	struct fathom_plan plan = {.specs = specs,
				   .spec_count = count,
				   .always_bytes = 1u << 30,
				   .budget_s = 20,
				   .target = 0.01};
	assert_int_equal(schedule_open(&schedule, &plan, &meter, 2, NULL), 0);
}

static void make(size_t control)
{
	fill_specs(control);
	open_schedule(SIZES + control);
}

static void make_after_first_pass(size_t control)
{
	make(control);
	for (size_t i = 0; i < SIZES; i += PER_OCTAVE)
		give_blocks(i, 1);
	schedule_set_last_cliff(&schedule);
	for (size_t i = 0; i < SIZES; i += PER_OCTAVE)
		schedule.accumulators[i].cost_s = VISIT_S;
}

static int drop(void **state)
{
	(void)state;
	schedule_close(&schedule);
	return 0;
}

static size_t count_wanted(void)
{
	size_t count = 0;
	for (size_t i = 0; i < SIZES; i++)
		count += schedule.accumulators[i].wanted;
	return count;
}

static void the_last_cliff_is_found(void **state)
{
	(void)state;
	make_after_first_pass(0);
	for (size_t i = 0; i < SIZES; i++)
		assert_int_equal(schedule.accumulators[i].stride == 0, i % PER_OCTAVE == 0);
	assert_int_equal(schedule.accumulators[1].stride, 1);
	assert_int_equal(schedule.accumulators[2].stride, 2);
	assert_int_equal(schedule_main_count(&schedule), SIZES);
	assert_int_equal(schedule.reach_bytes, 16 << 20); /* the octave after 8 MiB */
}

static void slow_growth_is_no_cliff(void **state)
{
	(void)state;
	make(0);
	for (size_t i = 0; i < SIZES; i++) {
		give_blocks(i, 1);
		schedule.accumulators[i].blocks[0].mean.ns = 100 * pow(1.2, (double)i / PER_OCTAVE);
	}
	assert_int_equal(last_cliff_find(schedule.accumulators, SIZES), 0);
}

static void no_cache_is_as_slow_as_memory(void **state)
{
	(void)state;
	make(0);
	for (size_t i = 0; i < SIZES; i++) {
		give_blocks(i, 1);
		if (i > 76)
			schedule.accumulators[i].blocks[0].mean.ns = 200;
	}
	assert_int_equal(last_cliff_find(schedule.accumulators, SIZES), 16 << 20);
}

static void enough_time_wants_all(void **state)
{
	(void)state;
	make_after_first_pass(0);
	schedule_choose(&schedule, 1000);
	assert_int_equal(count_wanted(), SIZES);
}

static void little_time_wants_even_steps(void **state)
{
	(void)state;
	make_after_first_pass(0);
	schedule_choose(&schedule, 0);
	assert_int_equal(count_wanted(), SIZES / PER_OCTAVE + 1); /* what has a block is kept */
	schedule_choose(&schedule, 3);

	size_t wanted = count_wanted();
	assert_true(wanted > SIZES / PER_OCTAVE + 1 && wanted < SIZES);
	assert_true(schedule.accumulators[2].wanted &&
		    schedule.accumulators[78].wanted); /* half-way before quarter-way */
}

static void trimming_starts_with_the_dearest_between_others(void **state)
{
	(void)state;
	make_after_first_pass(0);
	for (size_t i = 0; i < SIZES; i += PER_OCTAVE)
		schedule.accumulators[i].cost_s = i < 60 ? 0.001 : 0.1;
	schedule_choose(&schedule, 1000);
	schedule_choose(&schedule, 1000);
	assert_int_equal(count_wanted(), SIZES);
	schedule_choose(&schedule, 6);
	assert_true(count_wanted() < SIZES);
	for (size_t i = 0; i < 57; i++)
		assert_true(schedule.accumulators[i].wanted);
	assert_false(schedule.accumulators[57].wanted);
	assert_true(schedule.accumulators[SIZES - 1].wanted);
	schedule_choose(&schedule, 0);
	assert_int_equal(count_wanted(), SIZES / PER_OCTAVE + 1);
}

static void where_the_last_cache_ends_no_size_is_given_up_first(void **state)
{
	(void)state;
	make_after_first_pass(0);
	schedule.accumulators[56].cost_s = 5 * VISIT_S; /* 16 MiB, and what lies before it */
	schedule_choose(&schedule, 1000);
	schedule_choose(&schedule, 4);
	assert_false(schedule.accumulators[1].wanted);
	for (size_t i = 53; i < 56; i++)
		assert_true(schedule.accumulators[i].wanted);
}

/* Spaced nodes leave few small sizes: they are no octaves of eight. */
static void few_small_sizes_are_still_an_octave_apart(void **state)
{
	(void)state;
	fill_specs(0);
	for (size_t i = 0; i < SIZES; i++)
		specs[i].size_bytes = 4096 * (i + 1);
	open_schedule(SIZES);
	for (size_t i = 0; i < SIZES; i++) {
		bool apart = i + 1 == SIZES || ((i + 1) & i) == 0;
		assert_int_equal(schedule.accumulators[i].stride == 0, apart);
	}
}

static void what_has_no_interval_yet_is_brought_to_one(void **state)
{
	(void)state;
	make_after_first_pass(0);
	size_t count = schedule_refine(&schedule, 10);
	assert_true(count > 0);
	for (size_t i = 0; i < count; i++)
		assert_true(schedule.order[i]->block_count < SCHEDULE_FEWEST_BLOCKS);
}

static void large_sizes_share_a_chain(void **state)
{
	(void)state;
	make_after_first_pass(0);
	assert_int_equal(schedule_blocks_a_visit(&schedule, &schedule.accumulators[0]), 1);
	assert_int_equal(schedule_blocks_a_visit(&schedule, &schedule.accumulators[SIZES - 1]), 4);
	schedule.accumulators[SIZES - 1].placements = 1;
	assert_false(schedule_is_due(&schedule, &schedule.accumulators[SIZES - 1], 2));
	assert_true(schedule_is_due(&schedule, &schedule.accumulators[SIZES - 1], 3));
	assert_true(schedule_is_due(&schedule, &schedule.accumulators[0], 2));
}

static void warming_is_a_lap_or_the_last_cache(void **state)
{
	(void)state;
	make_after_first_pass(0);
	struct sampler_options options = {0};
	schedule_warming(&schedule, &schedule.accumulators[0], false, &options);
	assert_int_equal(options.warm_hops, 16);
	assert_int_equal(options.lap_hops, 16);
	assert_int_equal(options.alone_hops, 0);
	schedule_warming(&schedule, &schedule.accumulators[SIZES - 1], false, &options);
	assert_int_equal(options.warm_hops, (16 << 20) / 64);
	assert_int_equal(options.alone_hops, 0);
	schedule_warming(&schedule, &schedule.accumulators[14 * PER_OCTAVE], false,
			 &options); /* 16 MiB */
	assert_int_equal(options.alone_hops, (16 << 20) / 64);
	assert_true(options.warm_ns > 5e6);
}

static void what_caches_keep_is_warmed_before_each_block(void **state)
{
	(void)state;
	make_after_first_pass(0);
	struct sampler_options options = {0};
	schedule_warming(&schedule, &schedule.accumulators[0], true, &options);
	assert_int_equal(options.warm_hops, 16);
	schedule_warming(&schedule, &schedule.accumulators[SIZES - 1], true, &options);
	assert_int_equal(options.warm_hops, 0);
}

/* Once a visit: the next block goes on from there. */
static void chains_with_large_page_tables_settle(void **state)
{
	(void)state;
	make_after_first_pass(0);
	struct sampler_options options = {0};
	struct accumulator *last = &schedule.accumulators[SIZES - 1];
	last->spec.size_bytes = 511ull << 20;
	schedule_warming(&schedule, last, false, &options);
	assert_true(options.settle_ns == 0);
	last->spec.size_bytes = 512ull << 20;
	schedule_warming(&schedule, last, false, &options);
	assert_true(options.settle_ns == 2e7);
	schedule_warming(&schedule, last, true, &options);
	assert_true(options.settle_ns == 0);
	last->spec.pattern = FATHOM_SEQUENTIAL;
	schedule_warming(&schedule, last, false, &options);
	assert_true(options.settle_ns == 0);
}

static void rows_that_are_no_curve_walk_alone_shortly(void **state)
{
	(void)state;
	struct sampler_options options = {0};
	make_after_first_pass(0);
	schedule.has_cliffs = false;
	schedule_warming(&schedule, &schedule.accumulators[14 * PER_OCTAVE], false, &options);
	assert_int_equal(options.alone_hops, 0);
	assert_true(options.warm_ns == 5e6);
}

static void the_cheapest_are_made_exact_first(void **state)
{
	(void)state;
	make_after_first_pass(0);
	for (size_t i = 0; i < SIZES; i++)
		give_blocks(i, 6);
	assert_int_equal(schedule_refine(&schedule, 10), 0); /* both are exact */
	schedule.accumulators[0].blocks[0].mean.ns *= 1.2;
	schedule.accumulators[4].blocks[0].mean.ns *= 1.05;
	schedule.accumulators[0].cost_s *= 2;
	assert_int_equal(schedule_refine(&schedule, 10), 2);
	assert_ptr_equal(schedule.order[0], &schedule.accumulators[4]);
	assert_int_equal(schedule_refine(&schedule, 3 * VISIT_S + 1e-9), 1);
	assert_ptr_equal(schedule.order[0], &schedule.accumulators[4]);
	assert_int_equal(schedule_refine(&schedule, VISIT_S), 0);
	schedule.accumulators[0].cost_s *= 2; /* four times as dear as the other: later */
	assert_int_equal(schedule_refine(&schedule, 10), 1);
	assert_ptr_equal(schedule.order[0], &schedule.accumulators[4]);
	give_blocks(4, 48);
	assert_int_equal(schedule_refine(&schedule, 10), 1);
	assert_ptr_equal(schedule.order[0], &schedule.accumulators[0]);
}

/* ---- the control ---- */

static double control_missing_s(void)
{
	double missing_s = 0;
	for (size_t i = SIZES; i < schedule.count; i++)
		if (schedule.accumulators[i].wanted)
			missing_s += schedule_missing_s(&schedule, i);
	return missing_s;
}

static void a_control_goes_to_four_times_the_last_cache(void **state)
{
	(void)state;
	make(20);
	assert_false(schedule_is_control(&schedule.accumulators[SIZES - 1]));
	assert_true(schedule_is_control(&schedule.accumulators[SIZES]));
	for (size_t i = 0; i < SIZES; i += PER_OCTAVE)
		give_blocks(i, 1);
	schedule_set_last_cliff(&schedule); /* 16 MiB */
	schedule_choose(&schedule, 1000);
	assert_int_equal(count_wanted(), SIZES);
	for (size_t i = SIZES; i < schedule.count; i++)
		assert_int_equal(schedule.accumulators[i].wanted,
				 schedule.accumulators[i].spec.size_bytes <= 64 << 20);
}

static void without_a_cliff_a_control_goes_to_where_small_pages_matter(void **state)
{
	(void)state;
	make(20);
	schedule.reach_bytes = 1024;
	for (size_t i = SIZES; i < schedule.count; i++)
		assert_int_equal(schedule_allows(&schedule, &schedule.accumulators[i]),
				 schedule.accumulators[i].spec.size_bytes <= 4 << 20);
}

static void a_control_gets_a_fifth_of_the_time(void **state)
{
	(void)state;
	make_after_first_pass(19);
	for (size_t i = SIZES; i < schedule.count; i++)
		schedule.accumulators[i].cost_s = 2 * VISIT_S;
	schedule_choose(&schedule, 1000);
	assert_true(control_missing_s() > 1.6); /* all */
	schedule_choose(&schedule, 6);
	assert_true(control_missing_s() > 0.6 && control_missing_s() <= 1.2 + 1e-9);
	assert_int_equal(schedule_control(&schedule), 1);
	schedule_choose(&schedule, 0); /* its octaves are given up too */
	assert_true(control_missing_s() == 0);
	assert_int_equal(schedule_control(&schedule), 0);
	assert_int_equal(count_wanted(), SIZES / PER_OCTAVE + 1);
}

/* Two sizes of it would be worse than none. */
static void of_a_control_enough_is_left_or_nothing(void **state)
{
	(void)state;
	make_after_first_pass(8);
	for (size_t i = 0; i < SIZES; i++)
		give_blocks(i, 6);
	schedule_choose(&schedule, 5 * (3 * 6 * VISIT_S + 1e-9));
	assert_true(fabs(control_missing_s() - 3 * 6 * VISIT_S) < 1e-9);
	assert_true(schedule.accumulators[SIZES].wanted);
	schedule_choose(&schedule, 5 * (2 * 6 * VISIT_S + 1e-9));
	assert_true(control_missing_s() == 0);
	/* and it is not taken up again later */
	assert_int_equal(schedule_refine(&schedule, 1000), 0);
}

static void a_control_goes_no_further_than_the_main_curve(void **state)
{
	(void)state;
	make(20);
	schedule.reach_bytes = 1u << 30;
	schedule.last_bytes = 32 << 20;
	for (size_t i = SIZES; i < schedule.count; i++)
		assert_int_equal(schedule_allows(&schedule, &schedule.accumulators[i]),
				 schedule.accumulators[i].spec.size_bytes <= 32 << 20);
}

/* What a visit takes there is not known yet: as at the main curve's next size. */
static void a_control_costs_what_the_main_curve_does(void **state)
{
	(void)state;
	make_after_first_pass(19);
	schedule.accumulators[8 * PER_OCTAVE].cost_s = 0.5; /* 256 KiB */
	assert_true(schedule_cost_s(&schedule, SIZES + 1) == 0.5);
	assert_true(schedule_cost_s(&schedule, SIZES + 2) == 0.5);
	assert_true(schedule_cost_s(&schedule, SIZES + 3) == VISIT_S);
	schedule.accumulators[SIZES + 2].cost_s = 0.25;
	assert_true(schedule_cost_s(&schedule, SIZES + 1) == 0.25);
}

static void the_main_curve_is_made_exact_first(void **state)
{
	(void)state;
	make_after_first_pass(19);
	for (size_t i = 0; i < schedule.count; i++)
		give_blocks(i, i == SIZES + 3 ? 5 : 6);
	schedule_choose(&schedule, 1000);
	assert_int_equal(schedule_refine(&schedule, 10), 1);
	assert_ptr_equal(schedule.order[0], &schedule.accumulators[SIZES + 3]);
	schedule.accumulators[4].blocks[0].mean.ns *= 1.05;
	assert_int_equal(schedule_refine(&schedule, 10), 1);
	assert_ptr_equal(schedule.order[0], &schedule.accumulators[4]);
}

static void a_control_may_be_less_exact(void **state)
{
	(void)state;
	make(1);
	assert_true(schedule.accumulators[0].target == 0.01);
	assert_true(schedule.accumulators[SIZES].target == 0.03);
}

/* ---- more sizes ---- */

static void a_size_is_added_between_others(void **state)
{
	(void)state;
	double room_s = 1;
	make_after_first_pass(19);
	assert_true(schedule_add(&schedule, 0, 33333, &room_s));
	assert_int_equal(schedule.count, SIZES + 19 + 1);
	assert_int_equal(schedule_main_count(&schedule), SIZES + 1);
	const struct accumulator *added = &schedule.accumulators[5 * PER_OCTAVE + 1];
	assert_int_equal(added->spec.size_bytes, 33280); /* whole nodes */
	assert_int_equal(added->spec.node_bytes, 64);
	assert_true(added->wanted && added->block_count == 0 && added->stride > PER_OCTAVE);
	assert_true(fabs(room_s - (1 - 6 * VISIT_S)) < 1e-12);
	for (size_t i = 1; i <= SIZES; i++)
		assert_true(schedule.accumulators[i].spec.size_bytes >
			    schedule.accumulators[i - 1].spec.size_bytes);
	assert_true(schedule_add(&schedule, 1, 200000, &room_s));
	assert_int_equal(schedule.accumulators[SIZES + 3].spec.pattern, FATHOM_WINDOW);
	assert_false(schedule_add(&schedule, 0, 40000, &room_s)); /* there is room for two */
}

static void halves_lie_between_a_size_and_its_neighbours(void **state)
{
	(void)state;
	uint64_t halves[2];
	make(0);
	schedule_halves(&schedule, 35000, halves);
	assert_int_equal(halves[0], (uint64_t)sqrt(32768.0 * 35000));
	assert_int_equal(halves[1], (uint64_t)sqrt(35000.0 * (double)specs[21].size_bytes));
	schedule_halves(&schedule, 1024, halves);
	assert_int_equal(halves[0], 0);
}

static void what_cannot_be_added_changes_nothing(void **state)
{
	(void)state;
	double room_s = 1, little_s = 5 * VISIT_S;
	make_after_first_pass(20);
	assert_false(schedule_add(&schedule, 0, 32 << 10, &room_s)); /* it is there */
	assert_false(schedule_add(&schedule, 0, 512, &room_s));
	assert_false(schedule_add(&schedule, 0, 2ull << 30, &room_s));
	assert_false(schedule_add(&schedule, 1, 70000, &room_s));    /* the control starts later */
	assert_false(schedule_add(&schedule, 1, 70 << 20, &room_s)); /* and ends at 64 MiB */
	assert_false(schedule_add(&schedule, 2, 40000, &room_s));
	assert_false(schedule_add(&schedule, 0, 40000, &little_s));
	assert_true(room_s == 1 && little_s == 5 * VISIT_S);
	assert_int_equal(schedule.count, SIZES + 20);
	for (size_t i = 0; i < schedule.count; i++)
		assert_int_equal(schedule.accumulators[i].spec.size_bytes, specs[i].size_bytes);
}

/* Far more sizes than anybody asks for: trimming them must not take forever. */
static void many_sizes_are_trimmed_in_no_time(void **state)
{
	(void)state;
	static struct fathom_spec many[65536];
	const struct meter meter = {.line_bytes = 64};
	struct fathom_plan plan = {.specs = many,
				   .spec_count = 65536,
				   .always_bytes = 1u << 30,
				   .budget_s = 20,
				   .target = 0.01};
	for (size_t i = 0; i < 65536; i++)
		many[i] = (struct fathom_spec){.size_bytes = 64 * (i + 16), .node_bytes = 64};
	assert_int_equal(schedule_open(&schedule, &plan, &meter, 0, NULL), 0);
	for (size_t i = 0; i < schedule.count; i += 16)
		schedule.accumulators[i].cost_s = VISIT_S;
	schedule_choose(&schedule, 10);
	size_t wanted = 0;
	for (size_t i = 0; i < schedule.count; i++)
		wanted += schedule.accumulators[i].wanted;
	assert_int_equal(wanted, (size_t)(10 / VISIT_S / 6));
}

#define DROPPED(test) cmocka_unit_test_teardown(test, drop)

static const struct CMUnitTest tests[] = {
	DROPPED(the_last_cliff_is_found),
	DROPPED(slow_growth_is_no_cliff),
	DROPPED(no_cache_is_as_slow_as_memory),
	DROPPED(enough_time_wants_all),
	DROPPED(little_time_wants_even_steps),
	DROPPED(trimming_starts_with_the_dearest_between_others),
	DROPPED(where_the_last_cache_ends_no_size_is_given_up_first),
	DROPPED(few_small_sizes_are_still_an_octave_apart),
	DROPPED(what_has_no_interval_yet_is_brought_to_one),
	DROPPED(large_sizes_share_a_chain),
	DROPPED(warming_is_a_lap_or_the_last_cache),
	DROPPED(what_caches_keep_is_warmed_before_each_block),
	DROPPED(chains_with_large_page_tables_settle),
	DROPPED(rows_that_are_no_curve_walk_alone_shortly),
	DROPPED(the_cheapest_are_made_exact_first),
	DROPPED(a_control_goes_to_four_times_the_last_cache),
	DROPPED(without_a_cliff_a_control_goes_to_where_small_pages_matter),
	DROPPED(a_control_gets_a_fifth_of_the_time),
	DROPPED(of_a_control_enough_is_left_or_nothing),
	DROPPED(a_control_goes_no_further_than_the_main_curve),
	DROPPED(a_control_costs_what_the_main_curve_does),
	DROPPED(the_main_curve_is_made_exact_first),
	DROPPED(a_control_may_be_less_exact),
	DROPPED(a_size_is_added_between_others),
	DROPPED(halves_lie_between_a_size_and_its_neighbours),
	DROPPED(what_cannot_be_added_changes_nothing),
	DROPPED(many_sizes_are_trimmed_in_no_time),
};
UNIT_GROUP();
