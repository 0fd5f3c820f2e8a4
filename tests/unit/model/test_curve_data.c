/* Points as they come, made ready for a fit. */
#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include "curves.h"
#include "model/curve_data.h"
#include "unit.h"

static struct fathom_point point_of(uint64_t size_bytes, double latency_ns)
{
	return (struct fathom_point){
		.spec = {.size_bytes = size_bytes},
		.latency_ns = latency_ns,
		.latency_low_ns = NAN,
		.latency_high_ns = NAN,
		.latency_cycles = NAN,
		.latency_low_cycles = NAN,
		.latency_high_cycles = NAN,
	};
}

static struct curve_data make(struct fathom_point *points, size_t count)
{
	struct fathom_curve curve = {.points = points, .point_count = count};
	struct curve_data data;
	assert_int_equal(curve_data_make(&curve, false, &data, NULL), 0);
	return data;
}

static void sorted_and_one_a_size(void **state)
{
	(void)state;
	struct fathom_point points[] = {point_of(8192, 3.17), point_of(4096, 1.01),
					point_of(8192, 9.99), point_of(8192, 3.11),
					point_of(2048, 1.02)};
	struct curve_data data = make(points, 5);
	assert_int_equal(data.count, 3);
	assert_true(fabs(exp(data.ln_size[0]) - 2048) < 1e-6);
	assert_true(data.value[1] == 1.01 && data.value[2] == 3.17);
	curve_data_free(&data);
}

static void what_is_no_value_is_left_out(void **state)
{
	(void)state;
	struct fathom_point points[] = {point_of(4096, NAN), point_of(8192, 0), point_of(16384, -1),
					point_of(0, 2), point_of(32768, 2)};
	struct curve_data data = make(points, 5);
	assert_int_equal(data.count, 1);
	assert_true(data.value[0] == 2);
	curve_data_free(&data);
	struct curve_data none = make(points, 0);
	assert_int_equal(none.count, 0);
	curve_data_free(&none);
}

static void zero_means_something_over_the_first_level(void **state)
{
	(void)state;
	struct fathom_point points[] = {point_of(4096, 0), point_of(8192, 1.5)};
	struct fathom_curve curve = {.points = points, .point_count = 2, .relative_to_l1 = true};
	struct curve_data data;
	assert_int_equal(curve_data_make(&curve, false, &data, NULL), 0);
	assert_int_equal(data.count, 2);
	assert_true(data.value[0] == 0 && data.error[0] > 0);
	curve_data_free(&data);
}

static void the_scatter_of_a_plateau_is_its_noise(void **state)
{
	(void)state;
	struct known_curve known = {.first_bytes = 4096,
				    .last_bytes = 1e9,
				    .per_octave = 8,
				    .base = 2,
				    .noise = 0.01,
				    .seed = 3};
	struct fathom_curve curve = make_curve(&known);
	struct curve_data data;
	assert_int_equal(curve_data_make(&curve, false, &data, NULL), 0);
	assert_true(data.scatter > 0.006 && data.scatter < 0.016);
	curve_data_free(&data);
	free(curve.points);
}

static void the_last_digit_and_the_interval_limit_what_is_known(void **state)
{
	(void)state;
	struct fathom_point points[] = {point_of(4096, 1.4), point_of(8192, 1.4),
					point_of(16384, 1.3)};
	struct curve_data data = make(points, 3);
	curve_data_set_noise(&data, 1e-4);
	assert_true(data.error[0] > 0.02 && data.error[0] < 0.06);
	assert_false(data.measured);
	curve_data_free(&data);
	points[1].latency_low_ns = 1.0;
	points[1].latency_high_ns = 1.8;
	data = make(points, 3);
	assert_true(data.measured);
	assert_true(fabs(data.error[1] - 0.8 / 5) < 1e-6);
	assert_true(fabs(data.value[1] - (1.0 + 4 * 1.4 + 1.8) / 6) < 1e-9);
	curve_data_free(&data);
}

