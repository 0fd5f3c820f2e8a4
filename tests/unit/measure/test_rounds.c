/* In which order the points of a plan are visited, where some are held against each other. */
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include "base/warnings.h"
#include "measure/meter.h"
#include "measure/schedule/rounds.h"
#include "measure/spec.h"
#include "unit.h"

#define MOST_VISITS 10000

struct visit {
	struct fathom_spec spec;
	uint64_t key;
};

static struct visit visits[MOST_VISITS];
static size_t visit_count;
static int (*really_prepare)(struct meter *meter, const struct fathom_spec *spec, uint64_t key,
			     bool redraw, struct meter_placement *placement,
			     struct fathom_error *error);

static int prepare(struct meter *meter, const struct fathom_spec *spec, uint64_t key, bool redraw,
		   struct meter_placement *placement, struct fathom_error *error)
{
	assert_true(visit_count < MOST_VISITS);
	visits[visit_count++] = (struct visit){*spec, key};
	return really_prepare(meter, spec, key, redraw, placement, error);
}

static void run(struct fathom_request *request, const char *description,
		struct fathom_result *result)
{
	struct fathom_machine *machine;
	struct fathom_plan *plan;
	struct meter *meter;
	request->spec.seed = 5;
	visit_count = 0;
	assert_int_equal(fathom_machine_find(description, &machine, NULL), 0);
	assert_int_equal(fathom_plan_make(request, machine, &plan, NULL), 0);
	assert_int_equal(meter_simulated_open(machine, PINNING_ANYWHERE, 1 << 20, &meter, NULL), 0);
	struct meter_ops ops = *meter->ops;
	really_prepare = ops.prepare;
	ops.prepare = prepare;
	meter->ops = &ops;
	*result = (struct fathom_result){.machine = machine};
	assert_int_equal(rounds_run(plan, meter, NULL, result, NULL), 0);
	meter->ops->close(meter);
	fathom_plan_free(plan);
}

static void result_close(struct fathom_result *result)
{
	struct fathom_result *whole = malloc(sizeof(*whole));
	assert_non_null(whole);
	*whole = *result;
	fathom_result_free(whole);
}

static uint64_t group_of(const struct fathom_spec *spec)
{
	return spec->axis == FATHOM_AXIS_PAGES ? spec_nodes(spec) : spec->size_bytes;
}

static bool is_group(const struct visit *a, const struct visit *b)
{
	return a->spec.axis == b->spec.axis && group_of(&a->spec) == group_of(&b->spec);
}

/* Two of each size, two of each number of pages: one kind has too few pages for the other two. */
static void pairs_are_visited_one_after_the_other(void **state)
{
	(void)state;
	struct fathom_result result;
	struct fathom_request request;
	fathom_request_for(&request, FATHOM_PAGES);
	request.max_size_bytes = 1 << 20;
	request.per_octave = 1;
	request.budget_s = 1;
	run(&request, "sim:l1=4K/4/lru/4c,l2=64K/8/lru/14c,l3=off", &result);
	size_t first = 0, sizes = 0, ascending = 0;
	while (visits[first].key == 5) /* the memory is touched first */
		first++;
	assert_true(visit_count - first > 6 * 40);
	for (size_t i = first; i + 1 < visit_count; i += 2) {
		assert_true(is_group(&visits[i], &visits[i + 1]));
		assert_int_equal(visits[i].key, visits[i + 1].key); /* the same order of nodes */
		assert_true(visits[i].spec.page != visits[i + 1].spec.page ||
			    visits[i].spec.pattern != visits[i + 1].spec.pattern);
		sizes += visits[i].spec.axis == FATHOM_AXIS_SIZE;
		ascending += visits[i].spec.page < visits[i + 1].spec.page;
	}
	assert_true(ascending > sizes / 5 &&
		    ascending < sizes - sizes / 5); /* now the one first, now the other */
	result_close(&result);
}

