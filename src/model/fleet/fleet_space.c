#include "model/fleet/fleet_space.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "model/fleet/fleet_groups.h"

#define CLIPPED 2.0 /* standard deviations, so that one node makes no correlation */

struct fleet_value fleet_space_value(const struct fathom_fleet_node *node, int number)
{
	return (struct fleet_value){log(node->values[number]), node->errors[number]};
}

void fleet_space_sigmas(const struct fleet_space *space, const struct fathom_fleet_node *node,
			double sigmas[FLEET_NUMBERS])
{
	for (int i = 0; i < FLEET_NUMBERS; i++) {
		bool known = isfinite(space->usual[i].centre) && isfinite(node->values[i]);
		sigmas[i] = known ? fleet_usual_sigmas(&space->usual[i], fleet_space_value(node, i))
				  : NAN;
	}
}

/* ---- each number ---- */

static bool counts(const struct fathom_fleet_node *node)
{
	return node->state != FATHOM_FLEET_DISTURBED && node->state != FATHOM_FLEET_OUTLIER;
}

static size_t gather(const struct fathom_fleet *fleet, size_t group, int number, bool outliers,
		     struct fleet_value *values)
{
	size_t count = 0;
	for (size_t i = 0; i < fleet->node_count; i++) {
		const struct fathom_fleet_node *node = &fleet->nodes[i];
		bool taken = counts(node) || (outliers && node->state == FATHOM_FLEET_OUTLIER);
		if (node->group == group && taken)
			values[count++] = fleet_space_value(node, number);
	}
	return count;
}

static const char *hardware_of(const struct fathom_fleet *fleet, size_t group)
{
	for (size_t i = 0; i < fleet->node_count; i++)
		if (fleet->nodes[i].group == group)
			return fleet->nodes[i].hardware;
	return "";
}

size_t fleet_space_count(const struct fathom_fleet *fleet, size_t group,
			 const struct fathom_fleet *reference)
{
	const char *hardware = hardware_of(fleet, group);
	size_t count = 0;
	for (size_t i = 0; reference && i < reference->node_count; i++)
		count += counts(&reference->nodes[i]) &&
			 strcmp(reference->nodes[i].hardware, hardware) == 0;
	return count;
}

/* Memory's latency at another size is of something else. */
static size_t gather_reference(const struct fathom_fleet *fleet, size_t group,
			       const struct fathom_fleet *reference, int number,
			       struct fleet_value *values)
{
	const char *hardware = hardware_of(fleet, group);
	const char *at = fleet->groups[group].settings[FLEET_AT].value;
	size_t count = 0;
	for (size_t i = 0; i < reference->node_count; i++) {
		const struct fathom_fleet_node *node = &reference->nodes[i];
		if (counts(node) && strcmp(node->hardware, hardware) == 0 &&
		    isfinite(node->values[number]) &&
		    (number != FLEET_MEMORY_NS || strcmp(node->settings[FLEET_AT], at) == 0))
			values[count++] = fleet_space_value(node, number);
	}
	return count;
}

static void take_reference(struct fleet_usual *usual, struct fleet_value *values, size_t count)
{
	struct fleet_usual given = fleet_usual_find(values, count);
	double sum = 0;
	if (isfinite(given.centre)) {
		*usual = given;
		return;
	}
	for (size_t i = 0; i < count; i++)
		sum += values[i].value;
	if (isfinite(usual->centre) && count)
		usual->centre = sum / (double)count;
}

static void find_usual(const struct fathom_fleet *fleet, size_t group,
		       const struct fathom_fleet *reference, struct fleet_value *values,
		       struct fleet_space *space)
{
	for (int i = 0; i < FLEET_NUMBERS; i++) {
		struct fleet_usual *usual = &space->usual[i];
		*usual = fleet_usual_find(values, gather(fleet, group, i, false, values));
		if (isnan(usual->centre)) /* too few are left: then with the outliers */
			*usual = fleet_usual_find(values, gather(fleet, group, i, true, values));
		if (reference)
			take_reference(usual, values,
				       gather_reference(fleet, group, reference, i, values));
		space->sigma[i] = hypot(usual->spread, usual->error);
	}
}

/* ---- how they go together ---- */

struct product {
	double sum, first, second;
	size_t count;
};

static double clip(double sigmas)
{
	return fmax(-CLIPPED, fmin(CLIPPED, sigmas));
}

static void add_products(struct product products[FLEET_NUMBERS][FLEET_NUMBERS],
			 const double sigmas[FLEET_NUMBERS])
{
	for (int i = 0; i < FLEET_NUMBERS; i++) {
		double one = clip(sigmas[i]);
		for (int k = 0; k < i && isfinite(sigmas[i]); k++) {
			if (!isfinite(sigmas[k]))
				continue;
			struct product *product = &products[i][k];
			double other = clip(sigmas[k]);
			product->sum += one * other;
			product->first += one * one;
			product->second += other * other;
			product->count++;
		}
	}
}

static double correlation_of(const struct product *product)
{
	double count = (double)product->count, both = product->first * product->second;
	if (product->count < FLEET_LEAST_NODES || !(both > 0))
		return 0;
	return product->sum / sqrt(both) * count / (count + FLEET_NUMBERS);
}

int fleet_space_find(const struct fathom_fleet *fleet, size_t group,
		     const struct fathom_fleet *reference, struct fleet_space *space)
{
	size_t most = fleet->node_count + (reference ? reference->node_count : 0);
	struct fleet_value *values = calloc(most + 1, sizeof(*values));
	struct product products[FLEET_NUMBERS][FLEET_NUMBERS] = {0};
	if (!values)
		return -1;
	find_usual(fleet, group, reference, values, space);
	free(values);
	for (size_t i = 0; i < fleet->node_count; i++) {
		double sigmas[FLEET_NUMBERS];
		if (fleet->nodes[i].group != group || !counts(&fleet->nodes[i]))
			continue;
		fleet_space_sigmas(space, &fleet->nodes[i], sigmas);
		add_products(products, sigmas);
	}
	space->correlation.size = FLEET_NUMBERS;
	for (int i = 0; i < FLEET_NUMBERS; i++) {
		space->correlation.at[i][i] = 1;
		for (int k = 0; k < i; k++)
			space->correlation.at[i][k] = space->correlation.at[k][i] =
				correlation_of(&products[i][k]);
	}
	return 0;
}
