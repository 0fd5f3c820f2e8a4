/* Blocks become points: medians, intervals, and when to look at them. */
#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include "measure/schedule/accumulator.h"
#include "unit.h"

/* Of a clock of 2 GHz. The mean of its batches is twice the mode. */
static void add_one(struct accumulator *accumulator, double ns, double cycles, bool disturbed)
{
	struct sampler_block block = {.mode = {ns, cycles},
				      .mean = {2 * ns, 2 * cycles},
				      .mode_width = 0.005,
				      .all_ns = 3 * ns,
				      .clock_hz = cycles / ns * 1e9,
				      .count = 1,
				      .batches = 4,
				      .off_mode = 1,
				      .all_hops = 400,
				      .hops = 100,
				      .disturbed = disturbed};
	block.samples_ns = &ns;
	block.rejected[FATHOM_REJECTED_FAULT] = 2;
	assert_int_equal(accumulator_add(accumulator, &block, true, NULL), 0);
}

static void add(struct accumulator *accumulator, double ns, double cycles)
{
	add_one(accumulator, ns, cycles, false);
}

static struct accumulator make_tally(void)
{
	return (struct accumulator){
		.spec = {.size_bytes = 6400, .node_bytes = 64, .lanes = 1, .threads = 1},
		.target = 0.01};
}

static void looks_come_at_6_9_14_21(void **state)
{
	(void)state;
	static const size_t looks[] = {6, 9, 14, 21, 32};
	size_t look = 0;
	for (int i = 0; i < 5; i++) {
		look = accumulator_next_look(look);
		assert_int_equal(look, looks[i]);
	}
	assert_int_equal(accumulator_next_look(5), 6);
	assert_int_equal(accumulator_next_look(7), 9);
}

static void disturbed_blocks_count_where_there_are_no_others(void **state)
{
	(void)state;
	for (int i = 0; i < 4; i++) {
		struct accumulator accumulator = make_tally();
		struct fathom_point point;
		int clean = i % 2;
		accumulator.unpaired = i < 2;
		bool counts = clean == 0 || !accumulator.unpaired;
		for (int k = 0; k < 7; k++)
			add_one(&accumulator, 4, 8, true);
		for (int k = 0; k < clean; k++)
			add(&accumulator, 2, 4);
		assert_int_equal(accumulator_disturbed(&accumulator), counts ? 7 : 0);
		assert_int_equal(accumulator_counted(&accumulator), counts ? 7 + clean : clean);
		accumulator_finish(&accumulator, 64, NAN, &point);
		assert_int_equal(point.block_count, counts ? 7 + clean : clean);
		assert_true(point.latency_ns == (counts ? 4 : 2));
		free(point.blocks_ns);
		free(point.samples_ns);
	}
}

static void fewer_than_six_blocks_have_no_interval(void **state)
{
	(void)state;
	struct accumulator accumulator = make_tally();
	struct fathom_point point;
	for (int i = 0; i < 5; i++)
		add(&accumulator, 2 + i, 4 + 2 * i);
	assert_true(isnan(accumulator_half_width(&accumulator)));
	accumulator_finish(&accumulator, 64, NAN, &point);
	assert_true(point.latency_ns == 4 && isnan(point.latency_low_ns));
	assert_false(point.within_target);
	free(point.blocks_ns);
	free(point.samples_ns);
}

