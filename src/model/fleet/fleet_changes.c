#include "model/fleet/fleet_changes.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/list.h"
#include "base/text.h"
#include "base/warnings.h"
#include "model/fleet/fleet_groups.h"
#include "model/fleet/fleet_judge.h"
#include "model/fleet/fleet_lists.h"
#include "model/fleet/fleet_node.h"
#include "model/fleet/fleet_numbers.h"

#define SAME "as before"

/* ---- ratios ---- */

static int set_changed(struct fathom_fleet_node *ratio, int setting, const char *before,
		       const char *now)
{
	bool known = *before && *now;
	bool same =
		setting == FLEET_MEMORY ? fleet_same_memory(before, now) : strcmp(before, now) == 0;
	ratio->settings[setting] = !known ? strdup("")
				   : same ? strdup(SAME)
					  : text_format("%s -> %s", before, now);
	return ratio->settings[setting] ? 0 : -1;
}

/* Now over before. */
static int make_ratio(const struct fathom_fleet_node *now, const struct fathom_fleet_node *before,
		      struct fathom_fleet_node *ratio)
{
	*ratio = (struct fathom_fleet_node){
		.host = strdup(now->host),
		.hardware = strdup(now->hardware),
		.settings = calloc(FLEET_SETTINGS, sizeof(*ratio->settings)),
		.values = calloc(FLEET_NUMBERS, sizeof(*ratio->values)),
		.errors = calloc(FLEET_NUMBERS, sizeof(*ratio->errors)),
		.value_count = FLEET_NUMBERS,
		.error_count = FLEET_NUMBERS,
	};
	if (!ratio->host || !ratio->hardware || !ratio->settings || !ratio->values ||
	    !ratio->errors)
		return -1;
	ratio->setting_count = FLEET_SETTINGS;
	for (int i = 0; i < FLEET_NUMBERS; i++) {
		ratio->values[i] = now->values[i] / before->values[i];
		ratio->errors[i] = hypot(now->errors[i], before->errors[i]);
	}
	for (int i = 0; i < FLEET_SETTINGS; i++)
		if (set_changed(ratio, i, before->settings[i], now->settings[i]))
			return -1;
	return 0;
}

static int make_ratios(const struct fathom_fleet *fleet, const struct fathom_fleet *before,
		       struct fathom_fleet *ratios)
{
	for (size_t i = 0; i < fleet->node_count; i++) {
		const struct fathom_fleet_node *now = &fleet->nodes[i];
		const struct fathom_fleet_node *then = fleet_find_node(before, now->host);
		struct fathom_fleet_node ratio = {0};
		if (!then || now->state == FATHOM_FLEET_DISTURBED ||
		    then->state == FATHOM_FLEET_DISTURBED ||
		    strcmp(now->hardware, then->hardware) != 0)
			continue;
		int failed = make_ratio(now, then, &ratio);
		if (!failed)
			failed = LIST_APPEND(&ratios->nodes, &ratios->node_count, &ratio);
		if (failed) {
			fleet_node_clear(&ratio);
			return -1;
		}
	}
	return 0;
}

/* ---- changes ---- */

static char *move(char **text)
{
	char *moved = *text;
	*text = NULL;
	return moved;
}

static int find_number(const char *name)
{
	for (int i = 0; i < FLEET_NUMBERS; i++)
		if (strcmp(fleet_numbers[i].name, name) == 0)
			return i;
	return -1;
}

