#include "model/fleet/fleet_causes.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/list.h"
#include "base/text.h"
#include "model/fleet/fleet_rules.h"

#define SIZES 16 /* of a fault that are tried: at most 0.41 octaves apart */
/* A setting has another value though the fault has nothing to do with it: a guess, on which little
 * depends: of 490 faults in 20 fleets like those of docs/accuracy-fleet.md the cause is right
 * of 99.6 % with 0.005 and with 0.02, of 99.4 % with 0.08. */
#define DIFFERS_BY_ITSELF 0.02
#define DIFFERS_UNKNOWN   0.05 /* the same, where the cause is not known */
#define UNKNOWN_LEAST     0.01 /* what an unknown cause does to one number, or to all */
#define UNKNOWN_MOST      1.0
#define SHOWN             3    /* causes of an outlier */
#define SHOWN_LEAST       0.02 /* probability */
#define REFINED           4    /* steps from the best size of the grid */
#define JITTER            1e-9 /* keeps a matrix positive definite: a thousandth of the square of 0.1 % */

/* The numbers of a node that are judged: how far off, as logarithms. */
struct off {
	int count;
	int numbers[FLEET_NUMBERS];
	double values[FLEET_NUMBERS];
	double sigmas[FLEET_NUMBERS]; /* standard deviation that each may have */
	struct fleet_matrix usual;    /* covariance */
};

static void find_off(const struct fleet_space *space, const struct fathom_fleet_node *node,
		     struct off *off)
{
	double sigmas[FLEET_NUMBERS];
	off->count = 0;
	fleet_space_sigmas(space, node, sigmas);
	for (int i = 0; i < FLEET_NUMBERS; i++) {
		if (!isfinite(sigmas[i]))
			continue;
		double value = fleet_space_value(node, i).value - space->usual[i].centre;
		off->numbers[off->count] = i;
		off->values[off->count] = value;
		off->sigmas[off->count++] = sigmas[i] != 0 ? value / sigmas[i] : space->sigma[i];
	}
	off->usual.size = off->count;
	for (int i = 0; i < off->count; i++)
		for (int k = 0; k < off->count; k++)
			off->usual.at[i][k] =
				off->sigmas[i] * off->sigmas[k] *
				space->correlation.at[off->numbers[i]][off->numbers[k]];
}

/* Of the normal density, without its constant; `unsure`: more variance of each. */
static double log_density(const struct off *off, const double *moved, const double *unsure)
{
	struct fleet_matrix matrix = off->usual;
	double left[FLEET_NUMBERS], sum = 0;
	for (int i = 0; i < off->count; i++) {
		left[i] = off->values[i] - moved[i];
		matrix.at[i][i] += unsure[i] * unsure[i] + JITTER;
	}
	if (!fleet_matrix_factor(&matrix))
		return -INFINITY;
	fleet_matrix_lower(&matrix, left);
	for (int i = 0; i < off->count; i++)
		sum += left[i] * left[i];
	return -sum / 2 - fleet_matrix_log_root(&matrix);
}

/* ln(exp(sum) + exp(more)) */
static double add_logs(double sum, double more)
{
	double high = fmax(sum, more), low = fmin(sum, more);
	return isinf(high) ? high : high + log1p(exp(low - high));
}

static double size_at(double least, double most, int step)
{
	return least * pow(most / least, (step + 0.5) / SIZES);
}

/* What a fault of that size does to each number. */
static void find_effects(const struct off *off, const struct fleet_rule *rule, double size,
			 double moved[FLEET_NUMBERS], double unsure[FLEET_NUMBERS])
{
	for (int i = 0; i < off->count; i++) {
		moved[i] = unsure[i] = 0;
		for (size_t e = 0; e < rule->effect_count; e++) {
			if (off->numbers[i] != (int)rule->effects[e].number)
				continue;
			moved[i] = size * rule->effects[e].mean;
			unsure[i] = fabs(size) * rule->effects[e].spread;
		}
	}
}