/* A point that is exact goes on getting blocks as long as what it is held against is not. */
static void pairs_have_as_many_blocks(void **state)
{
	(void)state;
	struct fathom_result result;
	struct fathom_request request;
	static const uint64_t sizes[] = {64 << 10, 128 << 10};
	fathom_request_for(&request, FATHOM_ABLATION);
	request.sizes_bytes = sizes;
	request.size_count = 2;
	request.budget_s = 2;
	run(&request, "sim:l1=4K/4/lru/4c,l2=64K/8/lru/14c,l3=off,noise=1%", &result);
	assert_true(result.curve_count > 4);
	assert_true(result.curves[0].points[0].block_count >= 6);
	for (size_t c = 1; c < result.curve_count; c++)
		for (size_t i = 0; i < result.curves[c].point_count; i++)
			assert_int_equal(result.curves[c].points[i].block_count,
					 result.curves[0].points[i].block_count);
	result_close(&result);
}

static size_t count_few(const struct fathom_result *result)
{
	size_t few = 0;
	for (size_t c = 0; c < result->curve_count; c++)
		for (size_t i = 0; i < result->curves[c].point_count; i++)
			few += result->curves[c].points[i].block_count < 6;
	return few;
}

/* Whatever the time: fewer points, and each with an interval. That some are missing is told of
 * those that were asked for. */
static void all_points_that_are_shown_have_their_blocks(void **state)
{
	(void)state;
	static const uint64_t sizes[] = {4 << 10, 32 << 10};
	static const enum fathom_experiment experiments[] = {FATHOM_PATTERNS, FATHOM_ABLATION,
							     FATHOM_DECAY, FATHOM_PARALLELISM};
	static const double budgets_s[] = {0.15, 0.3};
	for (size_t e = 0; e < sizeof(experiments) / sizeof(*experiments); e++) {
		size_t before = 0;
		bool told = false;
		for (size_t b = 0; b < sizeof(budgets_s) / sizeof(*budgets_s); b++) {
			struct fathom_request request;
			struct fathom_result result;
			fathom_request_for(&request, experiments[e]);
			request.sizes_bytes = sizes;
			request.size_count = 2;
			request.most_lanes = 8;
			request.budget_s = budgets_s[b];
			run(&request,
			    "sim:l1=4K/4/lru/4c,l2=64K/8/lru/14c,l3=off,noise=0.2%,outliers=0",
			    &result);
			assert_int_equal(count_few(&result), 0);
			assert_null(warnings_find(&result.warnings, "few-blocks"));
			size_t points = 0;
			for (size_t c = 0; c < result.curve_count; c++)
				points += result.curves[c].point_count;
			assert_true(points > 0 && points >= before);
			if (points > before && before)
				assert_true(told);
			told = warnings_find(&result.warnings, "points-left-out");
			before = points;
			result_close(&result);
		}
	}
}

/* By the usual costs there is time for two of the sizes; what is left is enough for more. */
static void time_that_is_left_goes_to_what_was_left_out(void **state)
{
	(void)state;
	static const enum fathom_pattern pattern = FATHOM_INDEX_ARRAY;
	uint64_t sizes[8];
	struct fathom_result result;
	struct fathom_request request;
	for (size_t i = 0; i < 8; i++)
		sizes[i] = 1024ull << i;
	fathom_request_for(&request, FATHOM_PATTERNS);
	request.sizes_bytes = sizes;
	request.size_count = 8;
	request.patterns = &pattern;
	request.pattern_count = 1;
	request.spec.node_bytes = 1;
	request.steps = 200000;
	request.budget_s = 0.02;
	run(&request, "sim:l1=4K/4/lru/4c,l2=64K/8/lru/14c,l3=off,noise=0.2%,outliers=0", &result);
	assert_true(result.curves[0].point_count >= 5);
	assert_true(result.elapsed_s <= request.budget_s);
	for (size_t i = 0; i < result.curves[0].point_count; i++)
		assert_int_equal(result.curves[0].points[i].block_count, 10);
	result_close(&result);
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(time_that_is_left_goes_to_what_was_left_out),
	cmocka_unit_test(pairs_are_visited_one_after_the_other),
	cmocka_unit_test(pairs_have_as_many_blocks),
	cmocka_unit_test(all_points_that_are_shown_have_their_blocks),
};
UNIT_GROUP();
