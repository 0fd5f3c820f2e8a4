/* Is the cheapest hierarchy found from one far away, and what do others about as likely say? */
#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include "base/rng.h"
#include "model/steps/hierarchy.h"
#include "unit.h"

#define MAIN_COUNT    60
#define CONTROL_COUNT 24
#define DRAWS         6

struct curve {
	double ln_size[MAIN_COUNT], value[MAIN_COUNT], error[MAIN_COUNT], outlying[MAIN_COUNT];
};

struct fixture {
	struct shapes *shapes;
	struct curve main, control;
	struct steps_curve curves[2];
	struct steps_problem problem;
	struct steps steps; /* the true ones */
};

static void add(struct steps *steps, double reach_bytes, enum shape_class class, double rise)
{
	bool translation = class == SHAPE_SOFT;
	steps->items[steps->count++] = (struct step){
		.ln_reach = log(reach_bytes),
		.shape = translation ? shapes_first(SHAPE_SOFT) : shapes_first(class),
		.translation = translation,
		.rise = {rise, translation ? rise / 8 : rise},
	};
}

static void fill(struct fixture *fixture, size_t which, enum steps_role role, size_t count,
		 double per_octave)
{
	struct curve *curve = which ? &fixture->control : &fixture->main;
	double first = which ? log(131072) : log(4096);
	fixture->curves[which] = (struct steps_curve){.role = role,
						      .count = count,
						      .ln_size = curve->ln_size,
						      .value = curve->value,
						      .error = curve->error,
						      .outlying = curve->outlying,
						      .start_error = curve->error};
	for (size_t i = 0; i < count; i++) {
		curve->ln_size[i] = first + (double)i * M_LN2 / per_octave;
		curve->outlying[i] = 2e-3;
	}
}

/* A machine with two TLBs and a large cache that replaces at random, and its control. Every
 * sixteenth point is off by half. */
static void prepare(uint64_t seed, struct fixture *fixture)
{
	struct rng rng = rng_make(seed);
	*fixture = (struct fixture){.steps.base = {0.84, 0.84}};
	fixture->shapes = shapes_make();
	assert_non_null(fixture->shapes);
	add(&fixture->steps, 25088, SHAPE_LRU, 2.3);
	add(&fixture->steps, 264192, SHAPE_SOFT, 2.1);
	add(&fixture->steps, 348480, SHAPE_RESISTANT, 8);
	add(&fixture->steps, 5.5e6, SHAPE_SOFT, 2.7);
	add(&fixture->steps, 6e7, SHAPE_RANDOM, 76);
	fill(fixture, 0, STEPS_MAIN, MAIN_COUNT, 4);
	fill(fixture, 1, STEPS_CONTROL, CONTROL_COUNT, 2);
	fixture->problem = (struct steps_problem){
		.shapes = fixture->shapes,
		.curves = fixture->curves,
		.curve_count = 2,
		.ln_page = log(4096),
		.visits = 0.125,
		.reach_error = 0.004,
		.shape_error = 0.003,
		.temper_lru = 1,
		.temper_inexact = 1,
		.outlying = 1,
		.unit_ns = 1,
		.translation_shape = shapes_first(SHAPE_SOFT),
		.scratch = calloc(steps_scratch_count(fixture->curves, 2), sizeof(double)),
	};
	for (size_t c = 0; c < 2; c++)
		for (size_t i = 0; i < fixture->curves[c].count; i++) {
			struct curve *curve = c ? &fixture->control : &fixture->main;
			double value = steps_value(&fixture->problem, &fixture->steps, c,
						   curve->ln_size[i]);
			curve->value[i] = value * (0.99 + 0.02 * rng_unit(&rng)) *
					  (rng_unit(&rng) < 0.06 ? 1.5 : 1);
			curve->error[i] = 0.01 * value;
		}
}

static void release(struct fixture *fixture)
{
	shapes_free(fixture->shapes);
	free(fixture->problem.scratch);
}

static void the_search_finds_what_explains_best(void **state)
{
	(void)state;
	struct hierarchy_options options = {SHAPE_CYCLE_CLASSES, true, false, HIERARCHY_WHOLE};
	for (uint64_t seed = 0; seed < DRAWS; seed++) {
		struct fixture fixture;
		struct steps found = {0};
		prepare(seed, &fixture);
		hierarchy_find(&fixture.problem, &options, &found, NULL);
		steps_settle(&fixture.problem, &fixture.steps);
		steps_weigh(&fixture.problem, &fixture.steps);
		assert_true(found.unlikely < fixture.steps.unlikely + 5);
		release(&fixture);
	}
}

/* Each step of the truth is surely of its kind. */
static void the_odds_tell_the_kind(void **state)
{
	(void)state;
	struct hierarchy_options options = {SHAPE_CYCLE_CLASSES, true, false, HIERARCHY_WHOLE};
	struct fixture fixture;
	struct steps found = {0};
	struct hypotheses tried;
	prepare(0, &fixture);
	hierarchy_find(&fixture.problem, &options, &found, &tried);
	for (size_t i = 0; i < fixture.steps.count; i++) {
		const struct step *step = &fixture.steps.items[i];
		struct hierarchy_odds odds =
			hierarchy_odds(&fixture.problem, &tried, &fixture.steps, i);
		assert_true(fabs(odds.cache + odds.translation + odds.absent - 1) < 1e-9);
		assert_true((step->translation ? odds.translation : odds.cache) > 0.8);
	}
	for (size_t i = 1; i < tried.count; i++)
		assert_true(tried.items[i - 1].steps.unlikely <= tried.items[i].steps.unlikely);
	release(&fixture);
}

