/* Steps of known reach and shape: do the rises come back? */
#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include "model/steps/steps.h"
#include "unit.h"

#define COUNT 40

struct fixture {
	struct shapes *shapes;
	double ln_size[COUNT], value[COUNT], error[COUNT], outlying[COUNT];
	struct steps_curve curves[2];
	struct steps_problem problem;
	struct steps steps;
};

/* 2 + 3 past 64 KiB + 50 past 2 MiB, an octave in two sizes. */
static void prepare(struct fixture *fixture)
{
	*fixture = (struct fixture){.shapes = shapes_make()};
	assert_non_null(fixture->shapes);
	fixture->steps = (struct steps){.count = 2, .base = {2}};
	fixture->steps.items[0] = (struct step){.ln_reach = log(65536), .rise = {3}};
	fixture->steps.items[1] = (struct step){
		.ln_reach = log(2 << 20), .shape = shapes_first(SHAPE_RANDOM), .rise = {50}};
	fixture->curves[0] = (struct steps_curve){
		.role = STEPS_MAIN,
		.count = COUNT,
		.ln_size = fixture->ln_size,
		.value = fixture->value,
		.error = fixture->error,
		.outlying = fixture->outlying,
		.start_error = fixture->error,
	};
	fixture->problem = (struct steps_problem){
		.shapes = fixture->shapes,
		.curves = fixture->curves,
		.curve_count = 1,
		.reach_error = 0.05,
		.outlying = 1,
		.scratch = calloc(2 * steps_scratch_count(fixture->curves, 1), sizeof(double)),
	};
	for (size_t i = 0; i < COUNT; i++) {
		fixture->ln_size[i] = log(4096) + (double)i * M_LN2 / 2;
		fixture->value[i] =
			steps_value(&fixture->problem, &fixture->steps, 0, fixture->ln_size[i]);
		fixture->error[i] = 0.01 * fixture->value[i];
		fixture->outlying[i] = 1e-3;
	}
}

static void release(struct fixture *fixture)
{
	shapes_free(fixture->shapes);
	free(fixture->problem.scratch);
}

static struct steps solve_from_nothing(const struct fixture *fixture)
{
	struct steps solved = fixture->steps;
	solved.base[0] = 0;
	for (size_t i = 0; i < solved.count; i++)
		solved.items[i].rise[0] = 0;
	steps_solve(&fixture->problem, &solved);
	return solved;
}

static void rises_come_back_exactly(void **state)
{
	(void)state;
	struct fixture fixture;
	prepare(&fixture);
	struct steps solved = solve_from_nothing(&fixture);
	assert_true(fabs(solved.base[0] - 2) < 1e-6);
	assert_true(fabs(solved.items[0].rise[0] - 3) < 1e-6);
	assert_true(fabs(solved.items[1].rise[0] - 50) < 1e-5);
	release(&fixture);
}

static void one_wild_point_moves_nothing(void **state)
{
	(void)state;
	struct fixture fixture;
	prepare(&fixture);
	fixture.value[3] *= 3;
	struct steps solved = solve_from_nothing(&fixture);
	assert_true(fabs(solved.base[0] - 2) < 0.01);
	assert_true(fabs(solved.items[0].rise[0] - 3) < 0.02);
	release(&fixture);
}

/* Twelve sizes in a row are twice as high, where a step is missing: the others are explained as
 * they are. */
static void what_is_not_explained_moves_nothing(void **state)
{
	(void)state;
	struct fixture fixture;
	prepare(&fixture);
	for (size_t i = 16; i < 28; i++)
		fixture.value[i] *= 2;
	struct steps solved = solve_from_nothing(&fixture);
	assert_true(fabs(solved.base[0] - 2) < 0.05);
	assert_true(fabs(solved.items[0].rise[0] - 3) < 0.1);
	release(&fixture);
}

static void a_fall_is_no_step(void **state)
{
	(void)state;
	struct fixture fixture;
	prepare(&fixture);
	for (size_t i = 0; i < COUNT; i++)
		fixture.value[i] = 20 - (double)i / COUNT;
	struct steps solved = solve_from_nothing(&fixture);
	assert_true(solved.items[0].rise[0] == 0 && solved.items[1].rise[0] == 0);
	assert_true(solved.base[0] > 19 && solved.base[0] < 20);
	release(&fixture);
}

static void what_fits_better_costs_less(void **state)
{
	(void)state;
	struct fixture fixture;
	prepare(&fixture);
	struct steps right = solve_from_nothing(&fixture);
	fixture.steps.items[1].ln_reach += 0.2;
	struct steps wrong = solve_from_nothing(&fixture);
	assert_true(right.cost < wrong.cost - 10);
	fixture.steps.count = 1;
	struct steps fewer = solve_from_nothing(&fixture);
	assert_true(right.cost < fewer.cost - 100);
	release(&fixture);
}

