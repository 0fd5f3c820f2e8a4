#include "readers/read_table.h"

#include <ctype.h>
#include <string.h>

#include "base/error.h"
#include "base/warnings.h"
#include "document/read_curve.h"

#define QUOTE_HINT   "close each quote at the end of its cell"
#define WIDTH_HINT   "give each row as many columns as the heading"
#define DECIMAL_HINT "numbers are written with a point: 1.35, not 1,35"

bool table_next(struct lines *lines, struct span *line, struct span *comment)
{
	struct span last = {0};
	while (lines_next(lines, line)) {
		struct span text = span_trim(*line);
		if (text.length && *text.start != '#') {
			if (comment)
				*comment = last;
			return true;
		}
		if (text.length == 0)
			continue;
		while (text.length && *text.start == '#')
			text = span_after(text, 1);
		last = span_trim(text);
	}
	return false;
}

size_t table_before_comment(struct span line)
{
	const char *comment = memchr(line.start, '#', line.length);
	return comment ? (size_t)(comment - line.start) : line.length;
}

/* ---- cells ------------------------------------------------------------------------------ */

/* From the opening quote to behind the closing one; 0: it is not closed. */
static size_t quoted_length(struct span rest)
{
	for (size_t at = 1; at < rest.length; at++) {
		if (rest.start[at] != '"')
			continue;
		if (at + 1 == rest.length || rest.start[at + 1] != '"')
			return at + 1;
		at++;
	}
	return 0;
}

static int split_at(struct span rest, char separator, size_t number, struct cells *cells,
		    struct fathom_error *error)
{
	for (bool more = true; more;) {
		while (rest.length && *rest.start == ' ')
			rest = span_after(rest, 1);
		bool quoted = rest.length && *rest.start == '"';
		size_t skipped = quoted ? quoted_length(rest) : 0;
		if (quoted && !skipped)
			return span_refuse(rest, number, "has no closing quote", QUOTE_HINT, error);
		const char *end = memchr(rest.start + skipped, separator, rest.length - skipped);
		more = end != NULL;
		struct span cell = {rest.start, end ? (size_t)(end - rest.start) : rest.length};
		rest = span_after(rest, cell.length + more);
		cell = span_trim(cell);
		if (quoted && cell.length != skipped)
			return span_refuse(cell, number, "continues after its closing quote",
					   QUOTE_HINT, error);
		if (quoted)
			cell = span_trim((struct span){cell.start + 1, cell.length - 2});
		if (cells_add(cells, cell))
			return error_no_memory(error);
	}
	return 0;
}

/* "| 32K | **1.2** |" */
static int split_markdown(struct span line, struct cells *cells, struct fathom_error *error)
{
	line = span_trim(line);
	if (line.length && *line.start == '|')
		line = span_after(line, 1);
	if (line.length && line.start[line.length - 1] == '|')
		line.length--;
	for (bool more = true; more;) {
		const char *end = memchr(line.start, '|', line.length);
		more = end != NULL;
		struct span cell = {line.start, end ? (size_t)(end - line.start) : line.length};
		line = span_after(line, cell.length + more);
		cell = span_trim(cell);
		while (cell.length && strchr("*`_", *cell.start))
			cell = span_after(cell, 1);
		while (cell.length && strchr("*`_", cell.start[cell.length - 1]))
			cell.length--;
		if (cells_add(cells, cell))
			return error_no_memory(error);
	}
	return 0;
}

static bool is_unit(struct span word)
{
	return units_size(word) > 0 || units_value(word).scale > 0;
}

/* "KiB", or "size_kb". */
static bool has_own_unit(struct span word)
{
	size_t tail = word.length;
	while (tail && word.start[tail - 1] != '_')
		tail--;
	return is_unit(word) || (tail && is_unit(span_after(word, tail)));
}

/* How many brackets it opens more than it closes. */
static long count_open(struct span word)
{
	long open = 0;
	for (size_t i = 0; i < word.length; i++)
		open += (strchr("([", word.start[i]) != NULL) -
			(strchr(")]", word.start[i]) != NULL);
	return open;
}

/* "32 KiB" is one cell, and so are "latency (in ns)" and "size KiB"; "bytes ns" are two. */
static int split_blanks(struct span line, struct cells *cells, struct fathom_error *error)
{
	bool has_unit = false; /* the last cell */
	long open = 0;
	line.length = table_before_comment(line);
	for (line = span_trim(line); line.length; line = span_trim(line)) {
		struct span word = {line.start, 0};
		while (word.length < line.length &&
		       !isblank((unsigned char)line.start[word.length]))
			word.length++;
		line = span_after(line, word.length);
		struct span *before = cells->count ? &cells->items[cells->count - 1] : NULL;
		bool joined = before && (open > 0 || strchr("([", *word.start) ||
					 (is_unit(word) && !has_own_unit(*before) && !has_unit));
		has_unit = joined;
		open = (joined ? open : 0) + count_open(word);
		if (joined)
			before->length = (size_t)(word.start + word.length - before->start);
		else if (cells_add(cells, word))
			return error_no_memory(error);
	}
	return 0;
}

