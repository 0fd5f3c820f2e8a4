/* What the tools that print the document's table share. */
#ifndef TOOLS_DESCRIBE_H
#define TOOLS_DESCRIBE_H

#include "document/table.h"

#define MOST_TABLES 96

/* Each once, behind the one that first names it. */
struct tables {
	struct {
		const struct table *table;
		bool strict; /* of a strict document */
	} items[MOST_TABLES];
	size_t count;
};

/* Of the documents, the last of which is NULL, after those that are there. */
void describe_tables(struct tables *found, const struct table *const *documents);
/* May the field be null in JSON? */
bool describe_nullable(const struct field *field, bool strict);
/* JSON's name of its type. */
const char *describe_type(const struct field *field);

/* describe_schema.c: of fathom/1, and of fathom-fleet/1. */
void describe_schema(void);
void describe_fleet_schema(void);

#endif
