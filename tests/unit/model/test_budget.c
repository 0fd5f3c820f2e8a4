/* What no memory hierarchy looks like is given up early and told; and whoever waits may end it. */
#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/warnings.h"
#include "curves.h"
#include "document/table.h"
#include "fathom.h"
#include "fathom_search.h"
#include "model/budget.h"
#include "model/levels/levels.h"
#include "unit.h"

#define SIZES 200

static char tool[] = "a tool";

/* `steps` steps of a quarter each, none of which is more than the others. */
static void make_staircase(size_t steps, struct fathom_point *points, struct fathom_curve *curve)
{
	for (size_t i = 0; i < SIZES; i++)
		points[i] = (struct fathom_point){
			.spec.size_bytes = (uint64_t)(1024 * exp2((double)i / 10)),
			.spec.pattern = FATHOM_PATTERN_UNKNOWN,
			.latency_ns = pow(1.25, (double)(i * steps / SIZES)),
			.latency_low_ns = NAN,
			.latency_high_ns = NAN,
			.latency_cycles = NAN,
		};
	*curve = (struct fathom_curve){
		.experiment = FATHOM_LATENCY,
		.axis = FATHOM_AXIS_SIZE,
		.tool = tool,
		.points = points,
		.point_count = SIZES,
	};
}

static void release(struct fathom_result *result)
{
	table_free_items(&level_table, result->levels, result->level_count);
	table_free_items(&hypothesis_table, result->hypotheses, result->hypothesis_count);
	warnings_free(&result->warnings);
}

static void a_staircase_is_given_up_and_told(void **state)
{
	(void)state;
	struct fathom_point points[SIZES];
	struct fathom_curve curve;
	struct fathom_result result = {.curves = &curve, .curve_count = 1};
	make_staircase(25, points, &curve);
	assert_int_equal(levels_find(&result, NULL, NULL, NULL), 0);
	assert_non_null(warnings_find(&result.warnings, "search-cut"));
	assert_true(result.level_count > 0);
	release(&result);
}

static void a_hierarchy_is_searched_to_its_end(void **state)
{
	(void)state;
	const struct known_step steps[] = {
		{48 * 1024.0, 3.0, {HIT_CYCLE_LRU, false, 12, 1, 0}, false},
		{2 * 1048576.0, 15.5, {HIT_CYCLE_LRU, true, 16, 1, 0}, false},
		{12 * 1048576.0, 70.0, {HIT_CYCLE_LRU, true, 12, 1, 0}, false},
	};
	const struct known_curve known = {.first_bytes = 4096,
					  .last_bytes = 256 * 1048576.0,
					  .per_octave = 4,
					  .base = 1.5,
					  .steps = steps,
					  .step_count = 3,
					  .noise = 0.005,
					  .clock_ghz = 3.2,
					  .seed = 1};
	struct fathom_curve curve = make_curve(&known);
	struct fathom_result result = {.curves = &curve, .curve_count = 1};
	assert_int_equal(levels_find(&result, NULL, NULL, NULL), 0);
	assert_null(warnings_find(&result.warnings, "search-cut"));
	release(&result);
	free(curve.points);
}

struct patience {
	size_t asked, most;
};

static bool is_out(void *context)
{
	struct patience *patience = context;
	return ++patience->asked > patience->most;
}

static void whoever_waits_may_stop_it_anywhere(void **state)
{
	(void)state;
	struct fathom_point points[SIZES];
	struct fathom_curve curve;
	make_staircase(25, points, &curve);
	for (size_t most = 0; most < 3000; most += 500) {
		struct fathom_result result = {.curves = &curve, .curve_count = 1};
		struct fathom_error error = {0};
		struct patience patience = {.most = most};
		struct fathom_observer observer = {.context = &patience, .stop = is_out};
		assert_int_equal(fathom_fit(&result, &observer, &error), -1);
		assert_int_equal(error.status, FATHOM_INTERRUPTED);
		assert_int_equal(result.level_count, 0);
		/* Few systems are solved after that: some seconds of them would be 50,000. */
		assert_in_range(patience.asked, most + 1, most + 2000);
		fathom_error_clear(&error);
		release(&result);
	}
}