/* The size that fits best where effects are as unsure as at `size`, and its standard error; 0: no
 * number tells it. */
static double fit_size(const struct off *off, const struct fleet_rule *rule, double size,
		       double *error)
{
	struct fleet_matrix matrix = off->usual;
	double effects[FLEET_NUMBERS], unsure[FLEET_NUMBERS], values[FLEET_NUMBERS];
	double both = 0, all = 0;
	find_effects(off, rule, size, effects, unsure);
	for (int i = 0; i < off->count; i++) {
		effects[i] /= size;
		values[i] = off->values[i];
		matrix.at[i][i] += unsure[i] * unsure[i] + JITTER;
	}
	if (!fleet_matrix_factor(&matrix))
		return 0;
	fleet_matrix_lower(&matrix, effects);
	fleet_matrix_lower(&matrix, values);
	for (int i = 0; i < off->count; i++) {
		both += effects[i] * values[i];
		all += effects[i] * effects[i];
	}
	*error = all > 0 ? 1 / sqrt(all) : INFINITY;
	return all > 0 ? both / all : 0;
}

static double log_at(const struct off *off, const struct fleet_rule *rule, double size)
{
	double moved[FLEET_NUMBERS], unsure[FLEET_NUMBERS];
	find_effects(off, rule, size, moved, unsure);
	return log_density(off, moved, unsure);
}

/* The mean over the sizes that a fault may have on one side, each octave as likely: a grid, or
 * about the best size where that is known better than a step of it. */
static double log_of_side(const struct off *off, const struct fleet_rule *rule, double side)
{
	double range = log(rule->most / rule->least), sum = -INFINITY, best = -INFINITY;
	double size = side * rule->least, error = INFINITY;
	for (int step = 0; step < SIZES; step++) {
		double at = side * size_at(rule->least, rule->most, step);
		double log = log_at(off, rule, at);
		sum = add_logs(sum, log);
		if (log > best) {
			best = log;
			size = at;
		}
	}
	for (int i = 0; i < REFINED; i++) {
		double fitted = side * fit_size(off, rule, size, &error);
		size = side * fmin(rule->most, fmax(rule->least, fitted));
	}
	double width = sqrt(2 * M_PI) * error / (fabs(size) * range); /* of all sizes */
	if (width > 1.0 / SIZES)
		return sum - log(SIZES);
	return fmax(sum - log(SIZES), log_at(off, rule, size) + log(width));
}

static double log_of_rule(const struct off *off, const struct fleet_rule *rule)
{
	double more = log_of_side(off, rule, 1);
	return rule->either ? add_logs(more, log_of_side(off, rule, -1)) - log(2) : more;
}

/* Something moves one number to either side, or all of them a little. */
static double log_of_unknown(const struct off *off)
{
	double sum = -INFINITY;
	for (int step = 0; step < SIZES; step++) {
		double size = size_at(UNKNOWN_LEAST, UNKNOWN_MOST, step);
		double none[FLEET_NUMBERS] = {0}, unsure[FLEET_NUMBERS] = {0};
		for (int i = 0; i < off->count; i++)
			unsure[i] = size;
		sum = add_logs(sum, log_density(off, none, unsure));
		for (int i = 0; i < off->count; i++) {
			double alone[FLEET_NUMBERS] = {0};
			alone[i] = size;
			sum = add_logs(sum, log_density(off, none, alone));
		}
	}
	return sum - log((double)(SIZES * (off->count + 1)));
}

/* ---- settings ---- */

/* Both are known, and differ. */
static bool differs(const char *value, const char *usually)
{
	return *value && *usually && strcmp(value, usually) != 0;
}

static double differs_by(const struct fleet_rule *rule, int setting)
{
	for (size_t i = 0; rule && i < rule->tell_count; i++)
		if ((int)rule->tells[i].setting == setting)
			return rule->tells[i].probability;
	return rule ? DIFFERS_BY_ITSELF : DIFFERS_UNKNOWN;
}

