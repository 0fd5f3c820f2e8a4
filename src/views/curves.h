/* Curves along sizes that are shown together in a table. */
#pragma once

#include "views/view.h"

#define CURVES_MOST 6

struct curves {
	const struct fathom_result *result;
	const struct fathom_curve *items[CURVES_MOST]; /* the main one first */
	size_t count;
	size_t left_out; /* curves for which there was no place */
	enum fathom_y y; /* what is shown; one that the main curve has, where it has any */
};

/* fathom's own curves that have points, or those of other tools. False: there are none. */
bool curves_find(const struct fathom_result *result, bool foreign, enum fathom_y wanted,
		 struct curves *curves);
/* A row for the size nearest to each power of two of the main curve, or for every point; beside its
 * values those of the other curves at the same size. */
void curves_table(struct view *view, const struct curves *curves);
/* How many points are as exact as was wanted, a sentence a curve. */
void curves_exactness(struct view *view, const struct curves *curves);
/* A row a curve of the result: how many points, samples, and of what exactness. */
void curves_list(struct view *view, const struct fathom_result *result);
