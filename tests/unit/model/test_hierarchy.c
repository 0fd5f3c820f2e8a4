/* Is the cheapest hierarchy found from one far away, and what do others about as likely say? */
#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include "base/rng.h"
#include "model/steps/hierarchy.h"
#include "model/steps/prior.h"
#include "model/steps/search.h"
#include "unit.h"

#define MAIN_COUNT    60
#define CONTROL_COUNT 24
#define ONE_COUNT     30 /* sizes, up to twice a reach: the plateau behind is out of sight */
#define DRAWS         6
#define LEFT_OUT      12 /* cost above the best, from which on the average leaves them out */

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

/* What hits take, of all hierarchies about as likely: near the truth, as far as they differ. */
static void the_average_is_near_the_truth(void **state)
{
	(void)state;
	const double true_sums[] = {0.84, 0.84 + 2.3, 0.84 + 2.3 + 8};
	struct hierarchy_options options = {SHAPE_CYCLE_CLASSES, true, false, HIERARCHY_WHOLE};
	for (uint64_t seed = 0; seed < DRAWS; seed++) {
		struct fixture fixture;
		struct hierarchy_sum sums[STEPS_MOST + 1];
		prepare(seed, &fixture);
		steps_settle(&fixture.problem, &fixture.steps);
		assert_int_equal(
			hierarchy_average(&fixture.problem, &options, &fixture.steps, sums, NULL),
			0);
		for (size_t i = 0; i < sizeof(true_sums) / sizeof(*true_sums); i++) {
			double away = fabs(sums[i].value - true_sums[i]);
			assert_true(away < 3 * sums[i].deviation + 0.05 * true_sums[i]);
			assert_true(sums[i].deviation < 0.2 * true_sums[i]);
		}
		release(&fixture);
	}
}

/* One cache, whose points tell its shape only roughly. */
static void prepare_one_cache(uint64_t seed, struct fixture *fixture)
{
	struct rng rng = rng_make(seed);
	prepare(seed, fixture);
	fixture->steps = (struct steps){.base = {0.84, 0.84}};
	add(&fixture->steps, 264192, SHAPE_RANDOM, 8);
	fixture->problem.curve_count = 1;
	fixture->curves[0].count = ONE_COUNT;
	for (size_t i = 0; i < MAIN_COUNT; i++) {
		double value = steps_value(&fixture->problem, &fixture->steps, 0,
					   fixture->main.ln_size[i]);
		fixture->main.value[i] = value * (0.94 + 0.12 * rng_unit(&rng));
		fixture->main.error[i] = 0.04 * value;
	}
	steps_settle(&fixture->problem, &fixture->steps);
}

/* What hits take behind that cache, of all its shapes: `weighed` by how likely they are, or all
 * alike. */
static double mean_by_hand(const struct fixture *fixture, const struct hierarchy_options *options,
			   bool weighed)
{
	const struct steps_problem *problem = &fixture->problem;
	const struct search search = {problem, options, false};
	double sum = 0, weights = 0;
	for (size_t shape = 0; shape < shapes_count(); shape++) {
		struct steps best = {.cost = fixture->steps.cost + LEFT_OUT};
		if (!search_allows(&search, shape, fixture->steps.items[0].ln_reach) ||
		    shapes_is_victim(shape))
			continue;
		search_try_shape(&search, &fixture->steps, 0, shape, false, &best);
		if (best.count == 0)
			continue;
		double price = prior_cost(problem, &best);
		double more = (best.cost - price - fixture->steps.cost) / HIERARCHY_TEMPER + price;
		double weight = weighed ? exp(-more / 2) : 1;
		sum += weight * (best.base[0] + best.items[0].rise[0]);
		weights += weight;
	}
	return sum / weights;
}

/* Shapes that the curve does not tell apart differ in what they make of it: the mean is none of
 * them, nor that of all alike. */
static void the_average_weighs_what_is_likely(void **state)
{
	(void)state;
	struct hierarchy_options options = {SHAPE_CYCLE_CLASSES, false, false, HIERARCHY_WHOLE};
	double off = 0, off_best = 0, off_alike = 0;
	for (uint64_t seed = 0; seed < DRAWS; seed++) {
		struct fixture fixture;
		struct hierarchy_sum sums[STEPS_MOST + 1];
		prepare_one_cache(seed, &fixture);
		assert_int_equal(
			hierarchy_average(&fixture.problem, &options, &fixture.steps, sums, NULL),
			0);
		double by_hand = mean_by_hand(&fixture, &options, true);
		off += fabs(sums[1].value - by_hand);
		off_best += fabs(fixture.steps.base[0] + fixture.steps.items[0].rise[0] - by_hand);
		off_alike += fabs(mean_by_hand(&fixture, &options, false) - by_hand);
		release(&fixture);
	}
	assert_true(off < 0.1 * off_best);
	assert_true(off < 0.1 * off_alike);
}

/* Where no shape is allowed there is no other hierarchy. */
static void the_average_of_one_is_that_one(void **state)
{
	(void)state;
	struct hierarchy_options options = {0, true, false, HIERARCHY_WHOLE};
	struct hierarchy_sum sums[STEPS_MOST + 1];
	struct fixture fixture;
	prepare(0, &fixture);
	steps_settle(&fixture.problem, &fixture.steps);
	steps_solve(&fixture.problem, &fixture.steps); /* from where the average starts as well */
	assert_int_equal(hierarchy_average(&fixture.problem, &options, &fixture.steps, sums, NULL),
			 0);
	double sum = fixture.steps.base[0] + fixture.steps.items[0].rise[0];
	assert_true(fabs(sums[0].value / fixture.steps.base[0] - 1) < 1e-6);
	assert_true(fabs(sums[1].value / sum - 1) < 1e-6);
	assert_true(sums[1].deviation < 1e-6 * sum);
	release(&fixture);
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
	cmocka_unit_test(the_average_is_near_the_truth),
	cmocka_unit_test(the_average_weighs_what_is_likely),
	cmocka_unit_test(the_average_of_one_is_that_one),
	cmocka_unit_test(a_mixture_lies_between_its_models),
	cmocka_unit_test(a_mixture_leaves_out_what_is_another_step),
};
UNIT_GROUP();
