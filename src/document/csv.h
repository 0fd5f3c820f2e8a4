/* Tables of CSV (RFC 4180: commas, CRLF, the names of the columns in the first line), by the
 * columns that the fields of the table have. An empty cell is a value that was not measured. */
#pragma once

#include "document/read_span.h"
#include "document/table.h"

/* A column of the table, or of a struct in it. */
struct csv_column {
	const struct field *field;
	size_t offset;  /* of the struct that the field is of */
	size_t outside; /* of the one that this one stands in */
	size_t element; /* of a BY_NAME */
};

/* The column of that name, for reading: one that is CSV's alone is none. false: there is none. */
bool csv_find(const struct table *table, struct span name, struct csv_column *column);
/* A cell to the object that the column's table is of; an empty one says nothing. Errors: BAD_INPUT,
 * naming the line. */
int csv_read_cell(const struct csv_column *column, struct span cell, size_t line, void *object,
		  struct fathom_error *error);
