/* A table for people, of columns that go where there is no room for them. */
#ifndef RENDER_TEXT_TEXT_COLUMNS_H
#define RENDER_TEXT_TEXT_COLUMNS_H

#include "render/text/layout.h"

struct text_column {
	const char *top, *bottom; /* lines of the heading; NULL: blank */
	unsigned columns;
	bool left;     /* aligned; else right */
	unsigned rank; /* those of the highest go first; 0: stays in any case */
	/* A cell of the row; free() it; NULL: out of memory. */
	char *(*make)(const void *table, const void *row, size_t which);
	size_t which; /* for `make` */
};

#define TEXT_COLUMNS_MOST 32

/* Start from {.indent = …}. */
struct text_columns {
	unsigned indent;
	struct text_column items[TEXT_COLUMNS_MOST];
	size_t count;
};

/* No more than TEXT_COLUMNS_MOST. */
void text_columns_add(struct text_columns *columns, struct text_column column);
/* Leaves out what has no room. */
void text_columns_fit(const struct layout *layout, struct text_columns *columns);
/* One line, or two where a column has a bottom. */
void text_columns_heading(const struct layout *layout, const struct text_columns *columns);
void text_columns_row(const struct layout *layout, const struct text_columns *columns,
		      const void *table, const void *row);

#endif
