#include "model/fleet/fleet_tests.h"

#include <math.h>
#include <stdlib.h>

#include "model/fleet/fleet_rules.h"

/* Of a node's probability of a false alarm; single numbers have the rest. */
#define PATTERNS_SHARE 0.85
/* Of a fault that is just found: effects are unsure by as much. */
#define USUAL_SIZE 0.04

/* Of several tests. */
struct least {
	double probability, tests;
};

struct nodes {
	const struct fathom_fleet *fleet;
	const struct fleet_space *space;
	size_t *places; /* of those that are judged */
	double (*sigmas)[FLEET_NUMBERS];
	size_t count;
	struct least *numbers, *patterns; /* of each */
};

static void add_test(struct least *least, double probability)
{
	if (isnan(probability))
		return;
	least->tests++;
	least->probability = fmin(least->probability, probability);
}

static void test_numbers(struct nodes *nodes, size_t which)
{
	const struct fathom_fleet_node *node = &nodes->fleet->nodes[nodes->places[which]];
	for (int i = 0; i < FLEET_NUMBERS; i++) {
		const struct fleet_usual *usual = &nodes->space->usual[i];
		if (!isfinite(nodes->sigmas[which][i]) || !fleet_numbers[i].worse)
			continue;
		double off = fleet_space_value(node, i).value - usual->centre;
		bool counts = fabs(off) >= FLEET_LEAST_DEVIATION;
		add_test(&nodes->numbers[which],
			 counts ? fleet_usual_tails(usual, nodes->sigmas[which][i]) : 1);
	}
}

/* ---- along the effects of a fault ---- */

struct pattern {
	const struct fleet_rule *rule;
	int count;
	int numbers[FLEET_EFFECTS];
	double weights[FLEET_EFFECTS]; /* of standard deviations */
	double effects[FLEET_EFFECTS]; /* in standard deviations */
};

/* The weights that tell the fault best from what varies between nodes anyway. False: no number that
 * is judged shows it. */
static bool make_pattern(const struct fleet_space *space, const struct fleet_rule *rule,
			 struct pattern *pattern)
{
	struct fleet_matrix matrix = {0};
	bool any = false;
	*pattern = (struct pattern){.rule = rule};
	for (size_t i = 0; i < rule->effect_count; i++) {
		int number = (int)rule->effects[i].number, at = pattern->count;
		if (!isfinite(space->usual[number].centre) || !(space->sigma[number] > 0))
			continue;
		double unsure = rule->effects[i].spread * USUAL_SIZE / space->sigma[number];
		pattern->numbers[at] = number;
		pattern->effects[at] = rule->effects[i].mean / space->sigma[number];
		pattern->weights[at] = pattern->effects[at];
		any |= pattern->effects[at] != 0;
		for (int k = 0; k < at; k++)
			matrix.at[at][k] = space->correlation.at[number][pattern->numbers[k]];
		matrix.at[at][at] = 1 + unsure * unsure;
		pattern->count++;
	}
	matrix.size = pattern->count;
	if (!any || !fleet_matrix_factor(&matrix))
		return false;
	fleet_matrix_solve(&matrix, pattern->weights);
	return true;
}

/* The size of the fault that fits best. NAN: the node has none of the numbers. */
static double find_size(const struct pattern *pattern, const double sigmas[FLEET_NUMBERS])
{
	double sum = 0, all = 0;
	for (int i = 0; i < pattern->count; i++) {
		double value = sigmas[pattern->numbers[i]];
		if (!isfinite(value))
			continue;
		sum += pattern->weights[i] * value;
		all += pattern->weights[i] * pattern->effects[i];
	}
	return all > 0 ? sum / all : NAN;
}

