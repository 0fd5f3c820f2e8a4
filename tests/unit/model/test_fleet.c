/* What is usual of values that have their own errors, in spite of outliers; the share of false
 * alarms. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/list.h"
#include "base/rng.h"
#include "fleet/fleet_scan.h"
#include "model/fleet/fleet_causes.h"
#include "model/fleet/fleet_lists.h"
#include "model/fleet/fleet_matrix.h"
#include "model/fleet/fleet_rules.h"
#include "model/fleet/fleet_tests.h"
#include "model/fleet/fleet_usual.h"
#include "unit.h"

#define NODES  400
#define GROUPS 60

static void draw_values(struct rng *rng, double spread, double error, struct fleet_value *values,
			size_t count)
{
	for (size_t i = 0; i < count; i++)
		values[i] = (struct fleet_value){
			5 + spread * rng_normal(rng) + error * rng_normal(rng), error};
}

static void spread_is_told_from_the_nodes_own_error(void **state)
{
	struct fleet_value values[NODES];
	struct rng rng = rng_make(1);
	(void)state;
	draw_values(&rng, 0.02, 0.01, values, NODES);
	struct fleet_usual usual = fleet_usual_find(values, NODES);
	assert_true(fabs(usual.centre - 5) < 0.005);
	assert_true(usual.spread > 0.017 && usual.spread < 0.023);
	assert_true(fabs(usual.error - 0.01) < 1e-9);
	/* Errors that explain all of it leave no spread. */
	draw_values(&rng, 0, 0.01, values, NODES);
	assert_true(fleet_usual_find(values, NODES).spread < 0.004);
}

static void outliers_do_not_make_each_other_usual(void **state)
{
	struct fleet_value values[NODES];
	struct rng rng = rng_make(2);
	(void)state;
	draw_values(&rng, 0.02, 0.01, values, NODES);
	for (size_t i = 0; i < NODES / 10; i++)
		values[i].value += 1;
	struct fleet_usual usual = fleet_usual_find(values, NODES);
	assert_true(fabs(usual.centre - 5) < 0.01);
	assert_true(usual.spread < 0.03);
	struct fleet_value off = {6, 0.01};
	assert_true(fleet_usual_tails(&usual, fleet_usual_sigmas(&usual, off)) < 1e-12);
}

static void few_values_say_nothing(void **state)
{
	struct fleet_value values[7] = {{1, NAN}, {1, NAN}, {2, NAN}, {NAN, NAN}};
	(void)state;
	assert_true(isnan(fleet_usual_find(values, 7).centre));
}

/* Of small groups as often as of large ones, once it is known how little they tell. */
static void tails_are_as_likely_as_they_say(void **state)
{
	struct fleet_value values[12];
	struct rng rng = rng_make(3);
	size_t beyond = 0, all = 0;
	(void)state;
	for (int group = 0; group < 50 * GROUPS; group++) {
		draw_values(&rng, 0.02, 0.01, values, 12);
		struct fleet_value own = values[0];
		struct fleet_usual usual = fleet_usual_find(values, 12);
		beyond += fleet_usual_tails(&usual, fleet_usual_sigmas(&usual, own)) < 0.01;
		all++;
	}
	assert_true((double)beyond / (double)all < 0.012);
}

static void matrices_are_solved(void **state)
{
	struct fleet_matrix matrix = {.size = 2, .at = {{4, 2}, {2, 3}}};
	double x[FLEET_NUMBERS] = {8, 7};
	(void)state;
	assert_true(fleet_matrix_factor(&matrix));
	assert_true(fabs(fleet_matrix_log_root(&matrix) - log(8) / 2) < 1e-12);
	fleet_matrix_solve(&matrix, x);
	assert_true(fabs(x[0] - 1.25) < 1e-12 && fabs(x[1] - 1.5) < 1e-12);
	struct fleet_matrix none = {.size = 2, .at = {{1, 2}, {2, 1}}};
	assert_false(fleet_matrix_factor(&none));
}