static void a_control_has_no_translation(void **state)
{
	(void)state;
	struct fixture fixture;
	prepare(&fixture);
	double in_windows[COUNT];
	fixture.curves[1] = fixture.curves[0];
	fixture.curves[1].role = STEPS_CONTROL;
	fixture.curves[1].value = in_windows;
	struct steps rest = fixture.steps;
	rest.items[0].rise[0] = 0;
	for (size_t i = 0; i < COUNT; i++)
		in_windows[i] = steps_value(&fixture.problem, &rest, 0, fixture.ln_size[i]);
	fixture.problem.curve_count = 2;
	fixture.steps.items[0].translation = true;
	struct steps solved = solve_from_nothing(&fixture);
	assert_true(fabs(solved.items[0].rise[0] - 3) < 1e-6);
	assert_true(solved.items[0].rise[1] == 0);
	assert_true(fabs(solved.items[1].rise[1] - 50) < 1e-5);
	release(&fixture);
}

static void a_control_may_have_less_of_an_inner_cache(void **state)
{
	(void)state;
	struct fixture fixture;
	prepare(&fixture);
	double in_windows[COUNT];
	fixture.curves[1] = fixture.curves[0];
	fixture.curves[1].role = STEPS_CONTROL;
	fixture.curves[1].value = in_windows;
	fixture.steps.items[2] = (struct step){.ln_reach = log(64 << 20), .rise = {100}};
	fixture.steps.count = 3;
	struct steps less = fixture.steps;
	less.items[1].rise[0] *= 0.4;
	for (size_t i = 0; i < COUNT; i++) {
		fixture.value[i] =
			steps_value(&fixture.problem, &fixture.steps, 0, fixture.ln_size[i]);
		in_windows[i] = steps_value(&fixture.problem, &less, 0, fixture.ln_size[i]);
	}
	fixture.problem.curve_count = 2;
	fixture.problem.fetched = 0.6;
	struct steps solved = solve_from_nothing(&fixture);
	for (size_t i = 0; i < 3; i++) {
		double rise = fixture.steps.items[i].rise[0];
		assert_true(fabs(solved.items[i].rise[0] - rise) < 1e-5);
		assert_true(fabs(solved.items[i].rise[1] - (i == 1 ? 0.4 : 1) * rise) < 1e-5);
	}
	release(&fixture);
}

/* A walk after the last TLB reads a line of tables. Of a sixteenth of 512 times the second cache's
 * bytes each line is there, of as much exp(-1) are not, and then they come from behind it. */
static void tables_leave_a_cache_at_512_times_its_bytes(void **state)
{
	(void)state;
	struct fixture fixture;
	prepare(&fixture);
	fixture.problem.ln_page = log(4096);
	fixture.steps.items[fixture.steps.count++] = (struct step){
		.ln_reach = log(512 << 10), .shape = shapes_first(SHAPE_SOFT), .translation = true};
	double ln_left = fixture.steps.items[1].ln_reach + log(512);
	double rise = fixture.steps.items[1].rise[0], without[2], with[2];
	for (size_t i = 0; i < 2; i++)
		without[i] = steps_value(&fixture.problem, &fixture.steps, 0,
					 ln_left - (i ? 0 : log(16)));
	fixture.problem.table_share = 8.0 / 4096;
	for (size_t i = 0; i < 2; i++)
		with[i] = steps_value(&fixture.problem, &fixture.steps, 0,
				      ln_left - (i ? 0 : log(16)));
	assert_true(rise > 0);
	assert_true(fabs(with[0] - without[0]) < 1e-3 * rise);
	assert_true(fabs((with[1] - without[1]) / rise - exp(-1)) < 0.01);
	release(&fixture);
}

/* Where walks look into the first cache, its 64 KiB have tables for as much as well. */
static void tables_leave_the_first_cache_where_it_is_asked(void **state)
{
	(void)state;
	struct fixture fixture;
	prepare(&fixture);
	fixture.problem.ln_page = log(4096);
	fixture.problem.table_share = 8.0 / 4096;
	fixture.steps.items[fixture.steps.count++] = (struct step){
		.ln_reach = log(512 << 10), .shape = shapes_first(SHAPE_SOFT), .translation = true};
	double ln_left = fixture.steps.items[0].ln_reach + log(512);
	double past = steps_value(&fixture.problem, &fixture.steps, 0, ln_left);
	fixture.problem.walks_ask_first = true;
	double asked = steps_value(&fixture.problem, &fixture.steps, 0, ln_left);
	double missed = steps_missed(&fixture.problem, &fixture.steps, 2, 0, ln_left);
	assert_true(fabs((asked - past) / fixture.steps.items[0].rise[0] - exp(-1) * missed) <
		    1e-3);
	release(&fixture);
}

