#include "model/fleet/fleet_outliers.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/list.h"
#include "model/fleet/fleet_causes.h"
#include "model/fleet/fleet_tests.h"

#define LEAST_SIGMAS 2.5 /* of a number that is shown beside the first */

static bool setting_differs(const struct fathom_fleet *fleet, const struct fathom_fleet_node *node,
			    int setting)
{
	const char *value = node->settings[setting];
	const char *usually = fleet->groups[node->group].settings[setting].value;
	return fleet_settings[setting].tells && *value && *usually && strcmp(value, usually) != 0;
}

bool fleet_differs(const struct fathom_fleet *fleet, const struct fathom_fleet_node *node)
{
	for (int i = 0; i < FLEET_SETTINGS; i++)
		if (setting_differs(fleet, node, i))
			return true;
	return false;
}

/* ---- what deviates ---- */

static int compare_deviations(const void *a, const void *b)
{
	const struct fathom_fleet_deviation *x = a, *y = b;
	double one = x->setting ? 0 : fabs(x->sigmas), other = y->setting ? 0 : fabs(y->sigmas);
	return (one < other) - (one > other);
}

/* How far off, as a share. */
static double share_of(const struct fleet_space *space, const struct fathom_fleet_node *node,
		       int number)
{
	return node->values[number] / exp(space->usual[number].centre) - 1;
}

static int add_number(const struct fleet_space *space, const struct fathom_fleet_node *node,
		      int number, double sigmas, struct fathom_fleet_outlier *outlier)
{
	double centre = exp(space->usual[number].centre);
	const struct fathom_fleet_deviation one = {
		.number = strdup(fleet_numbers[number].name),
		.unit = strdup(fleet_numbers[number].unit),
		.value = node->values[number],
		.centre = centre,
		.deviation = share_of(space, node, number),
		.sigmas = sigmas,
	};
	if (LIST_APPEND(&outlier->deviations, &outlier->deviation_count, &one))
		return -1;
	return one.number && one.unit ? 0 : -1;
}

static int add_setting(const struct fathom_fleet *fleet, const struct fathom_fleet_node *node,
		       int setting, struct fathom_fleet_outlier *outlier)
{
	const struct fathom_fleet_deviation one = {
		.number = strdup(fleet_settings[setting].name),
		.value = NAN,
		.centre = NAN,
		.deviation = NAN,
		.sigmas = NAN,
		.setting = strdup(node->settings[setting]),
		.usually = strdup(fleet->groups[node->group].settings[setting].value),
	};
	if (LIST_APPEND(&outlier->deviations, &outlier->deviation_count, &one))
		return -1;
	return one.number && one.setting && one.usually ? 0 : -1;
}

/* Numbers that are far off, or else the farthest; then settings. Less than the least deviation is
 * none, however surely it was measured. */
static int find_deviations(const struct fathom_fleet *fleet, const struct fleet_space *space,
			   bool numbers, struct fathom_fleet_outlier *outlier)
{
	const struct fathom_fleet_node *node = &fleet->nodes[outlier->node];
	double sigmas[FLEET_NUMBERS], most = 0;
	fleet_space_sigmas(space, node, sigmas);
	for (int i = 0; i < FLEET_NUMBERS; i++) {
		if (fabs(share_of(space, node, i)) < FLEET_LEAST_DEVIATION)
			sigmas[i] = NAN;
		most = isfinite(sigmas[i]) ? fmax(most, fabs(sigmas[i])) : most;
	}
	for (int i = 0; i < FLEET_NUMBERS; i++) {
		bool shown =
			fabs(sigmas[i]) >= LEAST_SIGMAS || (numbers && fabs(sigmas[i]) == most);
		if (shown && add_number(space, node, i, sigmas[i], outlier))
			return -1;
	}
	for (int i = 0; i < FLEET_SETTINGS; i++)
		if (setting_differs(fleet, node, i) && add_setting(fleet, node, i, outlier))
			return -1;
	if (outlier->deviation_count)
		qsort(outlier->deviations, outlier->deviation_count, sizeof(*outlier->deviations),
		      compare_deviations);
	return 0;
}

/* ---- the list ---- */

static int copy_text(char **to, const char *from)
{
	*to = from ? strdup(from) : NULL;
	return from && !*to ? -1 : 0;
}

/* The first deviation is the outlier's; of one for a setting alone the first setting. */
static int take_first(struct fathom_fleet_outlier *outlier, bool setting)
{
	const struct fathom_fleet_deviation *first = outlier->deviations;
	for (size_t i = 0; setting && i < outlier->deviation_count; i++)
		if (outlier->deviations[i].setting) {
			first = &outlier->deviations[i];
			break;
		}
	if (!first)
		return 0;
	outlier->value = first->value;
	outlier->centre = first->centre;
	outlier->deviation = first->deviation;
	outlier->sigmas = first->sigmas;
	return copy_text(&outlier->number, first->number) ||
	       copy_text(&outlier->unit, first->unit) ||
	       copy_text(&outlier->setting, first->setting) ||
	       copy_text(&outlier->usually, first->usually);
}

int fleet_outlier_add(struct fathom_fleet *fleet, size_t node, const struct fleet_space *space,
		      double probability)
{
	bool setting = isnan(probability);
	const struct fathom_fleet_outlier one = {.node = node,
						 .group = fleet->nodes[node].group,
						 .value = NAN,
						 .centre = NAN,
						 .deviation = NAN,
						 .sigmas = NAN,
						 .cause_probability = NAN,
						 .probability = setting ? 0 : probability};
	if (LIST_APPEND(&fleet->outliers, &fleet->outlier_count, &one))
		return -1;
	struct fathom_fleet_outlier *outlier = &fleet->outliers[fleet->outlier_count - 1];
	return copy_text(&outlier->host, fleet->nodes[node].host) ||
	       copy_text(&outlier->file, fleet->nodes[node].file) ||
	       find_deviations(fleet, space, !setting, outlier) || take_first(outlier, setting) ||
	       fleet_causes_find(fleet, space, outlier);
}

static int compare_outliers(const void *a, const void *b)
{
	const struct fathom_fleet_outlier *x = a, *y = b;
	double one = isnan(x->sigmas) ? 0 : fabs(x->sigmas);
	double other = isnan(y->sigmas) ? 0 : fabs(y->sigmas);
	if (one != other)
		return one < other ? 1 : -1;
	return (x->node > y->node) - (x->node < y->node);
}

void fleet_outliers_sort(struct fathom_fleet *fleet)
{
	if (fleet->outlier_count)
		qsort(fleet->outliers, fleet->outlier_count, sizeof(*fleet->outliers),
		      compare_outliers);
}