static void six_blocks_span_their_interval(void **state)
{
	(void)state;
	struct accumulator accumulator = make_tally();
	struct fathom_point point;
	static const double values[] = {5, 1, 3, 2, 6, 4};
	for (int i = 0; i < 6; i++)
		add(&accumulator, values[i], 2 * values[i]);
	assert_true(accumulator_half_width(&accumulator) == 2.5 / 3.5);
	accumulator_finish(&accumulator, 64, NAN, &point);
	assert_true(point.latency_ns == 3.5 && point.latency_low_ns == 1 &&
		    point.latency_high_ns == 6);
	assert_true(point.latency_cycles == 7 && point.latency_high_cycles == 12);
	assert_true(point.clock_hz == 2e9 && isnan(point.overhead_ns));
	assert_int_equal(point.block_count, 6);
	assert_true(point.blocks_ns[0] == 5); /* in the order measured */
	assert_int_equal(point.sample_count, 6);
	assert_int_equal(point.accesses, 600);
	assert_int_equal(point.rejected[FATHOM_REJECTED_FAULT], 12);
	assert_int_equal(point.estimator, FATHOM_ESTIMATOR_MODE);
	assert_true(point.latency_mean_ns == 10.5 && point.disturbed_share == 0.25);
	assert_int_equal(point.nodes, 100);
	free(point.blocks_ns);
	free(point.samples_ns);
}

static void add_block(struct accumulator *accumulator, const struct sampler_block *block,
		      size_t placement)
{
	accumulator->placements = placement;
	assert_int_equal(accumulator_add(accumulator, block, false, NULL), 0);
}

static void the_value_is_the_mean_where_the_mode_is_not_sharp(void **state)
{
	(void)state;
	struct accumulator accumulator = make_tally();
	struct fathom_point point;
	struct sampler_block block = {.mode = {80, 160},
				      .mean = {100, 200},
				      .mode_width = 0.05,
				      .all_ns = 120,
				      .clock_hz = 2e9,
				      .count = 3,
				      .batches = 4,
				      .all_hops = 400,
				      .hops = 300};
	block.rejected[FATHOM_REJECTED_SWITCH] = 1;
	for (size_t i = 1; i <= 6; i++)
		add_block(&accumulator, &block, i);
	accumulator_finish(&accumulator, 64, 3e9, &point);
	assert_int_equal(point.estimator, FATHOM_ESTIMATOR_MEAN);
	assert_true(point.latency_ns == 100 && fabs(point.latency_cycles - 200) < 1e-9);
	assert_true(point.clock_hz == 2e9 && point.disturbed_share == 0.25);
	assert_true(point.latency_mean_ns == 120);
	free(point.blocks_ns);
}

static void where_pages_moved_all_batches_count_as_disturbed(void **state)
{
	(void)state;
	struct accumulator accumulator = make_tally();
	struct fathom_point point;
	struct sampler_block block = {.mode = {1, 2},
				      .mean = {1, 2},
				      .clock_hz = 2e9,
				      .count = 4,
				      .batches = 4,
				      .all_hops = 400,
				      .hops = 400};
	for (size_t i = 1; i <= 6; i++) {
		block.paged = i <= 3;
		add_block(&accumulator, &block, i);
	}
	accumulator_finish(&accumulator, 64, NAN, &point);
	assert_true(point.disturbed_share == 0.5);
	free(point.blocks_ns);
}

/* Four cycles at 2 and at 4 GHz, most of the run was at 4. */
static void what_follows_the_clock_is_told_at_the_clock_of_most_of_the_run(void **state)
{
	(void)state;
	struct accumulator accumulator = make_tally();
	struct fathom_point point;
	for (int i = 0; i < 6; i++)
		add(&accumulator, i % 2 ? 2 : 1, 4);
	accumulator_finish(&accumulator, 64, 4e9, &point);
	assert_true(point.latency_ns == 1 && point.latency_low_ns == 1 && point.clock_hz == 4e9);
	assert_true(point.latency_cycles == 4 && point.blocks_ns[1] == 1);
	free(point.blocks_ns);
	free(point.samples_ns);
}

/* Blocks whose clock was lost are told in ns. */
static void without_a_clock_a_block_of_many_counts_in_ns(void **state)
{
	(void)state;
	struct accumulator accumulator = make_tally();
	struct fathom_point point;
	for (int i = 0; i < 6; i++)
		add(&accumulator, 2, i == 3 ? NAN : 4);
	accumulator_finish(&accumulator, 64, 2e9, &point);
	assert_true(point.latency_ns == 2 && point.latency_low_ns == 2 && point.blocks_ns[3] == 2);
	free(point.blocks_ns);
	free(point.samples_ns);
}

