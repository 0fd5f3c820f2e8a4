/* Of address translation, in words: what tables do not say. */
#include <string.h>

#include "render/experiments/text_pages.h"

static bool is_of_spread(const struct fathom_warning *warning)
{
	return strcmp(warning->id, "spread-left-out") == 0;
}

/* Why there is no chain of one line a page, with the way to it; NULL: that is not said. */
static const struct fathom_warning *find_warning(const struct fathom_result *result,
						 const struct fathom_translation *found)
{
	for (size_t i = 0; i < result->warnings.count; i++) {
		const struct fathom_warning *warning = &result->warnings.items[i];
		if (is_of_spread(warning) && warning->where &&
		    strcmp(warning->where, text_translation_name(found)) == 0)
			return warning;
	}
	return NULL;
}

static void add_sentence(const struct layout *layout, const char *name, const char *before,
			 const char *outside)
{
	struct text line = {0};
	if (!outside)
		return;
	text_add(&line, "%s: %s", name, before);
	layout_outside(layout, &line, outside);
	layout_item(layout, "  ", false, &line);
}

static void add_tlb_words(const struct layout *layout, const struct fathom_result *result,
			  const struct fathom_translation *found)
{
	struct text line = {0};
	if (!found->tlb_count && !find_warning(result, found))
		add_sentence(layout, text_translation_name(found),
			     "no TLB was found: ", found->tlbs_missing);
	for (size_t i = 0; i < found->tlb_count; i++) {
		const struct fathom_tlb *tlb = &found->tlbs[i];
		bool unsure = text_tlb_is_unsure(tlb);
		if (!unsure && !layout->explain)
			continue;
		text_add(&line, "%s, TLB %zu (%.0f %% sure): ", text_translation_name(found), i + 1,
			 100 * tlb->confidence);
		layout_outside(layout, &line, tlb->evidence);
		layout_item(layout, unsure ? "? " : "  ", unsure, &line);
	}
}

static void add_walk_words(const struct layout *layout, const struct fathom_translation *found)
{
	struct text line = {0};
	if (!found->walk_count && found->tlb_count)
		add_sentence(layout, text_translation_name(found),
			     "no cost of a walk: ", found->walks_missing);
	for (size_t i = 0; layout->explain && i < found->walk_count; i++) {
		text_add(&line, "%s, tables in ", text_translation_name(found));
		layout_outside(layout, &line, found->walks[i].level);
		text_add(&line, ": ");
		layout_outside(layout, &line, found->walks[i].evidence);
		layout_item(layout, "  ", false, &line);
	}
}

/* Guests' walks cost more: a sentence says which these are. */
static void add_machine(const struct layout *layout, const struct fathom_result *result)
{
	struct text line = {0};
	bool nested = false;
	for (size_t i = 0; i < result->translation_count; i++)
		nested |= result->translations[i].nested;
	if (!result->machine && !nested)
		return;
	if (nested) {
		text_add(&line, "a walk goes through two sets of page tables, its own and the "
				"host's: this is a guest");
		if (result->machine && result->machine->hypervisor) {
			text_add(&line, " of ");
			layout_outside(layout, &line, result->machine->hypervisor);
		}
	} else {
		text_add(&line,
			 "a walk goes through one set of page tables: no hypervisor is seen");
	}
	layout_item(layout, "  ", false, &line);
}

static void add_splinters(const struct layout *layout, const struct fathom_translation *found)
{
	static const char *const verdicts[] = {
		"whether these pages are splintered cannot be told: ", "not splintered: ",
		"splintered: "};
	int verdict = found->splintered < 0 ? 0 : found->splintered ? 2 : 1;
	add_sentence(layout, text_translation_name(found), verdicts[verdict],
		     found->splintered_evidence);
}

bool text_has_tlb_words(const struct fathom_result *result)
{
	bool any = result->translation_count > 0;
	for (size_t i = 0; i < result->warnings.count; i++)
		any |= is_of_spread(&result->warnings.items[i]);
	return any;
}

void text_tlb_words(const struct layout *layout, const struct fathom_result *result)
{
	for (size_t i = 0; i < result->translation_count; i++)
		add_tlb_words(layout, result, &result->translations[i]);
	for (size_t i = 0; i < result->warnings.count; i++)
		if (is_of_spread(&result->warnings.items[i]))
			layout_warning(layout, &result->warnings.items[i], true);
}

void text_walk_words(const struct layout *layout, const struct fathom_result *result)
{
	for (size_t i = 0; i < result->translation_count; i++)
		add_walk_words(layout, &result->translations[i]);
	add_machine(layout, result);
	for (size_t i = 0; i < result->translation_count; i++)
		add_splinters(layout, &result->translations[i]);
}