/* A cache of one hypothesis is not both of two that another has near it. */
static void one_cache_is_no_evidence_of_two(void **state)
{
	(void)state;
	struct fixture fixture;
	prepare(0, &fixture);
	struct hypotheses tried = {.count = 2};
	tried.items[0].steps = tried.items[1].steps = fixture.steps;
	struct steps *split = &tried.items[0].steps;
	size_t cache = 0, other = split->count++;
	while (split->items[cache].translation)
		cache++;
	split->items[other] = split->items[cache];
	split->items[other].ln_reach -= 0.9 * HIERARCHY_ALIKE_LN;
	assert_true(fabs(hierarchy_odds(&fixture.problem, &tried, split, cache).cache - 1) < 1e-9);
	assert_true(fabs(hierarchy_odds(&fixture.problem, &tried, split, other).cache - 0.5) <
		    1e-9);
	struct hierarchy_spread spread = {.ln_reach = 10, .ln_low = 9.9, .ln_high = 10.1};
	hierarchy_mix(&tried, split, other, &spread);
	assert_true(fabs(spread.ln_reach - 10) < 1e-9);
	release(&fixture);
}

/* What hits take, whatever one step may be: near the truth, as far as that differs. */
static void what_hits_take_is_near_the_truth(void **state)
{
	(void)state;
	const double true_hits[] = {0.84, 0.84 + 2.3, 0.84 + 2.3 + 8};
	struct hierarchy_options options = {SHAPE_CYCLE_CLASSES, true, false, HIERARCHY_WHOLE};
	for (uint64_t seed = 0; seed < DRAWS; seed++) {
		struct fixture fixture;
		prepare(seed, &fixture);
		steps_settle(&fixture.problem, &fixture.steps);
		for (size_t s = 0; s < fixture.steps.count; s++) {
			struct hierarchy_spread spread;
			hierarchy_spread(&fixture.problem, &options, &fixture.steps, s, &spread);
			for (size_t i = 0; i < sizeof(true_hits) / sizeof(*true_hits); i++) {
				double away = fabs(spread.hits[i].value - true_hits[i]);
				assert_true(away <
					    3 * spread.hits[i].deviation + 0.05 * true_hits[i]);
				assert_true(spread.hits[i].deviation < 0.2 * true_hits[i]);
			}
		}
		release(&fixture);
	}
}

/* A model with one TLB there, and how unlikely it is. */
static void add_model(struct hypotheses *tried, double ln_reach, double unlikely)
{
	struct steps *steps = &tried->items[tried->count++].steps;
	*steps = (struct steps){.count = 1, .unlikely = unlikely};
	steps->items[0] = (struct step){.ln_reach = ln_reach, .translation = true};
}

static struct hierarchy_spread mixed(const struct hypotheses *tried)
{
	struct hierarchy_spread spread = {.ln_reach = 10, .ln_low = 9.9, .ln_high = 10.1};
	hierarchy_mix(tried, &tried->items[0].steps, 0, &spread);
	return spread;
}

static void a_mixture_lies_between_its_models(void **state)
{
	(void)state;
	struct hypotheses tried = {.count = 0};
	add_model(&tried, 10, -5);
	add_model(&tried, 10.4, -5);
	struct hierarchy_spread spread = mixed(&tried);
	assert_true(fabs(spread.ln_reach - 10.2) < 1e-9);
	assert_true(spread.ln_low > 9.9 && spread.ln_low < 10);
	assert_true(spread.ln_high > 10.4 && spread.ln_high < 10.5);
	/* Of three to one, the mean is where the weights say. */
	tried.items[1].steps.unlikely += 2 * HIERARCHY_TEMPER * log(3);
	assert_true(fabs(mixed(&tried).ln_reach - 10.1) < 1e-9);
}

static void a_mixture_leaves_out_what_is_another_step(void **state)
{
	(void)state;
	struct hypotheses tried = {.count = 0};
	add_model(&tried, 10, -5);
	add_model(&tried, 10 + 1.1 * HIERARCHY_ALIKE_LN, -5);
	add_model(&tried, 10.1, -5);
	tried.items[2].steps.items[0].translation = false;
	struct hierarchy_spread spread = mixed(&tried);
	assert_true(fabs(spread.ln_reach - 10) < 1e-9);
	assert_true(fabs(spread.ln_low - 9.9) < 1e-3 && fabs(spread.ln_high - 10.1) < 1e-3);
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(the_search_finds_what_explains_best),
	cmocka_unit_test(the_odds_tell_the_kind),
	cmocka_unit_test(one_cache_is_no_evidence_of_two),
	cmocka_unit_test(what_hits_take_is_near_the_truth),
	cmocka_unit_test(a_mixture_lies_between_its_models),
	cmocka_unit_test(a_mixture_leaves_out_what_is_another_step),
};
UNIT_GROUP();