static void what_memory_answers_does_not_follow_the_clock(void **state)
{
	(void)state;
	struct accumulator accumulator = make_tally();
	struct fathom_point point;
	for (int i = 0; i < 6; i++)
		add(&accumulator, 90, 180 + 20 * i);
	accumulator_finish(&accumulator, 64, 4e9, &point);
	assert_true(point.latency_ns == 90 && point.latency_high_ns == 90);
	assert_true(fabs(point.latency_cycles - 90 * point.clock_hz * 1e-9) < 1e-9);
	free(point.blocks_ns);
	free(point.samples_ns);
}

/* Three placements with two blocks on each that are alike, or as different as any others. */
static void blocks_on_one_placement_count_for_less_if_they_are_alike(void **state)
{
	(void)state;
	static const double alike[] = {9, 9, 10, 10, 11, 11}, apart[] = {9, 11, 9, 11, 9, 11};
	struct accumulator accumulator = make_tally(), other = make_tally();
	struct sampler_block block = {.mode_width = INFINITY, .clock_hz = NAN, .count = 1};
	for (size_t i = 0; i < 6; i++) {
		block.mean = (struct sampler_value){alike[i], NAN};
		add_block(&accumulator, &block, 1 + i / 2);
		block.mean.ns = apart[i];
		add_block(&other, &block, 1 + i / 2);
	}
	assert_true(fabs(accumulator_half_width(&accumulator) -
			 (pow(1.1, sqrt(2)) - pow(0.9, sqrt(2))) / 2) < 1e-9);
	assert_true(fabs(accumulator_half_width(&other) - 1.0 / 10) < 1e-9);
	/* However far apart placements are, nothing takes less than no time. */
	struct fathom_point point;
	for (size_t i = 0; i < 6; i++)
		accumulator.blocks[i].mean.ns = (double[]){1, 1, 10, 10, 90, 90}[i];
	accumulator_read(&accumulator, 64, NAN, &point);
	assert_true(point.latency_low_ns > 0 && point.latency_low_ns < 1);
	accumulator_free(&accumulator);
	accumulator_free(&other);
}

static void overhead_is_taken_off_everything(void **state)
{
	(void)state;
	struct accumulator accumulator = make_tally();
	accumulator.spec.pattern = FATHOM_INDEPENDENT;
	accumulator.overhead_ns = 4;
	accumulator.error_ns = 0.01;
	struct fathom_point point;
	for (int i = 0; i < 6; i++)
		add(&accumulator, 10, 20);
	accumulator_finish(&accumulator, 64, NAN, &point);
	assert_true(point.latency_ns == 6 && point.overhead_ns == 4 && point.blocks_ns[3] == 6);
	assert_true(fabs(point.latency_low_ns - 5.99) < 1e-9);
	assert_true(fabs(point.latency_high_cycles - 12.02) < 1e-9);
	assert_true(point.latency_cycles == 12 && point.samples_ns[5] == 6);
	assert_true(point.within_target);
	free(point.blocks_ns);
	free(point.samples_ns);
}

static void no_interval_is_narrower_than_the_resolution(void **state)
{
	(void)state;
	struct accumulator accumulator = make_tally();
	accumulator.resolution = 0.001;
	struct fathom_point point;
	for (int i = 0; i < 6; i++)
		add(&accumulator, 10, 20);
	accumulator_finish(&accumulator, 64, NAN, &point);
	assert_true(fabs(point.latency_low_ns - 9.99) < 1e-9);
	assert_true(fabs(point.latency_high_ns - 10.01) < 1e-9);
	assert_true(fabs(point.latency_high_cycles - 20.02) < 1e-9);
	free(point.blocks_ns);
	free(point.samples_ns);
}

static void what_takes_no_longer_than_its_overhead_is_not_measured(void **state)
{
	(void)state;
	struct accumulator accumulator = make_tally();
	assert_false(accumulator_is_measured(&accumulator));
	accumulator.overhead_ns = 5;
	add(&accumulator, 10, 20);
	assert_true(accumulator_is_measured(&accumulator));
	add(&accumulator, 5, 10);
	assert_false(accumulator_is_measured(&accumulator));
	accumulator_free(&accumulator);
}

