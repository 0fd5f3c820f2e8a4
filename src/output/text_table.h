/* The table of a curve for people, and what its columns show. */
#ifndef OUTPUT_TEXT_TABLE_H
#define OUTPUT_TEXT_TABLE_H

#include "output/layout.h"

/* What can be shown of a point: a column of the table, or the y axis of the plot. */
struct table_quantity {
	const char *name, *unit; /* of the column */
	const char *axis;        /* the title of the plot */
	double plotted;          /* the y axis shows the column's value times this */
};
const struct table_quantity *table_quantity(enum fathom_y y);

struct table_value {
	double value, low, high; /* in the unit of the column; not finite: not known */
};
struct table_value table_value(const struct fathom_point *point, enum fathom_y y);
/* How many points of the curve have that value. */
size_t table_count(const struct fathom_curve *curve, enum fathom_y y);

/* '~': its interval is wider than wanted; '?': it has none; 0: fine, or not measured. */
char table_mark(const struct fathom_point *point, enum fathom_y y);

/* Did every point get the same pages, all of its buffer? A curve without points did. */
bool table_same_pages(const struct fathom_curve *curve);

/* A row for the size nearest to each power of two, or for every point. */
void table_add(const struct layout *layout, const struct fathom_curve *curve, enum fathom_y y,
	       bool every_point);

#endif
