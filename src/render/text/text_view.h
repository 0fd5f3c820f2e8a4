/* Curves of a result that are shown together: one plot, one table. */
#ifndef RENDER_TEXT_TEXT_VIEW_H
#define RENDER_TEXT_TEXT_VIEW_H

#include "render/text/layout.h"

#define VIEW_BRIEF_COLUMNS 12

#define VIEW_MOST 6 /* curves; as many as the plot can tell apart */

struct text_view {
	const struct fathom_result *result;
	const struct fathom_curve *curves[VIEW_MOST]; /* the main one first */
	size_t count;
	size_t left_out; /* curves for which there was no place */
	enum fathom_y y; /* what is shown; one that the main curve has, where it has any */
};

/* fathom's own curves that have points, or those of other tools. False: there are none. */
bool view_make(const struct fathom_result *result, bool foreign, enum fathom_y wanted,
	       struct text_view *view);

/* What the curve is called, as no other of the result is: its order or node spacing, and what else
 * tells it from the others; for a legend ("windows of 128 KiB", "nodes of 64 B, 4k pages"), or
 * `brief` for a column of VIEW_BRIEF_COLUMNS ("windows", "64 B", "4k"). Where no single trait
 * tells it, the column has its number, and so has the legend. free() it; NULL: out of memory. */
char *view_label(const struct layout *layout, const struct fathom_result *result,
		 const struct fathom_curve *curve, bool brief);

#endif
