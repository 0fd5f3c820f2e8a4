/* A fleet for people: what it is, who deviates and why, what is usual. */
#include "views/fleet/fleet.h"

#include <math.h>
#include <string.h>

#include "views/rounding.h"
#include "views/views.h"

#define MOST_GROUPS  12 /* of text */
#define MOST_USUAL   4  /* the same, with all of their numbers */
#define MOST_REMARKS 10

static size_t shown(const struct view *view, size_t count, size_t most)
{
	return view->every_point || view->full || count <= most ? count : most;
}

/* ---- in one line ---- */

static void add_count(struct text *text, size_t count, const char *one, const char *many)
{
	if (count)
		text_add(text, ", %zu %s", count, count == 1 ? one : many);
}

static void add_summary(struct view *view, const struct fathom_fleet *fleet)
{
	struct text line = {0};
	text_add(&line, "%zu node%s in %zu group%s: %zu outlier%s", fleet->node_count,
		 fleet->node_count == 1 ? "" : "s", fleet->group_count,
		 fleet->group_count == 1 ? "" : "s", fleet->outlier_count,
		 fleet->outlier_count == 1 ? "" : "s");
	add_count(&line, fleet->disturbed_count, "to be measured again", "to be measured again");
	add_count(&line, fleet->missing_count, "missing", "missing");
	add_count(&line, fleet->damaged_count, "file damaged", "files damaged");
	if (fleet->since) {
		add_count(&line, fleet->change_count, "changed", "changed");
		add_count(&line, fleet->vanished_count, "vanished", "vanished");
		add_count(&line, fleet->appeared_count, "new", "new");
	}
	bool differs = fleet->outlier_count || fleet->change_count || fleet->vanished_count;
	view_take(view, differs ? VIEW_ATTENTION : VIEW_PLAIN, &line);
	view_gap(view);
}

/* ---- groups ---- */

static size_t count_state(const struct fathom_fleet *fleet, size_t group,
			  enum fathom_fleet_state state)
{
	size_t count = 0;
	for (size_t i = 0; i < fleet->node_count; i++)
		count += fleet->nodes[i].group == group && fleet->nodes[i].state == state;
	return count;
}

static void add_groups(struct view *view, const struct fathom_fleet *fleet)
{
	size_t rows = shown(view, fleet->group_count, MOST_GROUPS);
	view_part(view, "groups", "Groups");
	VIEW_TABLE(view, COLUMN("group"), COLUMN("nodes"), COLUMN("outliers"), COLUMN("disturbed"),
		   COLUMN("what its nodes have in common"));
	for (size_t i = 0; i < rows; i++) {
		const struct fathom_fleet_group *group = &fleet->groups[i];
		view_row(view);
		view_name(view, "%s", fleet_group_name(i).text);
		view_count(view, (double)group->nodes);
		view_count(view, (double)count_state(fleet, i, FATHOM_FLEET_OUTLIER));
		view_count(view, (double)count_state(fleet, i, FATHOM_FLEET_DISTURBED));
		view_name(view, "%s%s", view_known(group->key),
			  group->judged ? "" : ": too few nodes to say what is usual");
	}
	fleet_view_left_out(view, fleet->group_count - rows);
	view_gap(view);
}

static size_t most_numbers(const struct fathom_fleet *fleet)
{
	return fleet->group_count ? fleet->groups[0].number_count : 0;
}

static void add_centre(struct view *view, const struct fathom_fleet_number *number)
{
	struct text text = {0};
	fleet_add_value(&text, number->centre, number->unit);
	view_quantity(view, "%s", text.data ? text.data : "-");
	if (isfinite(number->centre)) {
		struct text spread = {0};
		text_add(&spread, "\u00b1%s", rounding_percent(number->spread).text);
		view_spread(view, spread.data);
		text_free(&spread);
	}
	view->failed |= text.failed;
	text_free(&text);
}

static size_t count_judged(const struct fathom_fleet *fleet)
{
	size_t count = 0;
	for (size_t i = 0; i < fleet->group_count; i++)
		count += fleet->groups[i].judged;
	return count;
}

