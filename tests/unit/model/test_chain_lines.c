/* What lines take in caches, one a page and side by side. */
#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include "model/translation/chain_lines.h"
#include "unit.h"

#define POINTS      70
#define PER_OCTAVE  6
#define FEWEST      8
#define BASE_NS     1.2
#define FIRST_NS    3.0
#define SECOND_NS   60.0
#define FIRST_LINES 512.0 /* 8 ways of 64 sets */
#define LINES       6000.0
#define PAGE_LINES  64

static double missed(double reach, double ways, double count)
{
	const struct hit_shape shape = {HIT_CYCLE_LRU, false, ways, 1, 0};
	return 1 - hit_share(&shape, count / reach);
}

static struct chain_lines find(struct shapes *shapes)
{
	double ln[POINTS], value[POINTS], error[POINTS], outlying[POINTS];
	const struct steps_curve curve = {
		.role = STEPS_MAIN,
		.count = POINTS,
		.ln_size = ln,
		.value = value,
		.error = error,
		.outlying = outlying,
		.start_error = error,
	};
	double *scratch = calloc(steps_scratch_count(&curve, 1) + 1, sizeof(double));
	struct chain_lines lines;
	for (size_t i = 0; i < POINTS; i++) {
		double count = round(FEWEST * exp2((double)i / PER_OCTAVE));
		ln[i] = log(count);
		value[i] = BASE_NS + FIRST_NS * missed(FIRST_LINES, 8, count) +
			   SECOND_NS * missed(LINES, 16, count);
		error[i] = 0.005 * value[i];
		outlying[i] = 2e-3;
	}
	chain_lines_find(shapes, &curve, PAGE_LINES, scratch, &lines);
	free(scratch);
	return lines;
}

static void caches_are_found_by_lines_side_by_side(void **state)
{
	struct shapes *shapes = shapes_make();
	struct chain_lines lines = find(shapes);
	(void)state;
	assert_true(fabs(lines.base_ns - BASE_NS) < 0.05);
	assert_int_equal(lines.first_ways, 8);
	assert_true(fabs(lines.cliffs[CLIFF_FIRST].rise_ns - FIRST_NS) < 0.2);
	assert_true(fabs(lines.cliffs[CLIFF_SECOND].rise_ns - SECOND_NS) < 1);
	assert_true(fabs(exp(lines.cliffs[CLIFF_SECOND].ln_reach) / LINES - 1) < 0.1);
	assert_true(lines.cliffs[CLIFF_FAR].rise_ns == 0);
	assert_true(chain_lines_far_error(&lines, LINES) == 0);
	shapes_free(shapes);
}

/* The rule of the chains fills the sets nearly evenly: 7 lines a set or 8 of 448, never 9. */
static void one_line_a_page_fills_the_first_cache_by_the_chains_rule(void **state)
{
	struct shapes *shapes = shapes_make();
	struct chain_lines lines = find(shapes);
	(void)state;
	assert_true(chain_lines_first_ns(&lines, FIRST_LINES * 7 / 8) == 0);
	double at_reach_ns = chain_lines_first_ns(&lines, FIRST_LINES);
	assert_true(at_reach_ns > 0 && at_reach_ns < FIRST_NS);
	assert_true(fabs(chain_lines_first_ns(&lines, 2 * FIRST_LINES) - FIRST_NS) < 0.2);
	shapes_free(shapes);
}

static void the_second_cache_fills_at_random(void **state)
{
	const struct chain_shape few = {4, 0, 0}, many = {16, 0, 0}, smaller = {16, 0, 0.2};
	const double counts[] = {LINES / 20, LINES / 2, LINES * 10};
	struct shapes *shapes = shapes_make();
	struct chain_lines lines = find(shapes);
	double by_few[3], by_many[3], by_smaller[3];
	(void)state;
	chain_lines_missed(&lines, &few, counts, 3, by_few);
	chain_lines_missed(&lines, &many, counts, 3, by_many);
	chain_lines_missed(&lines, &smaller, counts, 3, by_smaller);
	assert_true(by_few[0] == 0 && by_many[0] == 0);
	assert_true(by_few[1] > by_smaller[1] && by_smaller[1] > by_many[1] && by_many[1] > 0);
	assert_true(by_few[2] == 1 && by_many[2] == 1);
	shapes_free(shapes);
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(caches_are_found_by_lines_side_by_side),
	cmocka_unit_test(one_line_a_page_fills_the_first_cache_by_the_chains_rule),
	cmocka_unit_test(the_second_cache_fills_at_random),
};
UNIT_GROUP();
