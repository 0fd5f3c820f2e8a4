/* The table of a curve for people, and what its columns show. */
#ifndef RENDER_TEXT_TEXT_TABLE_H
#define RENDER_TEXT_TEXT_TABLE_H

#include "render/text/layout.h"
#include "render/text/text_view.h"

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

/* A cell of the column of `y`: "1.35 ns", "-" for what is not known. `sign` comes before it: "+",
 * or "". */
void table_add_number(const struct layout *layout, const char *sign, double value, enum fathom_y y);
/* What follows a value: the half-width of its interval, with as many decimals; nothing where there
 * is none. */
void table_add_spread(const struct layout *layout, struct table_value value);
/* The same without a unit, and without blanks; free() them; NULL: out of memory. */
char *table_number_text(double value);
char *table_spread_text(const struct layout *layout, struct table_value value);
/* Of a difference, which may be 0 or below. */
char *table_signed_text(const struct layout *layout, struct table_value value);
#define TABLE_NUMBER_COLUMNS 11
#define TABLE_SPREAD_COLUMNS 10

/* '~': its interval is wider than wanted; '?': it has none; 0: fine, not measured, or
 * nothing was wanted. */
char table_mark(const struct fathom_point *point, enum fathom_y y);

/* Did every point get the same pages, all of its buffer? A curve without points did. */
bool table_same_pages(const struct fathom_curve *curve);

/* A row for the size nearest to each power of two of the main curve, or for every point; beside its
 * values those of the other curves at the same size, as far as there is room. Returns how many
 * curves had none. */
size_t table_add(const struct layout *layout, const struct text_view *view, bool every_point);

#endif
