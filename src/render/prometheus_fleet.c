/* A fleet for Prometheus: its groups, its outliers, and what to look after. */
#include <math.h>

#include "base/error.h"
#include "render/prometheus.h"

static void add_counts(struct text *text, const struct fathom_fleet *fleet)
{
	metric_plain(text, "fleet_nodes", "Nodes of the fleet that have a document.",
		     (double)fleet->node_count);
	metric_plain(text, "fleet_outliers", "Nodes that deviate from their group.",
		     (double)fleet->outlier_count);
	metric_plain(text, "fleet_disturbed", "Nodes to be measured again.",
		     (double)fleet->disturbed_count);
	metric_plain(text, "fleet_missing", "Nodes that have no document.",
		     (double)fleet->missing_count);
	metric_plain(text, "fleet_damaged", "Files that were passed over.",
		     (double)fleet->damaged_count);
	if (!fleet->since)
		return;
	metric_plain(text, "fleet_changed", "Nodes that changed since the earlier fleet.",
		     (double)fleet->change_count);
	metric_plain(text, "fleet_vanished", "Nodes of the earlier fleet that are not here.",
		     (double)fleet->vanished_count);
}

static void add_groups(struct text *text, const struct fathom_fleet *fleet)
{
	struct metric nodes = {text, "fleet_group_nodes", "Nodes of a group.", false};
	for (size_t i = 0; i < fleet->group_count; i++) {
		struct text labels = {0};
		metric_label(&labels, "group", fleet->groups[i].key);
		metric_sample(&nodes, &labels, (double)fleet->groups[i].nodes);
	}
}

/* One number of each group: its centre or its spread. */
static void add_numbers(struct text *text, const struct fathom_fleet *fleet, const char *name,
			const char *help, bool spread)
{
	struct metric metric = {text, name, help, false};
	for (size_t i = 0; i < fleet->group_count; i++)
		for (size_t k = 0; k < fleet->groups[i].number_count; k++) {
			const struct fathom_fleet_number *number = &fleet->groups[i].numbers[k];
			struct text labels = {0};
			metric_label(&labels, "group", fleet->groups[i].key);
			metric_label(&labels, "number", number->name);
			metric_label(&labels, "unit", number->unit);
			metric_sample(&metric, &labels, spread ? number->spread : number->centre);
		}
}

static void add_outliers(struct text *text, const struct fathom_fleet *fleet)
{
	struct metric metric = {text, "fleet_outlier",
				"A node that deviates: the probability of its likeliest cause.",
				false};
	struct metric deviation = {text, "fleet_outlier_deviation_ratio",
				   "Value of its most deviating number over what is usual, less 1.",
				   false};
	for (size_t i = 0; i < fleet->outlier_count; i++) {
		const struct fathom_fleet_outlier *outlier = &fleet->outliers[i];
		struct text labels = {0};
		metric_label(&labels, "host", outlier->host);
		metric_label(&labels, "number", outlier->number);
		metric_label(&labels, "cause", outlier->cause);
		metric_sample(&metric, &labels, outlier->cause_probability);
	}
	for (size_t i = 0; i < fleet->outlier_count; i++) {
		const struct fathom_fleet_outlier *outlier = &fleet->outliers[i];
		struct text labels = {0};
		metric_label(&labels, "host", outlier->host);
		metric_label(&labels, "number", outlier->number);
		metric_sample(&deviation, &labels, outlier->deviation);
	}
}

int prometheus_write_fleet(const struct fathom_fleet *fleet, struct text *text,
			   struct fathom_error *error)
{
	add_counts(text, fleet);
	add_groups(text, fleet);
	add_numbers(text, fleet, "fleet_usual", "Median of a number over a group, in its unit.",
		    false);
	add_numbers(text, fleet, "fleet_spread_ratio",
		    "Spread of a number between the nodes of a group, as a share.", true);
	add_outliers(text, fleet);
	return text->failed ? error_no_memory(error) : 0;
}
