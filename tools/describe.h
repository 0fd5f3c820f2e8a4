/* What the tools that print the document's table share. */
#ifndef TOOLS_DESCRIBE_H
#define TOOLS_DESCRIBE_H

#include "document/table.h"

#define MOST_TABLES 64

/* Each once, behind the one that first names it. */
struct tables {
	struct {
		const struct table *table;
		bool strict; /* of a strict document */
	} items[MOST_TABLES];
	size_t count;
};

struct tables describe_tables(void);
/* May the field be null in JSON? */
bool describe_nullable(const struct field *field, bool strict);
/* JSON's name of its type. */
const char *describe_type(const struct field *field);

/* describe_schema.c */
void describe_schema(void);

#endif