static void a_point_can_be_shown_and_the_tally_goes_on(void **state)
{
	(void)state;
	struct accumulator accumulator = make_tally();
	struct fathom_point point;
	for (int i = 0; i < 6; i++)
		add(&accumulator, 2 + i, 4 + 2 * i);
	accumulator_read(&accumulator, 64, NAN, &point);
	assert_true(point.latency_ns == 4.5 && point.block_count == 6);
	assert_ptr_equal(point.blocks_ns, accumulator.ns);
	add(&accumulator, 8, 16);
	assert_int_equal(accumulator.block_count, 7);
	assert_true(accumulator_median_ns(&accumulator) == 5);
	accumulator_free(&accumulator);
}

static void streams_are_told_in_bytes_per_second(void **state)
{
	(void)state;
	static const struct {
		enum fathom_pattern pattern;
		double asked_bytes, traffic_bytes; /* of 64 that are streamed */
	} cases[] = {{FATHOM_READ, 64, 64},      {FATHOM_WRITE, 64, 128},
		     {FATHOM_WRITE_NT, 64, 64},  {FATHOM_COPY, 128, 192},
		     {FATHOM_COPY_NT, 128, 128}, {FATHOM_UPDATE, 128, 128}};
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct accumulator accumulator = make_tally();
		struct fathom_point point;
		accumulator.spec.pattern = cases[i].pattern;
		accumulator.spec.threads = 3;
		accumulator.placement.vector_bytes = 32;
		for (int k = 0; k < 6; k++)
			add(&accumulator, k == 4 ? 2 : k == 5 ? 8 : 4, 8);
		accumulator_finish(&accumulator, 64, NAN, &point);
		assert_true(isnan(point.latency_ns) && point.ns_per_access == 4);
		assert_true(point.bandwidth_bytes_per_second == cases[i].asked_bytes * 3 / 4 * 1e9);
		assert_true(point.bandwidth_low_bytes_per_second ==
			    cases[i].asked_bytes * 3 / 8 * 1e9);
		assert_true(point.bandwidth_high_bytes_per_second ==
			    cases[i].asked_bytes * 3 / 2 * 1e9);
		assert_true(point.bandwidth_best_bytes_per_second ==
			    cases[i].asked_bytes * 3 / 2 * 1e9);
		assert_true(point.traffic_bytes_per_second == cases[i].traffic_bytes * 3 / 4 * 1e9);
		assert_int_equal(point.spec.vector_bytes, 32);
		free(point.blocks_ns);
		free(point.samples_ns);
	}
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(looks_come_at_6_9_14_21),
	cmocka_unit_test(disturbed_blocks_count_where_there_are_no_others),
	cmocka_unit_test(fewer_than_six_blocks_have_no_interval),
	cmocka_unit_test(six_blocks_span_their_interval),
	cmocka_unit_test(the_value_is_the_mean_where_the_mode_is_not_sharp),
	cmocka_unit_test(where_pages_moved_all_batches_count_as_disturbed),
	cmocka_unit_test(what_follows_the_clock_is_told_at_the_clock_of_most_of_the_run),
	cmocka_unit_test(without_a_clock_a_block_of_many_counts_in_ns),
	cmocka_unit_test(what_memory_answers_does_not_follow_the_clock),
	cmocka_unit_test(blocks_on_one_placement_count_for_less_if_they_are_alike),
	cmocka_unit_test(overhead_is_taken_off_everything),
	cmocka_unit_test(streams_are_told_in_bytes_per_second),
	cmocka_unit_test(a_point_can_be_shown_and_the_tally_goes_on),
	cmocka_unit_test(no_interval_is_narrower_than_the_resolution),
	cmocka_unit_test(what_takes_no_longer_than_its_overhead_is_not_measured),
};
UNIT_GROUP();
