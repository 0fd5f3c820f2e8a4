/* Of address translation, in words: what tables do not say. */
#include "base/names.h"
#include "base/warnings.h"
#include "views/experiments/pages.h"
#include "views/levels/levels.h"

#define LEFT_OUT "spread-left-out"

/* Why there is no chain of one line a page, with the way to it; NULL: that is not said. */
static const struct fathom_warning *find_warning(const struct fathom_result *result,
						 const struct fathom_translation *found)
{
	return warnings_find_at(&result->warnings, LEFT_OUT,
				view_known(page_name((int)found->page)));
}

static void add_sentence(struct view *view, const char *name, const char *before,
			 const char *outside)
{
	if (!outside)
		return;
	view_say(view, VIEW_NOTE, "%s: %s%s", name, before, view_known(outside));
}

static void add_tlb_words(struct view *view, const struct fathom_result *result,
			  const struct fathom_translation *found)
{
	if (!found->tlb_count && !find_warning(result, found))
		add_sentence(view, view_known(page_name((int)found->page)),
			     "no TLB was found: ", found->tlbs_missing);
	for (size_t i = 0; i < found->tlb_count; i++) {
		const struct fathom_tlb *tlb = &found->tlbs[i];
		bool unsure = levels_is_unsure(tlb->confidence);
		if (!unsure && !view->explain)
			continue;
		view_say(view, unsure ? VIEW_UNSURE : VIEW_NOTE, "%s, TLB %zu (%s sure): %s",
			 view_known(page_name((int)found->page)), i + 1,
			 rounding_percent(tlb->confidence).text, view_known(tlb->evidence));
	}
}

static void add_walk_words(struct view *view, const struct fathom_translation *found)
{
	if (!found->walk_count && found->tlb_count)
		add_sentence(view, view_known(page_name((int)found->page)),
			     "the cost of a walk is not known: ", found->walks_missing);
	for (size_t i = 0; view->explain && i < found->walk_count; i++) {
		view_say(view, VIEW_NOTE, "%s, tables in %s: %s",
			 view_known(page_name((int)found->page)), view_known(found->walks[i].level),
			 view_known(found->walks[i].evidence));
	}
}

/* Guests' walks cost more: a sentence says which these are. */
static void add_machine(struct view *view, const struct fathom_result *result)
{
	struct text line = {0};
	bool nested = false;
	for (size_t i = 0; i < result->translation_count; i++)
		nested |= result->translations[i].nested;
	if (!result->machine && !nested)
		return;
	if (nested) {
		text_add(&line, "a walk reads two sets of page tables, the guest's and the host's: "
				"this is a guest");
		if (result->machine && result->machine->hypervisor) {
			text_add(&line, " of %s", view_known(result->machine->hypervisor));
		}
	} else {
		text_add(&line, "a walk reads one set of page tables: no hypervisor was detected");
	}
	view_take(view, VIEW_NOTE, &line);
}

static void add_splinters(struct view *view, const struct fathom_translation *found)
{
	static const char *const verdicts[] = {"not known whether these pages are splintered: ",
					       "not splintered: ", "splintered: "};
	int verdict = found->splintered < 0 ? 0 : found->splintered ? 2 : 1;
	add_sentence(view, view_known(page_name((int)found->page)), verdicts[verdict],
		     found->splintered_evidence);
}

bool translation_has_tlb_words(const struct fathom_result *result)
{
	return result->translation_count > 0 || warnings_find(&result->warnings, LEFT_OUT);
}

void translation_tlb_words(struct view *view, const struct fathom_result *result)
{
	for (size_t i = 0; i < result->translation_count; i++)
		add_tlb_words(view, result, &result->translations[i]);
	view_warnings_of(view, &result->warnings, LEFT_OUT, true);
}

void translation_walk_words(struct view *view, const struct fathom_result *result)
{
	for (size_t i = 0; i < result->translation_count; i++)
		add_walk_words(view, &result->translations[i]);
	add_machine(view, result);
	for (size_t i = 0; i < result->translation_count; i++)
		add_splinters(view, &result->translations[i]);
}
