/* The models that were tried, and what the OS's word weighs in them. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/warnings.h"
#include "curves.h"
#include "document/table.h"
#include "model/levels/levels.h"
#include "unit.h"

/* 48 KiB at 1.5 ns, 2 MiB at 4.5, memory at 90. */
static const struct known_step two_caches[] = {
	{48 * 1024.0, 3.0, {HIT_CYCLE_LRU, false, 12, 1, 0}, false},
	{2 * 1048576.0, 85.5, {HIT_CYCLE_LRU, true, 16, 1, 0}, false},
};

/* And a cache between these two. */
static const struct known_step three_caches[] = {
	{48 * 1024.0, 3.0, {HIT_CYCLE_LRU, false, 12, 1, 0}, false},
	{384 * 1024.0, 9.0, {HIT_CYCLE_LRU, true, 8, 1, 0}, false},
	{2 * 1048576.0, 85.5, {HIT_CYCLE_LRU, true, 16, 1, 0}, false},
};

/* The OS reports that L2, and an L1 that is not there. */
static struct fathom_cache caches[] = {{.level = 1, .size_bytes = 16 << 10},
				       {.level = 2, .size_bytes = 2 << 20}};

static struct fathom_result fit_steps(const struct known_step *steps, size_t step_count,
				      struct fathom_machine *machine, bool os_prior_off)
{
	const struct known_curve known = {
		.first_bytes = 4096,
		.last_bytes = 64 * 1048576.0,
		.per_octave = 4,
		.base = 1.5,
		.steps = steps,
		.step_count = step_count,
		.noise = 0.005,
		.clock_ghz = 3.2,
		.seed = 1,
	};
	struct fathom_result result = {.curves = calloc(1, sizeof(*result.curves)),
				       .curve_count = 1,
				       .machine = machine,
				       .os_prior_off = os_prior_off};
	assert_non_null(result.curves);
	result.curves[0] = make_curve(&known);
	assert_int_equal(levels_find(&result, NULL, NULL, NULL), 0);
	return result;
}

static struct fathom_result fit(struct fathom_machine *machine, bool os_prior_off)
{
	return fit_steps(two_caches, 2, machine, os_prior_off);
}

static void release(struct fathom_result *result)
{
	free(result->curves[0].points);
	free(result->curves);
	table_free_items(&level_table, result->levels, result->level_count);
	table_free_items(&hypothesis_table, result->hypotheses, result->hypothesis_count);
	warnings_free(&result->warnings);
}

static void the_likeliest_come_first_and_no_two_say_the_same(void **state)
{
	(void)state;
	struct fathom_result result = fit(NULL, false);
	double sum = 0;
	assert_in_range(result.hypothesis_count, 1, 6);
	for (size_t i = 0; i < result.hypothesis_count; i++) {
		const struct fathom_hypothesis *model = &result.hypotheses[i];
		sum += model->probability;
		assert_true(i == 0 || model->probability <= model[-1].probability);
		assert_true(model->term_count > 0);
		for (size_t k = 0; k < i; k++)
			assert_string_not_equal(model->levels, result.hypotheses[k].levels);
	}
	assert_true(sum > 0.9 && sum < 1 + 1e-9);
	release(&result);
}

/* Where two models have as many of them, their priors differ by as much as the terms do. */
static void the_terms_are_those_of_the_prior(void **state)
{
	(void)state;
	struct fathom_result result = fit(NULL, false);
	for (size_t i = 1; i < result.hypothesis_count; i++) {
		const struct fathom_hypothesis *first = &result.hypotheses[0], *other = first + i;
		double cost = 0;
		if (other->term_count != first->term_count)
			continue;
		for (size_t k = 0; k < first->term_count; k++)
			cost += other->terms[k].cost - first->terms[k].cost;
		assert_true(fabs(first->log_prior - other->log_prior - cost) < 1e-6);
	}
	release(&result);
}

/* "...: 0.97". */
static double weight_of(const struct fathom_level *level)
{
	const char *said = strstr(level->evidence, "the OS reports: ");
	return said ? strtod(said + strlen("the OS reports: "), NULL) : NAN;
}

static void the_word_of_the_os_has_weight_where_it_is_right(void **state)
{
	(void)state;
	struct fathom_machine machine = {.caches = caches, .cache_count = 2};
	struct fathom_result result = fit(&machine, false);
	assert_int_equal(result.levels[0].kind, FATHOM_LEVEL_CACHE);
	assert_int_equal(result.levels[1].kind, FATHOM_LEVEL_CACHE);
	assert_true(weight_of(&result.levels[0]) < 0.1);
	assert_true(weight_of(&result.levels[1]) > 0.5);
	release(&result);
}

static void it_can_be_left_out(void **state)
{
	(void)state;
	struct fathom_machine machine = {.caches = caches, .cache_count = 2};
	struct fathom_result without = fit(&machine, true), unknown = fit(NULL, false);
	assert_true(isnan(weight_of(&without.levels[1])));
	assert_true(without.levels[1].size_bytes == unknown.levels[1].size_bytes);
	assert_true(without.hypotheses[0].log_evidence == unknown.hypotheses[0].log_evidence);
	release(&without);
	release(&unknown);
}

static double cost_of_term(const struct fathom_hypothesis *model, const char *quantity)
{
	for (size_t i = 0; i < model->term_count; i++)
		if (strcmp(model->terms[i].quantity, quantity) == 0)
			return model->terms[i].cost;
	return 0;
}

/* Its price is paid where the curve shows it, and where the OS reports its neighbours alone. */
static void a_cache_that_the_os_leaves_out_is_rare(void **state)
{
	(void)state;
	static struct fathom_cache outer[] = {{.level = 1, .size_bytes = 48 << 10},
					      {.level = 2, .size_bytes = 2 << 20}};
	struct fathom_machine machine = {.caches = outer, .cache_count = 2};
	struct fathom_result result = fit_steps(three_caches, 3, &machine, false);
	assert_int_equal(result.levels[1].kind, FATHOM_LEVEL_CACHE);
	assert_true(fabs(result.levels[1].size_bytes / (384 << 10) - 1) < 0.1);
	assert_true(fabs(cost_of_term(&result.hypotheses[0], "the OS leaves it out") - 7) < 1e-9);
	release(&result);
	result = fit_steps(three_caches, 3, NULL, false);
	assert_true(cost_of_term(&result.hypotheses[0], "the OS leaves it out") == 0);
	release(&result);
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(the_likeliest_come_first_and_no_two_say_the_same),
	cmocka_unit_test(the_terms_are_those_of_the_prior),
	cmocka_unit_test(the_word_of_the_os_has_weight_where_it_is_right),
	cmocka_unit_test(it_can_be_left_out),
	cmocka_unit_test(a_cache_that_the_os_leaves_out_is_rare),
};
UNIT_GROUP();