/* The index behind that many judged groups. */
static size_t end_of_judged(const struct fathom_fleet *fleet, size_t count)
{
	size_t end = 0;
	for (; count; end++)
		count -= fleet->groups[end].judged;
	return end;
}

/* What is usual: a row a number, a column a group. Of one that is not judged nothing is known, and
 * so no column is shown. */
static void add_numbers(struct view *view, const struct fathom_fleet *fleet)
{
	size_t judged = count_judged(fleet), rows = shown(view, judged, MOST_USUAL);
	size_t groups = end_of_judged(fleet, rows);
	view_part(view, "usual", "What is usual");
	view_say(view, VIEW_PLAIN, "median, and the spread between nodes (standard deviation):");
	view_table(view);
	view_column(view, COLUMN("number"));
	for (size_t k = 0; k < groups; k++) {
		struct text top = {0};
		text_add(&top, "%s", fleet_group_name(k).text);
		view_column_take(view, &top, COLUMN(NULL));
	}
	for (size_t i = 0; i < most_numbers(fleet); i++) {
		bool any = false;
		for (size_t k = 0; k < groups; k++)
			any |= isfinite(fleet->groups[k].numbers[i].centre);
		if (!any)
			continue;
		view_row(view);
		view_name(view, "%s", view_known(fleet->groups[0].numbers[i].words));
		for (size_t k = 0; k < groups; k++)
			add_centre(view, &fleet->groups[k].numbers[i]);
	}
	fleet_view_left_out(view, judged - rows);
	view_gap(view);
}

/* ---- remarks ---- */

static void add_remarks(struct view *view, const char *id, const char *title,
			const struct fathom_fleet_remark *remarks, size_t count)
{
	size_t rows = shown(view, count, MOST_REMARKS);
	if (!count)
		return;
	view_part(view, id, title);
	view_say(view, VIEW_PLAIN, "%s:", title);
	for (size_t i = 0; i < rows; i++) {
		const struct fathom_fleet_remark *one = &remarks[i];
		view_say(view, VIEW_ITEM, "%s%s%s: %s", one->host ? one->host : "",
			 one->host && one->file ? ", " : "", one->file ? one->file : "",
			 view_known(one->reason));
		if (one->command && (i + 1 == rows || !remarks[i + 1].command ||
				     strcmp(one->command, remarks[i + 1].command) != 0))
			view_say(view, VIEW_HINT, "%s", one->command);
	}
	fleet_view_left_out(view, count - rows);
	view_gap(view);
}

void view_fleet(struct view *view, const struct fathom_fleet *fleet)
{
	view_part(view, "fleet", "Fleet");
	add_summary(view, fleet);
	fleet_view_outliers(view, fleet);
	fleet_view_changes(view, fleet);
	if (fleet->node_count)
		add_groups(view, fleet);
	if (count_judged(fleet))
		add_numbers(view, fleet);
	add_remarks(view, "disturbed", "Measure again", fleet->disturbed, fleet->disturbed_count);
	add_remarks(view, "missing", "Missing", fleet->missing, fleet->missing_count);
	add_remarks(view, "vanished", "Vanished", fleet->vanished, fleet->vanished_count);
	add_remarks(view, "appeared", "New", fleet->appeared, fleet->appeared_count);
	add_remarks(view, "damaged", "Damaged", fleet->damaged, fleet->damaged_count);
	add_remarks(view, "superseded", "Passed over", fleet->superseded, fleet->superseded_count);
	if (fleet->warnings.count) {
		view_part(view, "warnings", "Warnings");
		view_warnings(view, &fleet->warnings);
		view_gap(view);
	}
	if (!count_judged(fleet))
		return;
	view_say(view, VIEW_NOTE,
		 "Of the outliers by their numbers %s may be false alarms (Benjamini-Hochberg over "
		 "the fleet); less than 1 %% is no deviation.",
		 rounding_percent(fleet->false_alarms).text);
}