static int test_pattern(struct nodes *nodes, const struct fleet_rule *rule)
{
	struct pattern pattern;
	if (!make_pattern(nodes->space, rule, &pattern))
		return 0;
	struct fleet_value *sizes = calloc(nodes->count + 1, sizeof(*sizes));
	struct fleet_value *usual_sizes = calloc(nodes->count + 1, sizeof(*usual_sizes));
	size_t usual_count = 0;
	for (size_t i = 0; sizes && usual_sizes && i < nodes->count; i++) {
		const struct fathom_fleet_node *node = &nodes->fleet->nodes[nodes->places[i]];
		sizes[i] = (struct fleet_value){find_size(&pattern, nodes->sigmas[i]), NAN};
		if (node->state != FATHOM_FLEET_OUTLIER)
			usual_sizes[usual_count++] = sizes[i];
	}
	struct fleet_usual usual = {.centre = NAN};
	if (sizes && usual_sizes)
		usual = fleet_usual_find(usual_sizes, usual_count);
	for (size_t i = 0; isfinite(usual.centre) && i < nodes->count; i++) {
		double sigmas = fleet_usual_sigmas(&usual, sizes[i]);
		double off = rule->either ? fabs(sizes[i].value - usual.centre)
					  : sizes[i].value - usual.centre;
		double tails = fleet_usual_tails(&usual, sigmas) / (rule->either ? 1 : 2);
		if (isfinite(sigmas))
			add_test(&nodes->patterns[i], off >= FLEET_LEAST_DEVIATION ? tails : 1);
	}
	int failed = sizes && usual_sizes ? 0 : -1;
	free(sizes);
	free(usual_sizes);
	return failed;
}

/* ---- all of them ---- */

static void open_nodes(struct nodes *nodes, size_t group)
{
	size_t most = nodes->fleet->node_count;
	nodes->places = calloc(most + 1, sizeof(*nodes->places));
	nodes->sigmas = calloc(most + 1, sizeof(*nodes->sigmas));
	nodes->numbers = calloc(most + 1, sizeof(*nodes->numbers));
	nodes->patterns = calloc(most + 1, sizeof(*nodes->patterns));
	if (!nodes->places || !nodes->sigmas || !nodes->numbers || !nodes->patterns)
		return;
	for (size_t i = 0; i < most; i++) {
		const struct fathom_fleet_node *node = &nodes->fleet->nodes[i];
		if (node->group != group || node->state == FATHOM_FLEET_DISTURBED)
			continue;
		nodes->places[nodes->count] = i;
		nodes->numbers[nodes->count].probability = 1;
		nodes->patterns[nodes->count].probability = 1;
		fleet_space_sigmas(nodes->space, node, nodes->sigmas[nodes->count]);
		nodes->count++;
	}
}

/* Weighted Bonferroni: what is known to happen has most of the probability of a false alarm. */
static double join(const struct least *numbers, const struct least *patterns)
{
	if (!numbers->tests)
		return NAN;
	if (!patterns->tests)
		return fmin(1, numbers->probability * numbers->tests);
	double number = numbers->probability * numbers->tests / (1 - PATTERNS_SHARE);
	double pattern = patterns->probability * patterns->tests / PATTERNS_SHARE;
	return fmin(1, fmin(number, pattern));
}

int fleet_tests_run(const struct fathom_fleet *fleet, size_t group, const struct fleet_space *space,
		    double *probabilities)
{
	struct nodes nodes = {.fleet = fleet, .space = space};
	open_nodes(&nodes, group);
	int failed = nodes.places && nodes.sigmas && nodes.numbers && nodes.patterns ? 0 : -1;
	for (size_t i = 0; !failed && i < nodes.count; i++)
		test_numbers(&nodes, i);
	for (size_t i = 0; !failed && i < fleet_rule_count; i++)
		if (fleet_rules[i].tested)
			failed = test_pattern(&nodes, &fleet_rules[i]);
	for (size_t i = 0; !failed && i < nodes.count; i++)
		probabilities[nodes.places[i]] = join(&nodes.numbers[i], &nodes.patterns[i]);
	free(nodes.places);
	free(nodes.sigmas);
	free(nodes.numbers);
	free(nodes.patterns);
	return failed;
}