/* The last cache loses lines in proportion to the size: half of it at half the reach. */
static void what_others_take_comes_back(void **state)
{
	(void)state;
	struct fixture fixture;
	prepare(&fixture);
	double half = fixture.steps.items[1].ln_reach - M_LN2;
	double without = steps_value(&fixture.problem, &fixture.steps, 0, half);
	fixture.problem.leaks = true;
	fixture.steps.leak = 6;
	double taken = steps_value(&fixture.problem, &fixture.steps, 0, half) - without;
	assert_true(fabs(taken - 3) < 0.01);
	for (size_t i = 0; i < COUNT; i++)
		fixture.value[i] =
			steps_value(&fixture.problem, &fixture.steps, 0, fixture.ln_size[i]);
	struct steps steps = solve_from_nothing(&fixture);
	assert_true(fabs(steps.leak - 6) < 0.1);
	assert_true(fabs(steps.items[1].rise[0] - 50) < 0.5);
	release(&fixture);
}

/* A few percent away, and with both reaches wrong, so that each pulls at the other. */
static void settling_finds_the_reaches(void **state)
{
	(void)state;
	struct fixture fixture;
	prepare(&fixture);
	fixture.steps.items[0].shape = shapes_first(SHAPE_RANDOM);
	for (size_t i = 0; i < COUNT; i++)
		fixture.value[i] =
			steps_value(&fixture.problem, &fixture.steps, 0, fixture.ln_size[i]);
	struct steps moved = fixture.steps;
	moved.items[0].ln_reach += 0.15;
	moved.items[1].ln_reach -= 0.12;
	steps_solve(&fixture.problem, &moved);
	double before = moved.cost;
	steps_settle(&fixture.problem, &moved);
	assert_true(moved.cost < before - 1);
	for (size_t i = 0; i < 2; i++)
		assert_true(fabs(moved.items[i].ln_reach - fixture.steps.items[i].ln_reach) < 0.01);
	before = moved.cost;
	steps_settle(&fixture.problem, &moved);
	assert_true(moved.cost <= before);
	release(&fixture);
}

/* The same points, on one placement and on very many: beyond the cliff neither matters, inside it
 * the first is trusted less, and so costs less where the model is wrong; not by much, as points far
 * from it may be given up as well. */
static void placements_count_inside_a_cliff_alone(void **state)
{
	(void)state;
	struct fixture fixture;
	double placement_share[COUNT], placed_bytes[COUNT], costs[2];
	for (int one = 0; one < 2; one++) {
		prepare(&fixture);
		fixture.problem.frame_bytes = 65536; /* few to a way */
		fixture.curves[0].placed_bytes = placed_bytes;
		fixture.problem.reach_error = 0.01;
		fixture.steps.items[1].shape = shapes_first(SHAPE_LRU);
		fixture.curves[0].placement_share = placement_share;
		for (size_t i = 0; i < COUNT; i++) {
			fixture.value[i] = steps_value(&fixture.problem, &fixture.steps, 0,
						       fixture.ln_size[i]);
			placement_share[i] = one;
			placed_bytes[i] = exp(fixture.ln_size[i]);
		}
		fixture.steps.items[1].ln_reach += 0.2;
		costs[one] = solve_from_nothing(&fixture).cost;
		release(&fixture);
	}
	assert_true(costs[1] < costs[0] - 1);
}

/* Below the reach no set of that one placement has a page too many: as likely as not. Of a thousand
 * placements some must have. */
static void all_pages_of_one_placement_may_fit(void **state)
{
	(void)state;
	struct fixture fixture;
	double placement_share[COUNT], placed_bytes[COUNT], costs[2];
	for (int many = 0; many < 2; many++) {
		prepare(&fixture);
		fixture.problem.frame_bytes = 4096;
		fixture.problem.reach_error = 0.01;
		fixture.curves[0].placement_share = placement_share;
		fixture.curves[0].placed_bytes = placed_bytes;
		for (size_t i = 0; i < COUNT; i++) {
			bool below = fixture.ln_size[i] < fixture.steps.items[0].ln_reach - 0.1;
			fixture.value[i] = below ? fixture.steps.base[0]
						 : steps_value(&fixture.problem, &fixture.steps, 0,
							       fixture.ln_size[i]);
			fixture.error[i] = 1e-3 * fixture.value[i];
			placement_share[i] = 0.2;
			placed_bytes[i] = exp(fixture.ln_size[i]) * (many ? 1000 : 1);
		}
		struct steps solved = solve_from_nothing(&fixture);
		costs[many] = solved.cost;
		if (!many)
			assert_true(fabs(solved.items[0].rise[0] - 3) < 0.15);
		release(&fixture);
	}
	assert_true(costs[0] < costs[1] - 3);
}

