#include "views/trouble.h"

#include <string.h>

#include "base/warnings.h"
#include "views/experiments/pages.h"
#include "views/result.h"

#define MOST_OF_SURVEY 3 /* warnings on the first screen; the others are in its report */

bool trouble_is_survey(const struct fathom_result *result)
{
	return result->survey || result->number_count > 0;
}

void trouble_quality(struct view *view, const struct fathom_result *result)
{
	static const char *const names[FATHOM_QUALITY_COUNT] = {
		[FATHOM_QUALITY_GOOD] = "good",
		[FATHOM_QUALITY_USABLE] = "usable",
		[FATHOM_QUALITY_DO_NOT_QUOTE] = "do not quote",
	};
	const char *name = names[result->quality], *reason = result->quality_reason;
	if (name)
		view_say(view,
			 result->quality == FATHOM_QUALITY_DO_NOT_QUOTE ? VIEW_ATTENTION
									: VIEW_PLAIN,
			 "quality: %s%s%s%s", name, reason ? " (" : "", reason ? reason : "",
			 reason ? ")" : "");
}

/* Where it belongs. */
static bool is_shown_elsewhere(const struct fathom_result *result,
			       const struct fathom_warning *warning)
{
	return !trouble_is_survey(result) && result_experiment(result) == FATHOM_PAGES &&
	       pages_warns(warning);
}

/* No other program disturbs it. */
static bool is_simulated(const struct fathom_result *result)
{
	return result->machine && result->machine->description;
}

#define RANKS 7
/* Of what makes a number doubtful first, then the rest as it came; last what the table of levels
 * shows beside the level. */
static unsigned rank_of(const struct fathom_warning *warning)
{
	static const char *const first[RANKS - 2] = {"stage-failed", "moved", "disturbed",
						     "control-left-out", "clock-wandered"};
	unsigned rank = 0;
	if (strcmp(warning->id, "reach-differs") == 0)
		return RANKS - 1;
	while (rank < RANKS - 2 && strcmp(warning->id, first[rank]) != 0)
		rank++;
	return rank;
}

/* "2m pages, TLBs of thp pages, patterns". */
static void add_note(struct text *line, const struct fathom_warning *note)
{
	bool kind = strncmp(note->id, "page-kind-", strlen("page-kind-")) == 0;
	bool spread = strcmp(note->id, "spread-left-out") == 0;
	text_add(line, "%s%s%s%s", line->length ? ", " : "", spread ? "TLBs of " : "",
		 view_known(note->where ? note->where : note->id), kind || spread ? " pages" : "");
}

/* `said`: where the reasons are. */
static void add_notes(struct view *view, const struct fathom_result *result, bool said)
{
	struct text names = {0}, line = {0};
	for (size_t i = 0; i < result->warnings.count; i++) {
		const struct fathom_warning *one = &result->warnings.items[i];
		if (one->note && !is_shown_elsewhere(result, one))
			add_note(&names, one);
	}
	if (names.length) {
		text_add(&line, "not measured here: %s%s", names.data,
			 said ? "" : " (a report or --json has the reasons)");
		view_take(view, VIEW_ITEM, &line);
	}
	view->failed |= names.failed;
	text_free(&names);
}

/* Of a survey the first ones, without their hints: these are in its report. Returns whether that
 * was said. */
static bool add_warnings(struct view *view, const struct fathom_result *result,
			 const struct fathom_warnings *warnings)
{
	bool survey = trouble_is_survey(result);
	size_t shown = 0, more = 0;
	for (unsigned rank = 0; rank < (survey ? RANKS : 1); rank++)
		for (size_t i = 0; i < warnings->count; i++) {
			struct fathom_warning one = warnings->items[i];
			if (one.note || is_shown_elsewhere(result, &one) ||
			    (survey && rank_of(&one) != rank))
				continue;
			if (survey && shown == MOST_OF_SURVEY) {
				more++;
				continue;
			}
			if (survey ||
			    (one.hint && is_simulated(result) && strstr(one.hint, "less busy")))
				one.hint = NULL;
			view_warning(view, &one, true);
			shown++;
		}
	if (more)
		view_say(view, VIEW_ITEM,
			 "%zu more, with hints and reasons, in a report or with --json", more);
	else if (survey && shown)
		view_say(view, VIEW_ITEM, "hints and reasons: in a report or with --json");
	return survey && shown;
}

/* Each in its words, also those that say that something was not measured. */
static void add_all(struct view *view, const struct fathom_warnings *warnings)
{
	for (int note = 0; note < 2; note++) {
		bool any = false;
		for (size_t i = 0; i < warnings->count; i++) {
			if (warnings->items[i].note != (note == 1))
				continue;
			if (!any && note)
				view_part(view, "missing", "Not measured here");
			any = true;
			view_warning(view, &warnings->items[i], true);
		}
	}
}

void trouble_view(struct view *view, const struct fathom_result *result, size_t measured)
{
	if (measured == 0 || result->interrupted || result->warnings.count)
		view_part(view, "warnings", "Warnings");
	view_gap(view);
	if (measured == 0)
		view_say(view, VIEW_ATTENTION, "nothing was measured");
	if (result->interrupted)
		view_say(view, VIEW_ATTENTION, "interrupted: these are the points measured so far");
	struct fathom_warnings joined = {0};
	view->failed |= warnings_join(&result->warnings, &joined) != 0;
	if (view->full)
		add_all(view, &joined);
	else
		add_notes(view, result, add_warnings(view, result, &joined));
	warnings_free(&joined);
}
