/* What deviates, and what changed. */
#include <math.h>
#include <string.h>

#include "views/fleet/fleet.h"
#include "views/rounding.h"

#define MOST_ROWS  30 /* of text: the rest is counted */
#define MOST_NAMED 4
#define SURE       0.9 /* of a cause: the others need no word */

static size_t shown_rows(const struct view *view, size_t count)
{
	return view->every_point || view->full || count <= MOST_ROWS ? count : MOST_ROWS;
}

static void add_cause(struct view *view, const char *cause, double probability)
{
	view_name(view, "%s", cause ? cause : "-");
	view_rounded(view, rounding_probability(probability));
}

/* What it is instead, of one for a setting: the columns of that seldom have room. */
static void add_own_setting(const struct view *view, const struct fathom_fleet_outlier *outlier,
			    struct text *words)
{
	if (outlier->setting && !view->full)
		text_add(words, "%s, usually %s", outlier->setting, view_known(outlier->usually));
}

/* "also L1 latency +11 %; microcode 0x1, usually 0x2": words may have commas of their own. */
static void add_others(const struct fathom_fleet *fleet, const struct fathom_fleet_outlier *outlier,
		       struct text *words)
{
	size_t count = 0;
	for (size_t i = 0; i < outlier->deviation_count; i++) {
		const struct fathom_fleet_deviation *one = &outlier->deviations[i];
		if (one->number && outlier->number && strcmp(one->number, outlier->number) == 0)
			continue;
		if (count++ >= MOST_NAMED)
			continue;
		text_add(words, "%s%s", words->length ? "; " : "", count == 1 ? "also " : "");
		fleet_add_words(words, fleet, outlier->group, one->number);
		text_add(words, " ");
		if (one->setting)
			text_add(words, "%s, usually %s", one->setting, view_known(one->usually));
		else
			fleet_add_share(words, one->deviation);
	}
	if (count > MOST_NAMED)
		text_add(words, "; and %zu more", count - MOST_NAMED);
}

/* "likeliest: microcode differs 0.57, unknown 0.31" */
static void add_unsure(const struct fathom_fleet_outlier *outlier, struct text *words)
{
	if (outlier->cause_count < 2 || outlier->causes[0].probability >= SURE)
		return;
	text_add(words, "%slikeliest: ", words->length ? "; " : "");
	for (size_t i = 0; i < outlier->cause_count; i++)
		text_add(words, "%s%s %s", i ? ", " : "", view_known(outlier->causes[i].words),
			 rounding_probability(outlier->causes[i].probability).text);
}

static void add_words(struct view *view, const struct fathom_fleet *fleet,
		      const struct fathom_fleet_outlier *outlier)
{
	struct text words = {0};
	add_own_setting(view, outlier, &words);
	add_others(fleet, outlier, &words);
	add_unsure(outlier, &words);
	if (words.length)
		view_row_words(view, words.data);
	view->failed |= words.failed;
	text_free(&words);
}

static void add_what(struct view *view, const struct fathom_fleet *fleet, size_t group,
		     const char *number)
{
	struct text words = {0};
	fleet_add_words(&words, fleet, group, number);
	view_name_take(view, &words);
}

static void add_cell(struct view *view, const char *setting, double value, const char *unit)
{
	struct text text = {0};
	if (setting)
		text_add(&text, "%s", setting);
	else
		fleet_add_value(&text, value, unit);
	view_quantity(view, "%s", text.data ? text.data : "");
	view->failed |= text.failed;
	text_free(&text);
}

static void add_deviation(struct view *view, double share)
{
	struct text text = {0};
	fleet_add_share(&text, share);
	view_quantity(view, "%s", text.data ? text.data : "");
	view->failed |= text.failed;
	text_free(&text);
}

/* Is it the first of a cause, among the likeliest of outliers? */
static bool is_first(const struct fathom_fleet *fleet, size_t which)
{
	const char *cause = fleet->outliers[which].cause;
	for (size_t i = 0; cause && i < which; i++)
		if (fleet->outliers[i].cause && strcmp(fleet->outliers[i].cause, cause) == 0)
			return false;
	return cause != NULL;
}