static void errors_shrink_with_the_noise(void **state)
{
	(void)state;
	struct fixture fixture;
	double wide[STEPS_MOST + 1], narrow[STEPS_MOST + 1];
	prepare(&fixture);
	fixture.problem.reach_error = 0;
	struct steps solved = solve_from_nothing(&fixture);
	steps_errors(&fixture.problem, &solved, wide);
	for (size_t i = 0; i < COUNT; i++)
		fixture.error[i] /= 10;
	steps_errors(&fixture.problem, &solved, narrow);
	for (size_t i = 0; i < 3; i++)
		assert_true(wide[i] / narrow[i] > 2);
	release(&fixture);
}

static void tables_hold_the_laws(void **state)
{
	(void)state;
	static const double way_pages[] = {0, 2, 1e9};
	struct shapes *shapes = shapes_make();
	size_t shape = shapes_first(SHAPE_RANDOM);
	assert_non_null(shapes);
	for (size_t i = 0; i < 3; i++) {
		const struct hit_shape random = {HIT_CYCLE_RANDOM, i > 0, 8, 1, i == 1 ? 2 : 0};
		size_t table = shapes_table(shape, way_pages[i]);
		for (double ln = -3; ln < 6; ln += 0.1) {
			double expected = 1 - hit_share(&random, exp(ln));
			assert_true(fabs(shapes_at(shapes, table, ln).missed - expected) < 0.01);
		}
	}
	for (size_t s = 0; s < 3 * shapes_count(); s++) {
		size_t table = shapes_table(s / 3, way_pages[s % 3]);
		for (double ln = -3; ln < 6; ln += 0.01)
			assert_true(shapes_at(shapes, table, ln + 0.01).missed >=
				    shapes_at(shapes, table, ln).missed - 1e-9);
		double ln_half = shapes_ln_half(shapes, table);
		assert_true(fabs(shapes_at(shapes, table, ln_half).missed - 0.5) < 0.15);
		double last = nextafter(SHAPES_LN_HIGH, 0);
		assert_true(fabs(shapes_at(shapes, table, last).slope) < 0.1);
	}
	shapes_free(shapes);
}

/* What the first keeps of a cycle for good, the second is not asked for: any lines of its sets, of
 * which some are full sooner than others. */
static void a_cache_behind_one_that_resists_is_asked_for_less(void **state)
{
	(void)state;
	struct fixture fixture;
	prepare(&fixture);
	size_t resistant = shapes_first(SHAPE_RESISTANT);
	fixture.steps.items[0].shape = resistant;
	fixture.steps.items[1] = (struct step){.ln_reach = log(256 << 10), .shape = 0};
	double first = steps_missed(&fixture.problem, &fixture.steps, 0, 0, log(1 << 20));
	double second = steps_missed(&fixture.problem, &fixture.steps, 1, 0, log(1 << 20));
	double inside = steps_missed(&fixture.problem, &fixture.steps, 1, 0, log(160 << 10));
	assert_true(first > 0.95 && first < 0.99);
	assert_true(fabs(second - first) < 1e-9);
	assert_true(inside < 0.01);
	release(&fixture);
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(rises_come_back_exactly),
	cmocka_unit_test(one_wild_point_moves_nothing),
	cmocka_unit_test(what_is_not_explained_moves_nothing),
	cmocka_unit_test(a_fall_is_no_step),
	cmocka_unit_test(what_fits_better_costs_less),
	cmocka_unit_test(a_control_has_no_translation),
	cmocka_unit_test(a_control_may_have_less_of_an_inner_cache),
	cmocka_unit_test(a_cache_behind_one_that_resists_is_asked_for_less),
	cmocka_unit_test(tables_leave_a_cache_at_512_times_its_bytes),
	cmocka_unit_test(tables_leave_the_first_cache_where_it_is_asked),
	cmocka_unit_test(what_others_take_comes_back),
	cmocka_unit_test(settling_finds_the_reaches),
	cmocka_unit_test(placements_count_inside_a_cliff_alone),
	cmocka_unit_test(all_pages_of_one_placement_may_fit),
	cmocka_unit_test(errors_shrink_with_the_noise),
	cmocka_unit_test(tables_hold_the_laws),
};
UNIT_GROUP();
