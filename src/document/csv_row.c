#include "document/csv_row.h"

#include <math.h>
#include <string.h>

#include "base/utf8.h"

bool csv_field(struct csv_row *row, const char *column)
{
	if (!row->first)
		text_add(row->text, ",");
	row->first = false;
	if (row->header)
		text_add(row->text, "%s", column);
	return !row->header;
}

void csv_text(struct csv_row *row, const char *column, const char *value)
{
	if (csv_field(row, column) && value)
		text_add(row->text, "%s", value);
}

void csv_quoted(struct csv_row *row, const char *column, const char *outside)
{
	struct text shown = {0};
	if (!csv_field(row, column) || !outside)
		return;
	utf8_add_escaped(&shown, outside, true);
	text_add(row->text, "\"%s", *outside && strchr("=+-@", *outside) ? "'" : "");
	for (const char *c = shown.data; c && *c; c++)
		text_add(row->text, "%s%c", *c == '"' ? "\"" : "", *c);
	text_add(row->text, "\"");
	row->text->failed |= shown.failed;
	text_free(&shown);
}

void csv_whole(struct csv_row *row, const char *column, uint64_t value)
{
	if (csv_field(row, column))
		text_add(row->text, "%llu", (unsigned long long)value);
}

void csv_known(struct csv_row *row, const char *column, uint64_t value)
{
	if (csv_field(row, column) && value)
		text_add(row->text, "%llu", (unsigned long long)value);
}

void csv_number(struct csv_row *row, const char *column, double value)
{
	if (csv_field(row, column) && isfinite(value))
		text_add(row->text, "%.9g", value);
}
