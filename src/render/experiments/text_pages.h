/* What is shown of kinds of pages: the same chain on each, TLBs and walks, and of what a latency is
 * made up. */
#ifndef RENDER_EXPERIMENTS_TEXT_PAGES_H
#define RENDER_EXPERIMENTS_TEXT_PAGES_H

#include "render/text/layout.h"

/* text_pages.c: all of it, one part after the other; what was not measured is left out. */
void text_pages(const struct layout *layout, const struct fathom_result *result);
/* Does text_pages show the warning, where it belongs? */
bool text_pages_warns(const struct fathom_warning *warning);

/* The curves along the sizes, base pages first. */
struct page_curves {
	const struct fathom_result *result;
	const struct fathom_curve *items[FATHOM_PAGE_UNKNOWN];
	size_t count;
	enum fathom_y y; /* ns or cycles: cycles where they are wanted and known */
};
/* "4k", "thp", ... */
const char *text_pages_name(const struct fathom_curve *curve);
/* What times of that curve at that size are in `y`, as a factor; NAN: not known. */
double text_pages_factor(const struct page_curves *curves, const struct fathom_curve *curve,
			 uint64_t size_bytes);
/* "ns" or "cycles". */
const char *text_pages_unit(const struct page_curves *curves);
/* The size of the next row, 0: none. Of those that are nearest to the same power of two it is the
 * nearest one; or each, in the style that wants every point. *last: 0 first, then as it was left.
 */
uint64_t text_pages_row(const struct layout *layout, const struct page_curves *curves,
			uint64_t *last);

/* text_kinds.c: the same chain on each kind, a column each, and what the largest saves. */
void text_kinds(const struct layout *layout, const struct page_curves *curves);
/* text_translation.c: TLBs, walks, and whether large pages are splintered. */
void text_translation(const struct layout *layout, const struct page_curves *curves);
const char *text_translation_name(const struct fathom_translation *found);
bool text_tlb_is_unsure(const struct fathom_tlb *tlb);
/* text_translation_words.c: what is missing and why; doubts; guest or not, splintered or not; with
 * layout->explain the evidence for all. */
bool text_has_tlb_words(const struct fathom_result *result);
void text_tlb_words(const struct layout *layout, const struct fathom_result *result);
void text_walk_words(const struct layout *layout, const struct fathom_result *result);
/* text_parts.c: of what a latency is made up, as a table and as a picture. */
void text_parts(const struct layout *layout, const struct page_curves *curves);
/* text_places.c: what the place in memory makes; nothing where it was not measured. */
void text_places(const struct layout *layout, const struct page_curves *curves);

#endif
