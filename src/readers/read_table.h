/* Tables of sizes and latencies: what CSV, blanks and markdown have in common. */
#pragma once

#include "readers/read_columns.h"

struct text_table {
	const char *tool;     /* the name of the format */
	char separator;       /* ',', ';', '\t', '|', or ' ': any run of blanks */
	struct cells heading; /* no items: there is none */
	size_t width;         /* columns of a row */
	size_t line;          /* of the heading, or else of the first row */
	struct lines rows;
};

/* Splits a line. Quotes are taken off; with ' ' a unit belongs to the number before it, and what
 * follows a '#' is left out. `cells` is emptied first. Errors: BAD_INPUT (an open quote), FAILED.
 */
int table_split(struct span line, char separator, size_t number, struct cells *cells,
		struct fathom_error *error);
/* How many bytes stand before a '#'. */
size_t table_before_comment(struct span line);
/* The next line that is neither blank nor a comment ('#'). `comment` (may be NULL) is the last
 * comment before it, its '#' taken off, length 0: none. false: there is none. */
bool table_next(struct lines *lines, struct span *line, struct span *comment);
/* Adds the curve to the result. Errors: BAD_INPUT, USAGE (input), FAILED. */
int table_read(const struct text_table *table, const struct fathom_input *input,
	       struct fathom_result *result, struct fathom_error *error);
/* Says that the heading in that line has no rows; -1. */
int table_refuse_empty(size_t line, struct fathom_error *error);
void table_free(struct text_table *table);