static void more_sizes_than_of_use_are_thinned(void **state)
{
	(void)state;
	struct known_step step = {65536, 3, {HIT_CYCLE_LRU, false, 8, 1, 0}, false};
	struct known_curve known = {.first_bytes = 4096,
				    .last_bytes = 1e9,
				    .per_octave = 2000,
				    .base = 2,
				    .steps = &step,
				    .step_count = 1,
				    .seed = 3};
	struct fathom_curve curve = make_curve(&known);
	struct curve_data data;
	assert_true(curve.point_count > 30000);
	assert_int_equal(curve_data_make(&curve, false, &data, NULL), 0);
	assert_true(data.count > 100 && data.count <= 512);
	for (size_t i = 0; i < data.count; i++) {
		assert_true(i == 0 || data.ln_size[i] > data.ln_size[i - 1]);
		double exact = known_latency(&known, exp(data.ln_size[i]));
		assert_true(fabs(data.value[i] - exact) < 0.4);
	}
	curve_data_free(&data);
	free(curve.points);
}

/* What is not in its interval: all of it for one placement, less for two, hardly any for more. */
static void what_placements_do_is_by_their_number(void **state)
{
	(void)state;
	struct fathom_point points[] = {point_of(1024, 1.11), point_of(2048, 1.12),
					point_of(4096, 1.13), point_of(8192, 1.14)};
	for (size_t i = 0; i < 4; i++)
		points[i].placements = (const size_t[]){1, 2, 6, 0}[i];
	struct curve_data data = make(points, 4);
	assert_true(data.placement_share[0] == 1);
	assert_true(data.placement_share[1] < data.placement_share[0] &&
		    data.placement_share[2] < data.placement_share[1]);
	assert_true(data.placement_share[3] < data.placement_share[0] &&
		    data.placement_share[3] > data.placement_share[2]);
	curve_data_free(&data);
}

/* Visits of three blocks each, that differ by a tenth while their blocks hardly do. */
static void blocks_of_one_visit_are_not_independent(void **state)
{
	(void)state;
	double twice_ns[] = {95, 95, 95.1, 105, 105.1, 105.1}, once_ns[] = {100, 100.1, 100};
	struct fathom_point points[4];
	for (size_t i = 0; i < 4; i++) {
		points[i] = point_of(1u << (20 + i), 100);
		points[i].latency_low_ns = 95;
		points[i].latency_high_ns = 105.1;
		points[i].blocks_ns = twice_ns;
		points[i].block_count = 6;
		points[i].placements = 2;
	}
	points[2].blocks_ns = once_ns;
	points[2].block_count = 3;
	points[2].placements = 1;
	points[2].latency_low_ns = points[2].latency_high_ns = NAN;
	struct curve_data data = make(points, 4);
	for (size_t i = 0; i < 4; i++) {
		double error = i == 2 ? 5 * M_SQRT2 : 5;
		assert_true(fabs(data.least_error[i] / error - 1) < 0.02);
	}
	curve_data_free(&data);
}

/* Below the end of the core's part values follow the clock, and above they do not. */
static void values_are_as_at_one_clock(void **state)
{
	(void)state;
	struct fathom_point points[] = {point_of(1024, 2), point_of(2048, 2), point_of(4096, 2)};
	points[0].latency_cycles = 2 * 3.3;
	points[2].latency_cycles = 2 * 3.3;
	struct curve_data data = make(points, 3);
	curve_data_set_clock(&data, 3, log(3000));
	assert_true(fabs(data.value[0] - 2.2) < 1e-9);
	assert_true(data.value[1] == 2 && data.value[2] == 2);
	curve_data_set_clock(&data, 3, -INFINITY);
	assert_true(data.value[0] == 2);
	curve_data_free(&data);
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(sorted_and_one_a_size),
	cmocka_unit_test(what_is_no_value_is_left_out),
	cmocka_unit_test(zero_means_something_over_the_first_level),
	cmocka_unit_test(the_scatter_of_a_plateau_is_its_noise),
	cmocka_unit_test(the_last_digit_and_the_interval_limit_what_is_known),
	cmocka_unit_test(more_sizes_than_of_use_are_thinned),
	cmocka_unit_test(what_placements_do_is_by_their_number),
	cmocka_unit_test(blocks_of_one_visit_are_not_independent),
	cmocka_unit_test(values_are_as_at_one_clock),
};
UNIT_GROUP();
