/* The parts of what is shown of kinds of pages: the same chain on each, TLBs and walks, and of what
 * a latency is made up. */
#pragma once

#include "views/points.h"
#include "views/view.h"

/* Does pages_view show the warning, where it belongs? */
bool pages_warns(const struct fathom_warning *warning);

/* The curves along the sizes, base pages first. */
struct page_curves {
	const struct fathom_result *result;
	const struct fathom_curve *items[FATHOM_PAGE_UNKNOWN];
	size_t count;
	enum fathom_y y; /* ns or cycles: cycles where they are wanted and known */
	bool every_point;
};
/* What times of that curve at that size are in `y`, as a factor; NAN: not known. */
double pages_factor(const struct page_curves *curves, const struct fathom_curve *curve,
		    uint64_t size_bytes);
/* "ns" or "cycles". */
const char *pages_unit(const struct page_curves *curves);
/* The size of the next row, 0: none. Of those that are nearest to the same power of two it is the
 * nearest one; or each, where every point is wanted. *last: 0 first, then as it was left. */
uint64_t pages_row(const struct page_curves *curves, uint64_t *last);

/* kinds.c: the same chain on each kind, a column each, and what the largest saves. */
void kinds_view(struct view *view, const struct page_curves *curves);
/* translation.c: TLBs, walks, and whether large pages are splintered. */
void translation_view(struct view *view, const struct page_curves *curves);
/* translation_words.c: what is missing and why; doubts; guest or not, splintered or not; with
 * view->explain the evidence for all. */
bool translation_has_tlb_words(const struct fathom_result *result);
void translation_tlb_words(struct view *view, const struct fathom_result *result);
void translation_walk_words(struct view *view, const struct fathom_result *result);
/* parts.c: of what a latency is made up, as a table and as a picture. */
void parts_view(struct view *view, const struct page_curves *curves);
/* places.c: what the place in memory makes; nothing where it was not measured. */
void places_view(struct view *view, const struct page_curves *curves);
