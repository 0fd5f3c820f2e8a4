/* What is said of a step whose kind is not known: how much it adds, and what else there may be. */
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "model/levels/judge.h"
#include "unit.h"

#define COUNT 40

struct fixture {
	double ln_size[COUNT], value[COUNT], error[COUNT], outlying[COUNT];
	struct steps_curve curve;
	struct fathom_point point;
	struct fathom_curve measured;
	struct fathom_result result;
	struct group group;
};

/* 2 + 3 past 64 KiB + 50 past 2 MiB: `count` sizes, an octave in two, from 4 KiB on. */
static void prepare(struct fixture *fixture, size_t count)
{
	struct shapes *shapes = shapes_make();
	*fixture = (struct fixture){.point = {.page_bytes = 4096}};
	fixture->measured = (struct fathom_curve){.points = &fixture->point, .point_count = 1};
	fixture->result = (struct fathom_result){.curves = &fixture->measured, .curve_count = 1};
	fixture->curve = (struct steps_curve){
		.role = STEPS_MAIN,
		.count = count,
		.ln_size = fixture->ln_size,
		.value = fixture->value,
		.error = fixture->error,
		.outlying = fixture->outlying,
		.start_error = fixture->error,
	};
	fixture->group = (struct group){
		.result = &fixture->result,
		.control = GROUP_NO_CURVE,
		.soft = GROUP_NO_CURVE,
		.twin = GROUP_NO_CURVE,
		.paged = GROUP_NO_CURVE,
		.shapes = shapes,
		.data = {{.count = count, .ln_size = fixture->ln_size, .value = fixture->value}},
		.curves = {fixture->curve},
		.tried = calloc(1, sizeof(struct hypotheses)),
		.steps = {.count = 2, .base = {2}},
	};
	struct group *group = &fixture->group;
	assert_non_null(shapes);
	assert_non_null(group->tried);
	group->problem = (struct steps_problem){
		.shapes = shapes,
		.curves = group->curves,
		.curve_count = 1,
		.ln_page = log(4096),
	};
	group->steps.items[0] = (struct step){.ln_reach = log(65536), .rise = {3}};
	group->steps.items[1] = (struct step){
		.ln_reach = log(2 << 20), .shape = shapes_first(SHAPE_RANDOM), .rise = {50}};
	for (size_t i = 0; i < count; i++) {
		fixture->ln_size[i] = log(4096) + (double)i * M_LN2 / 2;
		fixture->value[i] =
			steps_value(&group->problem, &group->steps, 0, fixture->ln_size[i]);
	}
	group->tried->items[group->tried->count++].steps = group->steps;
}

static void release(struct fixture *fixture)
{
	shapes_free(fixture->group.shapes);
	free(fixture->group.tried);
}

/* Another hypothesis, so much less likely than the one found. */
static struct steps *add_hypothesis(struct fixture *fixture, double odds)
{
	struct hypotheses *tried = fixture->group.tried;
	struct steps *steps = &tried->items[tried->count++].steps;
	*steps = fixture->group.steps;
	steps->unlikely = 2 * HIERARCHY_TEMPER * log(odds);
	return steps;
}

static void check_says(const struct fixture *fixture, const char *const *words, bool says)
{
	struct judgement judged = judge_step(&fixture->group, 1);
	assert_non_null(judged.evidence);
	for (size_t i = 0; words[i]; i++)
		if (!strstr(judged.evidence, words[i]) == says)
			fail_msg("'%s' in '%s'", words[i], judged.evidence);
	free(judged.evidence);
}

static void a_step_adds_no_more_than_was_measured(void **state)
{
	(void)state;
	struct fixture fixture;
	prepare(&fixture, COUNT);
	assert_false(judge_still_rises(&fixture.group, 1));
	assert_true(judge_seen_rise(&fixture.group, 1) == 50);
	release(&fixture);
	prepare(&fixture, 20); /* up to 3 MiB */
	assert_true(judge_still_rises(&fixture.group, 1));
	assert_true(fabs(judge_seen_rise(&fixture.group, 1) - (fixture.value[19] - 5)) < 1e-9);
	assert_true(judge_seen_rise(&fixture.group, 1) < 40);
	release(&fixture);
}

/* Others have as many steps, or one fewer. */
static void a_step_that_ends_elsewhere_is_not_none(void **state)
{
	(void)state;
	struct fixture fixture;
	prepare(&fixture, 20);
	add_hypothesis(&fixture, 2)->items[1].ln_reach = log(512 << 10);
	check_says(&fixture,
		   (const char *[]){"not sure from this curve", "by 2.83 MiB, where the curve ends",
				    "a cache with probability 0.67",
				    "the step ends elsewhere with probability 0.33", NULL},
		   true);
	check_says(&fixture, (const char *[]){"no step", "not separable", "pages", NULL}, false);
	add_hypothesis(&fixture, 1)->count = 1;
	check_says(&fixture,
		   (const char *[]){"a cache with probability 0.40",
				    "the step ends elsewhere with probability 0.20",
				    "no step at all with probability 0.40", NULL},
		   true);
	add_hypothesis(&fixture, 1)->items[1].translation = true;
	check_says(&fixture, (const char *[]){"not separable from this curve", "pages", NULL},
		   true);
	release(&fixture);
}

static void what_a_step_may_be_is_known(void **state)
{
	(void)state;
	struct fixture fixture;
	prepare(&fixture, COUNT);
	add_hypothesis(&fixture, 2)->count = 1;
	struct judgement judged = judge_step(&fixture.group, 1);
	assert_int_equal(judged.kind, FATHOM_LEVEL_UNKNOWN);
	assert_true(judged.maybe_cache && !judged.maybe_translation);
	free(judged.evidence);
	add_hypothesis(&fixture, 2)->items[1].translation = true;
	judged = judge_step(&fixture.group, 1);
	assert_true(judged.maybe_cache && judged.maybe_translation);
	free(judged.evidence);
	release(&fixture);
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(a_step_adds_no_more_than_was_measured),
	cmocka_unit_test(a_step_that_ends_elsewhere_is_not_none),
	cmocka_unit_test(what_a_step_may_be_is_known),
};
UNIT_GROUP();
