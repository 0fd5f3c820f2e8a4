/* One line of a CSV table (RFC 4180), field by field. */
#ifndef DOCUMENT_CSV_ROW_H
#define DOCUMENT_CSV_ROW_H

#include <stdbool.h>
#include <stdint.h>

#include "base/text.h"

/* The same list of calls writes the header and each row, so that they cannot part. */
struct csv_row {
	struct text *text;
	bool header;
	bool first;
};

/* Ends the field before. Is it the value that is wanted now? The header adds the name itself. */
bool csv_field(struct csv_row *row, const char *column);
/* Each of these is a field; NULL, what is not finite, and 0 of csv_known leave it empty. */
void csv_text(struct csv_row *row, const char *column, const char *value);
/* Text from outside: control characters are shown as \xNN, and before what a spreadsheet would take
 * for a formula stands a '. */
void csv_quoted(struct csv_row *row, const char *column, const char *outside);
void csv_whole(struct csv_row *row, const char *column, uint64_t value);
void csv_known(struct csv_row *row, const char *column, uint64_t value);
void csv_number(struct csv_row *row, const char *column, double value);

#endif