int table_split(struct span line, char separator, size_t number, struct cells *cells,
		struct fathom_error *error)
{
	cells->count = 0;
	if (separator == ' ')
		return split_blanks(line, cells, error);
	if (separator == '|')
		return split_markdown(line, cells, error);
	return split_at(line, separator, number, cells, error);
}

void table_free(struct text_table *table)
{
	cells_free(&table->heading);
}

/* ---- rows ------------------------------------------------------------------------------- */

struct table_reader {
	const struct text_table *table;
	struct columns columns;
	struct curve_rows rows;
	struct cells cells;
	bool plain_size, plain_value; /* a number came without a unit of its own */
};

static int check_width(const struct table_reader *reader, struct cells *cells, size_t number,
		       struct fathom_error *error)
{
	const struct text_table *table = reader->table;
	while (cells->count > table->width && cells->items[cells->count - 1].length == 0)
		cells->count--; /* "1024,1.35," */
	if (cells->count == table->width)
		return 0;
	return error_set(error, FATHOM_BAD_INPUT,
			 table->separator == ',' ? DECIMAL_HINT : WIDTH_HINT,
			 "line %zu: %zu column%s here, but line %zu has %zu", number, cells->count,
			 cells->count == 1 ? "" : "s", table->line, table->width);
}

static bool is_plain(struct span cell)
{
	return cell.length && strchr("0123456789.", cell.start[cell.length - 1]);
}

static bool is_one(struct span cell)
{
	double number = 0;
	return span_number(cell, &number) == cell.length && number == 1;
}

static int read_row(struct table_reader *reader, struct span line, size_t number,
		    struct fathom_error *error)
{
	const struct columns *columns = &reader->columns;
	struct cells *cells = &reader->cells;
	uint64_t size_bytes;
	double value;
	if (table_split(line, reader->table->separator, number, cells, error) ||
	    check_width(reader, cells, number, error))
		return -1;
	if (columns->has_lanes && !is_one(cells->items[columns->lanes])) {
		reader->rows.overlapping++;
		return 0;
	}
	struct span size_cell = cells->items[columns->size];
	struct span value_cell = cells->items[columns->value];
	if (units_read_size(size_cell, columns->size_unit_bytes, number, &size_bytes, error) ||
	    units_read_value(value_cell, columns->value_unit, number, &value, error))
		return -1;
	reader->plain_size |= is_plain(size_cell);
	reader->plain_value |= is_plain(value_cell);
	return curve_add(&reader->rows, size_bytes, value, number, error);
}

static int warn(const struct table_reader *reader, struct fathom_warnings *warnings,
		struct fathom_error *error)
{
	const struct columns *columns = &reader->columns;
	bool size = columns->size_unit_assumed && reader->plain_size;
	bool value = columns->value_unit_assumed && reader->plain_value;
	int failed = 0;
	if (size || value)
		failed = warnings_add(warnings, "units-assumed", NULL,
				      size && value ? "give them with --size-unit and --value-unit"
				      : size        ? "give it with --size-unit"
						    : "give it with --value-unit",
				      size && value
					      ? "the file does not say its units: bytes and ns "
						"are assumed"
				      : size ? "the file does not say the unit of its sizes: bytes "
					       "are assumed"
					     : "the file does not say the unit of its latencies: "
					       "ns are assumed");
	if (!failed && columns->others)
		failed = warnings_add(warnings, "columns-left-out", NULL,
				      "choose with --columns SIZE,LATENCY",
				      "several columns could be the latency: number %zu is read",
				      columns->value + 1);
	return failed ? error_no_memory(error) : 0;
}

int table_refuse_empty(size_t line, struct fathom_error *error)
{
	return error_set(error, FATHOM_BAD_INPUT, "give a row for each size, with its latency",
			 "line %zu: no rows follow the heading", line);
}

static int read_rows(struct table_reader *reader, struct fathom_result *result,
		     struct fathom_error *error)
{
	struct lines lines = reader->table->rows;
	struct span line;
	bool any = false;
	for (; table_next(&lines, &line, NULL); any = true)
		if (read_row(reader, line, lines.number, error))
			return -1;
	if (!any)
		return table_refuse_empty(reader->table->line, error);
	if (curve_finish(&reader->rows, result, error))
		return -1;
	return warn(reader, &result->warnings, error);
}

int table_read(const struct text_table *table, const struct fathom_input *input,
	       struct fathom_result *result, struct fathom_error *error)
{
	struct table_reader reader = {.table = table};
	if (columns_find(&table->heading, table->width, table->line, input, &reader.columns, error))
		return -1;
	reader.rows.tool = table->tool;
	reader.rows.like = curve_unknown_point();
	reader.rows.cycles = reader.columns.value_unit.cycles;
	reader.rows.relative_to_l1 = reader.columns.relative_to_l1;
	int failed = read_rows(&reader, result, error);
	curve_rows_free(&reader.rows);
	cells_free(&reader.cells);
	return failed;
}