/* `rule` NULL: the unknown one. */
static double log_of_settings(const struct fathom_fleet_node *node,
			      const struct fathom_fleet_group *group, const struct fleet_rule *rule)
{
	double sum = 0;
	for (int i = 0; i < FLEET_SETTINGS; i++) {
		const char *value = node->settings[i], *usually = group->settings[i].value;
		double share = differs_by(rule, i);
		if (fleet_settings[i].tells && *value && *usually)
			sum += log(differs(value, usually) ? share : 1 - share);
	}
	return sum;
}

/* ---- the answer ---- */

struct ranked {
	const struct fleet_rule *rule; /* NULL: an unknown cause */
	double log;
};

static int compare_ranked(const void *a, const void *b)
{
	const struct ranked *x = a, *y = b;
	return (x->log < y->log) - (x->log > y->log);
}

static int add_cause(struct fathom_fleet_outlier *outlier, const struct fleet_rule *rule,
		     double probability)
{
	const struct fathom_fleet_cause cause = {
		.name = strdup(rule ? rule->name : "unknown"),
		.words = strdup(rule ? rule->words : "unknown"),
		.probability = probability,
		.evidence = rule ? strdup(rule->evidence) : NULL,
		.command = strdup(rule ? rule->command : "fathom compare OLD.json NEW.json"),
	};
	if (LIST_APPEND(&outlier->causes, &outlier->cause_count, &cause))
		return -1;
	return cause.name && cause.words && cause.command && (cause.evidence || !rule) ? 0 : -1;
}

static int take_causes(struct fathom_fleet_outlier *outlier, struct ranked *ranked, size_t count)
{
	double sum = -INFINITY;
	for (size_t i = 0; i < count; i++)
		sum = add_logs(sum, ranked[i].log);
	if (!isfinite(sum)) /* nothing fits, not even an unknown one */
		return add_cause(outlier, NULL, NAN);
	qsort(ranked, count, sizeof(*ranked), compare_ranked);
	for (size_t i = 0; i < SHOWN && i < count; i++) {
		double probability = exp(ranked[i].log - sum);
		if (i && !(probability >= SHOWN_LEAST))
			break;
		if (add_cause(outlier, ranked[i].rule, probability))
			return -1;
	}
	return 0;
}

/* Rows of one name are one cause. How many causes there are. */
static size_t rank_rules(const struct off *off, const struct fathom_fleet_node *node,
			 const struct fathom_fleet_group *group, struct ranked *ranked)
{
	size_t count = 0;
	for (size_t i = 0; i < fleet_rule_count; i++) {
		const struct fleet_rule *rule = &fleet_rules[i];
		double log = log_of_rule(off, rule) + log_of_settings(node, group, rule);
		if (i && strcmp(rule->name, fleet_rules[i - 1].name) == 0)
			ranked[count - 1].log = add_logs(ranked[count - 1].log, log);
		else
			ranked[count++] = (struct ranked){rule, log};
	}
	ranked[count++] =
		(struct ranked){NULL, log_of_unknown(off) + log_of_settings(node, group, NULL)};
	return count;
}

int fleet_causes_find(const struct fathom_fleet *fleet, const struct fleet_space *space,
		      struct fathom_fleet_outlier *outlier)
{
	const struct fathom_fleet_node *node = &fleet->nodes[outlier->node];
	const struct fathom_fleet_group *group = &fleet->groups[node->group];
	struct ranked *ranked = calloc(fleet_rule_count + 1, sizeof(*ranked));
	struct off off;
	if (!ranked)
		return -1;
	find_off(space, node, &off);
	int failed = take_causes(outlier, ranked, rank_rules(&off, node, group, ranked));
	free(ranked);
	if (failed)
		return -1;
	outlier->cause = strdup(outlier->causes[0].words);
	outlier->command = strdup(outlier->causes[0].command);
	outlier->cause_probability = outlier->causes[0].probability;
	return outlier->cause && outlier->command ? 0 : -1;
}