static int take_changes(struct fathom_fleet *fleet, const struct fathom_fleet *before,
			struct fathom_fleet *ratios)
{
	for (size_t i = 0; i < ratios->outlier_count; i++) {
		struct fathom_fleet_outlier *outlier = &ratios->outliers[i];
		int number = outlier->number ? find_number(outlier->number) : -1;
		const struct fathom_fleet_change change = {
			.host = move(&outlier->host),
			.number = move(&outlier->number),
			.unit = move(&outlier->unit),
			.before = NAN,
			.value = NAN,
			.change = outlier->deviation,
			.sigmas = outlier->sigmas,
			.setting = move(&outlier->setting),
			.probability = outlier->probability,
			.cause = move(&outlier->cause),
			.cause_name = outlier->cause_count ? move(&outlier->causes[0].name) : NULL,
			.cause_probability = outlier->cause_probability,
			.command = move(&outlier->command),
		};
		if (LIST_APPEND(&fleet->changes, &fleet->change_count, &change))
			return -1;
		struct fathom_fleet_change *added = &fleet->changes[fleet->change_count - 1];
		if (number < 0)
			continue;
		added->before = fleet_find_node(before, added->host)->values[number];
		added->value = fleet_find_node(fleet, added->host)->values[number];
	}
	return 0;
}

/* Other hardware under the same name: its numbers say nothing of the old. */
static int find_hardware(struct fathom_fleet *fleet, const struct fathom_fleet *before)
{
	for (size_t i = 0; i < fleet->node_count; i++) {
		const struct fathom_fleet_node *now = &fleet->nodes[i];
		const struct fathom_fleet_node *then = fleet_find_node(before, now->host);
		if (!then || strcmp(now->hardware, then->hardware) == 0)
			continue;
		const struct fathom_fleet_change change = {
			.host = strdup(now->host),
			.number = strdup("hardware"),
			.before = NAN,
			.value = NAN,
			.change = NAN,
			.sigmas = NAN,
			.setting = text_format("%s -> %s", then->hardware, now->hardware),
			.cause_probability = NAN,
			.command = strdup("fathom info"),
		};
		if (LIST_APPEND(&fleet->changes, &fleet->change_count, &change) || !change.host ||
		    !change.number || !change.setting || !change.command)
			return -1;
	}
	return 0;
}

static int warn_few(struct fathom_fleet *fleet, const struct fathom_fleet *ratios)
{
	for (size_t i = 0; i < ratios->group_count; i++)
		if (ratios->groups[i].judged)
			return 0;
	return warnings_add(&fleet->warnings, "few-common", NULL,
			    "measure at least 8 like nodes again that the earlier fleet has",
			    "%zu node%s measured undisturbed then and now, and no 8 of them alike: "
			    "too few to say what changed",
			    ratios->node_count, ratios->node_count == 1 ? "" : "s");
}

/* ---- who came and went ---- */

static bool is_listed(const struct fathom_fleet_remark *remarks, size_t count, const char *host)
{
	for (size_t i = 0; i < count; i++)
		if (remarks[i].host && strcmp(remarks[i].host, host) == 0)
			return true;
	return false;
}

static int find_comers(struct fathom_fleet *fleet, const struct fathom_fleet *before)
{
	int failed = 0;
	for (size_t i = 0; !failed && i < before->node_count; i++) {
		const struct fathom_fleet_node *node = &before->nodes[i];
		if (fleet_find_node(fleet, node->host) ||
		    is_listed(fleet->missing, fleet->missing_count, node->host))
			continue;
		failed = FLEET_REMARK(fleet, vanished, node->host, node->file,
				      "it was measured then and is not here now", "measure it");
	}
	for (size_t i = 0; !failed && i < fleet->node_count; i++) {
		const struct fathom_fleet_node *node = &fleet->nodes[i];
		if (!fleet_find_node(before, node->host))
			failed = FLEET_REMARK(fleet, appeared, node->host, node->file,
					      "it was not measured then", NULL);
	}
	return failed;
}

int fleet_changes_find(struct fathom_fleet *fleet, const struct fathom_fleet *before,
		       struct fathom_error *error)
{
	struct fathom_fleet ratios = {.false_alarms = fleet->false_alarms};
	int failed = find_comers(fleet, before) || make_ratios(fleet, before, &ratios)
			     ? error_no_memory(error)
			     : 0;
	if (!failed)
		failed = fleet_judge(&ratios, NULL, error);
	if (!failed && (take_changes(fleet, before, &ratios) || find_hardware(fleet, before) ||
			warn_few(fleet, &ratios)))
		failed = error_no_memory(error);
	fleet_clear(&ratios);
	return failed;
}