static void an_observer_that_never_stops_changes_nothing(void **state)
{
	(void)state;
	struct fathom_point points[SIZES];
	struct fathom_curve curve;
	struct fathom_result plain = {.curves = &curve, .curve_count = 1}, watched = plain;
	struct patience patience = {.most = SIZE_MAX};
	struct fathom_observer observer = {.context = &patience, .stop = is_out};
	make_staircase(3, points, &curve);
	assert_int_equal(fathom_fit(&plain, NULL, NULL), 0);
	assert_int_equal(fathom_fit(&watched, &observer, NULL), 0);
	assert_int_equal(plain.level_count, watched.level_count);
	for (size_t i = 0; i < plain.level_count; i++)
		assert_true(
			plain.levels[i].latency_ns == watched.levels[i].latency_ns ||
			(isnan(plain.levels[i].latency_ns) && isnan(watched.levels[i].latency_ns)));
	release(&plain);
	release(&watched);
}

static void a_comparison_can_be_stopped(void **state)
{
	(void)state;
	struct fathom_point points[SIZES];
	struct fathom_curve curve;
	make_staircase(3, points, &curve);
	struct fathom_result result = {.curves = &curve, .curve_count = 1};
	struct fathom_run baseline = {"before", &result}, run = {"after", &result};
	struct patience patience = {.most = 5};
	struct fathom_observer observer = {.context = &patience, .stop = is_out};
	struct fathom_compare_request request = {.baselines = &baseline,
						 .baseline_count = 1,
						 .runs = &run,
						 .run_count = 1,
						 .observer = &observer};
	struct fathom_comparison *comparison = NULL;
	struct fathom_error error = {0};
	assert_int_equal(fathom_compare(&request, &comparison, &error), -1);
	assert_int_equal(error.status, FATHOM_INTERRUPTED);
	assert_null(comparison);
	fathom_error_clear(&error);
}

/* Of a budget that is spent after so many looks at it. */
static double looks(void *context)
{
	return (*(int *)context)++;
}

static double never(void *context)
{
	(void)context;
	return 0;
}

static const struct search_clock endless = {never, NULL, 1};

static void count_told(void *context, const struct fathom_progress *progress)
{
	(void)progress;
	++*(int *)context;
}

/* How often the clock was looked at. */
static int search_within(double looks_allowed, int *told)
{
	struct fathom_point points[SIZES];
	struct fathom_curve curve;
	struct fathom_result result = {.curves = &curve, .curve_count = 1};
	int looked = 0;
	const struct search_clock clock = {looks, &looked, looks_allowed};
	const struct fathom_observer observer = {.context = told, .progress = count_told};
	make_staircase(25, points, &curve);
	assert_int_equal(search_levels(&result, &observer, &clock, NULL), 0);
	assert_false(result.interrupted);
	assert_non_null(warnings_find(&result.warnings, "search-cut"));
	assert_true(result.level_count > 0);
	release(&result);
	return looked;
}

static void a_budget_that_is_spent_ends_the_search(void **state)
{
	(void)state;
	int told = 0;
	int whole = search_within(1e9, &told);
	assert_int_equal(told, 0);
	assert_true(search_within(2000, &told) < whole / 2);
	assert_true(told >= 10);
}

/* However fast the machine is: so that half a second passes before much was tried. */
static bool says_stop_slowly(void *context)
{
	(void)context;
	usleep(1000);
	return true;
}

static void what_was_measured_is_kept_without_levels(void **state)
{
	(void)state;
	struct fathom_point points[SIZES];
	struct fathom_curve curve;
	struct fathom_result result = {.curves = &curve, .curve_count = 1};
	struct fathom_observer observer = {.stop = says_stop_slowly};
	make_staircase(25, points, &curve);
	assert_int_equal(search_levels(&result, &observer, &endless, NULL), 0);
	assert_true(result.interrupted);
	assert_int_equal(result.level_count, 0);
	assert_string_equal(result.warnings.items[result.warnings.count - 1].id,
			    "levels-not-found");
	release(&result);
}

static void whoever_waits_gets_the_levels(void **state)
{
	(void)state;
	struct fathom_point points[SIZES];
	struct fathom_curve curve;
	struct fathom_result result = {.curves = &curve, .curve_count = 1};
	make_staircase(3, points, &curve);
	assert_int_equal(search_levels(&result, NULL, &endless, NULL), 0);
	assert_false(result.interrupted);
	assert_true(result.level_count > 0);
	release(&result);
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(a_staircase_is_given_up_and_told),
	cmocka_unit_test(a_hierarchy_is_searched_to_its_end),
	cmocka_unit_test(whoever_waits_may_stop_it_anywhere),
	cmocka_unit_test(an_observer_that_never_stops_changes_nothing),
	cmocka_unit_test(a_comparison_can_be_stopped),
	cmocka_unit_test(what_was_measured_is_kept_without_levels),
	cmocka_unit_test(whoever_waits_gets_the_levels),
	cmocka_unit_test(a_budget_that_is_spent_ends_the_search),
};
UNIT_GROUP();
