/* Which columns of a table are the size and the latency, and in which units they are. */
#pragma once

#include "readers/read_units.h"

/* The cells of one row; start from {0}. */
struct cells {
	struct span *items;
	size_t count, capacity;
};
/* -1: out of memory. */
int cells_add(struct cells *cells, struct span cell);
void cells_free(struct cells *cells);

struct columns {
	size_t size, value; /* from 0 */
	double size_unit_bytes;
	struct value_unit value_unit;
	bool relative_to_l1; /* the heading says that the latency is what is added to the first's */
	bool size_unit_assumed, value_unit_assumed; /* bytes, ns: nobody says */
	bool has_lanes; /* another column says how many accesses overlap: */
	size_t lanes;
	bool others; /* another column could as well be the latency */
};

/* Do the headings say which is the size and which the latency? */
bool columns_are_named(const struct cells *heading);

/* By input->columns, else by what the headings say, else the first two. `heading` has no items
 * where the table has none; `width` is how many columns a row has, `line` what to name in errors.
 * Errors: USAGE (input: no such column or unit), BAD_INPUT (they cannot be recognised). */
int columns_find(const struct cells *heading, size_t width, size_t line,
		 const struct fathom_input *input, struct columns *columns,
		 struct fathom_error *error);