/* Each cause once: what it does, and what tells more. */
static void add_causes(struct view *view, const struct fathom_fleet *fleet)
{
	view_part(view, "causes", "Causes");
	view_say(view, VIEW_PLAIN, "causes, and what to run on the node:");
	for (size_t i = 0; i < fleet->outlier_count; i++) {
		const struct fathom_fleet_outlier *outlier = &fleet->outliers[i];
		size_t nodes = 0;
		if (!is_first(fleet, i))
			continue;
		for (size_t k = i; k < fleet->outlier_count; k++)
			nodes += fleet->outliers[k].cause &&
				 strcmp(fleet->outliers[k].cause, outlier->cause) == 0;
		const char *evidence = outlier->cause_count ? outlier->causes[0].evidence : NULL;
		view_say(view, VIEW_ITEM, "%s (%zu node%s)%s%s", outlier->cause, nodes,
			 nodes == 1 ? "" : "s", evidence ? ": " : "", evidence ? evidence : "");
		if (outlier->command)
			view_say(view, VIEW_HINT, "%s", outlier->command);
	}
	view_gap(view);
}

void fleet_view_outliers(struct view *view, const struct fathom_fleet *fleet)
{
	if (!fleet->outlier_count)
		return;
	view_part(view, "outliers", "Outliers");
	size_t rows = shown_rows(view, fleet->outlier_count);
	VIEW_TABLE(view, COLUMN("node"), COLUMN("group", .rank = 4), COLUMN("what"),
		   COLUMN("value", .rank = 2), COLUMN("usually", .rank = 2), COLUMN("deviation"),
		   COLUMN("likeliest cause"), COLUMN("sure", .rank = 1));
	for (size_t i = 0; i < rows; i++) {
		const struct fathom_fleet_outlier *outlier = &fleet->outliers[i];
		view_row(view);
		view_name(view, "%s", view_known(outlier->host));
		view_name(view, "%s", fleet_group_name(outlier->group).text);
		add_what(view, fleet, outlier->group, outlier->number);
		add_cell(view, outlier->setting, outlier->value, outlier->unit);
		add_cell(view, outlier->usually, outlier->centre, outlier->unit);
		add_deviation(view, outlier->deviation);
		view_attention(view, true);
		add_cause(view, outlier->cause, outlier->cause_probability);
		add_words(view, fleet, outlier);
	}
	fleet_view_left_out(view, fleet->outlier_count - rows);
	view_gap(view);
	add_causes(view, fleet);
}

/* Is it of an outlier, or of an earlier change? */
static bool is_told(const struct fathom_fleet *fleet, size_t which)
{
	const char *cause = fleet->changes[which].cause;
	for (size_t i = 0; i < fleet->outlier_count; i++)
		if (fleet->outliers[i].cause && strcmp(fleet->outliers[i].cause, cause) == 0)
			return true;
	for (size_t i = 0; i < which; i++)
		if (fleet->changes[i].cause && strcmp(fleet->changes[i].cause, cause) == 0)
			return true;
	return false;
}

/* What outliers did not say. */
static void add_change_causes(struct view *view, const struct fathom_fleet *fleet)
{
	bool any = false;
	for (size_t i = 0; i < fleet->change_count; i++) {
		const struct fathom_fleet_change *change = &fleet->changes[i];
		if (!change->cause || !change->command || is_told(fleet, i))
			continue;
		if (!any)
			view_say(view, VIEW_PLAIN, "what to run on the node:");
		any = true;
		view_say(view, VIEW_ITEM, "%s", change->cause);
		view_say(view, VIEW_HINT, "%s", change->command);
	}
	if (any)
		view_gap(view);
}

void fleet_view_changes(struct view *view, const struct fathom_fleet *fleet)
{
	if (!fleet->change_count)
		return;
	view_part(view, "changes", "Changes");
	size_t rows = shown_rows(view, fleet->change_count);
	VIEW_TABLE(view, COLUMN("node"), COLUMN("what changed"), COLUMN("before", .rank = 2),
		   COLUMN("now", .rank = 2), COLUMN("change"), COLUMN("likeliest cause"),
		   COLUMN("sure", .rank = 1));
	for (size_t i = 0; i < rows; i++) {
		const struct fathom_fleet_change *change = &fleet->changes[i];
		view_row(view);
		view_name(view, "%s", view_known(change->host));
		add_what(view, fleet, 0, change->number);
		add_cell(view, NULL, change->before, change->unit);
		add_cell(view, change->setting, change->value, change->unit);
		add_deviation(view, change->change);
		view_attention(view, true);
		add_cause(view, change->cause, change->cause_probability);
		if (change->setting && !view->full)
			view_row_words(view, change->setting);
	}
	fleet_view_left_out(view, fleet->change_count - rows);
	view_gap(view);
	add_change_causes(view, fleet);
}