static void rows_of_the_tables_are_whole(void **state)
{
	(void)state;
	for (int i = 0; i < FLEET_NUMBERS; i++)
		assert_true(fleet_numbers[i].name && fleet_numbers[i].words &&
			    fleet_numbers[i].unit);
	for (int i = 0; i < FLEET_SETTINGS; i++)
		assert_true(fleet_settings[i].name && fleet_settings[i].words);
	for (size_t i = 0; i < fleet_rule_count; i++) {
		const struct fleet_rule *rule = &fleet_rules[i];
		assert_true(rule->name && rule->words && rule->evidence && rule->command);
		assert_true(rule->least > 0 && rule->most > rule->least);
		assert_true(rule->effect_count && rule->effect_count <= FLEET_EFFECTS);
		assert_true(rule->tested || rule->tell_count);
		for (size_t k = 0; k < rule->effect_count; k++)
			assert_true(rule->effects[k].mean != 0 || rule->effects[k].spread > 0);
	}
}

/* Where no density can be had no fault is the likeliest. */
static void what_nothing_fits_is_unknown(void **state)
{
	char empty_text[] = "", *texts[FLEET_SETTINGS];
	double values[FLEET_NUMBERS], errors[FLEET_NUMBERS];
	struct fathom_fleet_setting settings[FLEET_SETTINGS] = {0};
	struct fathom_fleet_node node = {.settings = texts,
					 .values = values,
					 .errors = errors,
					 .value_count = FLEET_NUMBERS};
	struct fathom_fleet_group group = {.settings = settings};
	const struct fathom_fleet fleet = {
		.groups = &group, .group_count = 1, .nodes = &node, .node_count = 1};
	struct fleet_space space = {.correlation = {.size = FLEET_NUMBERS}};
	struct fathom_fleet fleet_of_outlier = {0};
	(void)state;
	for (int i = 0; i < FLEET_SETTINGS; i++)
		texts[i] = settings[i].value = empty_text;
	for (int i = 0; i < FLEET_NUMBERS; i++) {
		values[i] = 2;
		errors[i] = 0.01;
		space.usual[i] = (struct fleet_usual){10, log(1.9), 0.02, 0.01};
		for (int k = 0; k < FLEET_NUMBERS; k++)
			space.correlation.at[i][k] =
				i == k ? 1 : 1e9; /* of no matrix that is one */
	}
	const struct fathom_fleet_outlier empty = {0};
	assert_int_equal(
		LIST_APPEND(&fleet_of_outlier.outliers, &fleet_of_outlier.outlier_count, &empty),
		0);
	struct fathom_fleet_outlier *outlier = fleet_of_outlier.outliers;
	assert_int_equal(fleet_causes_find(&fleet, &space, outlier), 0);
	assert_int_equal(outlier->cause_count, 1);
	assert_string_equal(outlier->cause, "unknown");
	assert_true(isnan(outlier->cause_probability));
	fleet_clear(&fleet_of_outlier);
}

/* ---- documents without their curves ---- */

static void check_scan(const char *document, const char *wanted)
{
	static const char *const names[] = {"curves", NULL};
	struct text text = {0};
	const char *wrong = NULL;
	bool found = fleet_scan(document, strlen(document), names, &text, &wrong);
	assert_true(found == (wanted != NULL));
	if (wanted)
		assert_string_equal(text.data, wanted);
	text_free(&text);
}

static void curves_are_passed_over(void **state)
{
	(void)state;
	check_scan("{\"a\": 1, \"curves\": [{\"b\": \"]\\\\\\\"}\"}], \"c\": [2]}",
		   "{\"a\": 1, \"curves\": [], \"c\": [2]}");
	check_scan("{\"inner\": {\"curves\": [1]}, \"curves\": null}",
		   "{\"inner\": {\"curves\": [1]}, \"curves\": null}");
	check_scan(" {} ", " {} ");
	check_scan("", NULL);
	check_scan("[1]", NULL);
	check_scan("{\"curves\": [[[", NULL);
	check_scan("{\"curves\": [1], \"a\": \"half", NULL);
	check_scan("{\"a\": 1", NULL);
	check_scan("{\"a\" 1}", NULL);
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(spread_is_told_from_the_nodes_own_error),
	cmocka_unit_test(outliers_do_not_make_each_other_usual),
	cmocka_unit_test(few_values_say_nothing),
	cmocka_unit_test(tails_are_as_likely_as_they_say),
	cmocka_unit_test(matrices_are_solved),
	cmocka_unit_test(rows_of_the_tables_are_whole),
	cmocka_unit_test(what_nothing_fits_is_unknown),
	cmocka_unit_test(curves_are_passed_over),
};
UNIT_GROUP();
