/* The parts of what is shown of patterns. */
#ifndef VIEWS_EXPERIMENTS_PATTERNS_H
#define VIEWS_EXPERIMENTS_PATTERNS_H

#include "views/view.h"

/* matrix.c: of one warmth a row a size, a column a pattern; nothing where there is one size. */
void matrix_view(struct view *view, const struct fathom_result *result, enum fathom_warmth warmth);
/* counts.c: a row a pattern, warm, a column an event of the hardware counters; and why the others
 * say nothing. */
void counts_view(struct view *view, const struct fathom_result *result, uint64_t size_bytes);
/* contrast.c: both points at one size; nothing where one of them is NULL. */
void contrast_view(struct view *view, const struct fathom_point *random,
		   const struct fathom_point *sequential);
/* operations.c: nothing where none was measured. */
void operations_view(struct view *view, const struct fathom_result *result);
/* least_mean.c: nothing where no point has ten blocks. */
void least_mean_view(struct view *view, const struct fathom_result *result);
/* A cell: the time of an access at the point, NULL: not measured. */
void patterns_time(struct view *view, const struct fathom_point *point, enum fathom_y y);

#endif
