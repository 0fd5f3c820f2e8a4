#include "render/text_trouble.h"

#include <string.h>

#include "render/experiments/text_pages.h"
#include "render/experiments/text_patterns.h"

#define MOST_OF_SURVEY 3 /* warnings on the first screen; the others are in its report */

static bool is_survey(const struct fathom_result *result)
{
	return result->survey || result->number_count > 0;
}

/* Where it belongs. */
static bool was_said(const struct fathom_result *result, const struct fathom_warning *warning)
{
	return !is_survey(result) && text_experiment(result) == FATHOM_PAGES &&
	       text_pages_warns(warning);
}

/* Of what makes a number doubtful first, then what a longer time would show: the rest as it came.
 */
static unsigned rank_of(const struct fathom_warning *warning)
{
	static const char *const first[] = {"stage-failed",     "moved",          "disturbed",
					    "control-left-out", "clock-wandered", "reach-differs"};
	unsigned rank = 0;
	while (rank < sizeof(first) / sizeof(*first) && strcmp(warning->id, first[rank]) != 0)
		rank++;
	return rank;
}

/* The next to show after `before`, of the same rank the next in the list; NULL: there is none. */
static const struct fathom_warning *next_warning(const struct fathom_result *result,
						 const struct fathom_warning *before)
{
	const struct fathom_warning *next = NULL;
	for (size_t i = 0; i < result->warnings.count; i++) {
		const struct fathom_warning *one = &result->warnings.items[i];
		unsigned rank = is_survey(result) ? rank_of(one) : 0;
		unsigned last = before && is_survey(result) ? rank_of(before) : 0;
		bool after = !before || rank > last || (rank == last && one > before);
		if (one->note || was_said(result, one) || !after)
			continue;
		if (!next || (is_survey(result) && rank < rank_of(next)))
			next = one;
	}
	return next;
}

/* "2m pages, TLBs of thp pages, patterns". */
static void add_note(const struct layout *layout, struct text *line,
		     const struct fathom_warning *note)
{
	bool kind = strncmp(note->id, "page-kind-", strlen("page-kind-")) == 0;
	bool spread = strcmp(note->id, "spread-left-out") == 0;
	text_add(line, "%s%s", line->length ? ", " : "", spread ? "TLBs of " : "");
	layout_outside(layout, line, note->where ? note->where : note->id);
	text_add(line, "%s", kind || spread ? " pages" : "");
}

static void add_notes(const struct layout *layout, const struct fathom_result *result)
{
	struct text names = {0}, line = {0};
	for (size_t i = 0; i < result->warnings.count; i++) {
		const struct fathom_warning *one = &result->warnings.items[i];
		if (one->note && !was_said(result, one))
			add_note(layout, &names, one);
	}
	if (names.length) {
		text_add(&line, "not measured here: %s ('fathom info' says what limits it)",
			 names.data);
		layout_item(layout, "- ", false, &line);
	}
	layout->text->failed |= names.failed;
	text_free(&names);
}

static void add_warnings(const struct layout *layout, const struct fathom_result *result)
{
	const struct fathom_warning *one = NULL;
	struct text line = {0};
	size_t shown = 0, more = 0;
	while ((one = next_warning(result, one))) {
		if (is_survey(result) && shown == MOST_OF_SURVEY) {
			more++;
			continue;
		}
		layout_warning(layout, one, true);
		shown++;
	}
	if (more) {
		text_add(&line, "%zu more %s: see the report, or --json", more,
			 more == 1 ? "warning" : "warnings");
		layout_item(layout, "! ", false, &line);
	}
}

void text_trouble(const struct layout *layout, const struct fathom_result *result, size_t measured)
{
	struct text line = {0};
	layout_end_part(layout);
	if (measured == 0) {
		text_add(&line, "nothing was measured");
		layout_item(layout, "! ", true, &line);
	}
	if (result->interrupted) {
		text_add(&line, "interrupted: this is what was measured until then");
		layout_item(layout, "! ", true, &line);
	}
	add_warnings(layout, result);
	add_notes(layout, result);
}
