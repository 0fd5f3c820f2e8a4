/* fathom's own CSV, as csv.c writes it: a row a point. The values of the blocks and of the samples
 * are not in it, nor the machine and the levels; of what was counted the numbers alone. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/list.h"
#include "base/text.h"
#include "document/csv.h"
#include "document/read_curve.h"
#include "readers/read_table.h"
#include "readers/readers.h"

#define ROWS_HINT    "'fathom report FILE --csv' writes such rows"
#define FOREIGN_TOOL "csv" /* of a curve that is not fathom's and does not say whose */

bool own_csv_detect(const char *bytes, size_t length)
{
	struct lines lines = {bytes, bytes + length, 0};
	struct span line;
	return lines_next(&lines, &line) && span_starts(line, "experiment,");
}

/* Where a column's cells go. */
struct column {
	struct csv_column csv;
	enum {
		NOWHERE,
		TO_CURVE,
		TO_POINT,
		TO_NUMBER,
		TO_COUNTS,
		TO_TOOL
	} to; /* a later version's: nowhere */
};

struct csv_reader {
	struct column *columns;
	size_t column_count;
	size_t numbers[CURVES_MOST];    /* of the curves, as the file counts them */
	size_t capacities[CURVES_MOST]; /* of their points */
	struct cells cells;
	struct fathom_result *result;
};

/* What a row says. */
struct row {
	struct fathom_point point;
	struct fathom_curve curve; /* without points and tool */
	size_t number;             /* of the curve; before there were several: 0 */
	struct span tool, counts;
	size_t line;
};

static struct column find_column(struct span name)
{
	static const struct field number = {.type = FIELD_SIZE};
	struct column column = {.to = NOWHERE};
	if (span_is(name, "curve"))
		return (struct column){{.field = &number}, TO_NUMBER};
	if (csv_find(&curve_table, name, &column.csv))
		column.to = column.csv.field->type == FIELD_TEXT ? TO_TOOL : TO_CURVE;
	else if (csv_find(&point_table, name, &column.csv))
		column.to = column.csv.field->type == FIELD_LIST ? TO_COUNTS : TO_POINT;
	return column;
}

static int read_heading(struct csv_reader *reader, struct span line, struct fathom_error *error)
{
	if (table_split(line, ',', 1, &reader->cells, error))
		return -1;
	reader->column_count = reader->cells.count;
	reader->columns = calloc(reader->column_count, sizeof(*reader->columns));
	if (!reader->columns)
		return error_no_memory(error);
	bool size = false;
	for (size_t i = 0; i < reader->column_count; i++) {
		reader->columns[i] = find_column(reader->cells.items[i]);
		size |= span_is(reader->cells.items[i], "size_bytes");
	}
	if (!size)
		return error_set(error, FATHOM_BAD_INPUT, ROWS_HINT,
				 "line 1: there is no column 'size_bytes'");
	return 0;
}

/* Quotes in it are written twice. NULL: out of memory. */
static char *copy_quoted(struct span cell)
{
	struct text text = {0};
	for (size_t i = 0; i < cell.length; i++) {
		text_add_bytes(&text, &cell.start[i], 1);
		i += cell.start[i] == '"' && i + 1 < cell.length && cell.start[i + 1] == '"';
	}
	return text_take(&text);
}

/* fathom's own latencies are of a known order, and never over those of another level. */
static bool is_own(const struct row *row)
{
	return row->tool.length == 0 && !row->curve.relative_to_l1 &&
	       row->point.spec.pattern != FATHOM_PATTERN_UNKNOWN;
}

static int add_curve(struct csv_reader *reader, const struct row *row, struct fathom_error *error)
{
	struct fathom_result *result = reader->result;
	size_t count = result->curve_count;
	if (count == CURVES_MOST)
		return error_set(error, FATHOM_BAD_INPUT, CURVES_HINT,
				 "line %zu: there are more than %d curves", row->line, CURVES_MOST);
	if (LIST_APPEND(&result->curves, &result->curve_count, &row->curve))
		return error_no_memory(error);
	reader->numbers[count] = row->number;
	if (is_own(row))
		return 0;
	char *tool = row->tool.length ? copy_quoted(row->tool) : strdup(FOREIGN_TOOL);
	result->curves[count].tool = tool;
	return tool ? 0 : error_no_memory(error);
}

/* The place of the row's curve. */
static int find_curve(struct csv_reader *reader, const struct row *row, size_t *place,
		      struct fathom_error *error)
{
	size_t count = reader->result->curve_count;
	for (size_t i = count; i-- > 0;) { /* most likely the last */
		if (reader->numbers[i] != row->number)
			continue;
		*place = i;
		return 0;
	}
	*place = count;
	return add_curve(reader, row, error);
}

/* "l1d_misses=0.98;dtlb_misses=0.6": one more. */
static int add_count(const struct row *row, char *item, struct fathom_point *point,
		     struct fathom_error *error)
{
	char *equals = strrchr(item, '=');
	struct span number = {equals ? equals + 1 : item, equals ? strlen(equals + 1) : 0};
	double value;
	if (!equals || equals == item || !number.length ||
	    span_number(number, &value) != number.length)
		return error_set(error, FATHOM_BAD_INPUT, "as in l1d_misses=0.98;dtlb_misses=0.6",
				 "line %zu: the count of an event is not a number", row->line);
	const struct fathom_count count = {.event = strndup(item, (size_t)(equals - item)),
					   .state = FATHOM_COUNTED,
					   .per_access = value,
					   .running_share = NAN};
	if (count.event && LIST_APPEND(&point->counts, &point->event_count, &count) == 0)
		return 0;
	free(count.event);
	return error_no_memory(error);
}

static int add_counts(const struct row *row, struct fathom_point *point, struct fathom_error *error)
{
	char *copy = strndup(row->counts.start ? row->counts.start : "", row->counts.length);
	char *rest = copy, *item;
	int status = copy ? 0 : error_no_memory(error);
	while (!status && (item = strsep(&rest, ";")))
		if (*item)
			status = add_count(row, item, point, error);
	free(copy);
	return status;
}

static int append(struct csv_reader *reader, const struct row *row, struct fathom_error *error)
{
	const char *name, *what;
	size_t place;
	if (find_curve(reader, row, &place, error))
		return -1;
	struct fathom_curve *curve = &reader->result->curves[place];
	size_t *capacity = &reader->capacities[place];
	if (curve->point_count == *capacity) {
		size_t wanted = *capacity ? 2 * *capacity : 32;
		struct fathom_point *points = realloc(curve->points, wanted * sizeof(*points));
		if (!points)
			return error_no_memory(error);
		curve->points = points;
		*capacity = wanted;
	}
	size_t count = curve->point_count;
	if (count && curve->points[count - 1].spec.size_bytes > row->point.spec.size_bytes)
		return error_set(
			error, FATHOM_BAD_INPUT, "sort the rows by curve and size",
			"line %zu: the size is smaller than the one before it in the same curve",
			row->line);
	curve->points[curve->point_count++] = row->point;
	curve->points[count].spec.axis = curve->axis;
	if (!curve_lanes_ascend(curve, count))
		return error_set(error, FATHOM_BAD_INPUT, "sort the rows by curve and lanes",
				 "line %zu: the lanes do not ascend in the same curve", row->line);
	if (curve_find_wrong(curve, count, &name, &what))
		return error_set(error, FATHOM_BAD_INPUT, CURVE_WRONG_HINT, "line %zu: '%s' %s",
				 row->line, name, what);
	return add_counts(row, &curve->points[count], error);
}

static int read_cell(const struct column *column, struct span cell, struct row *row,
		     struct fathom_error *error)
{
	void *const targets[] = {
		[TO_CURVE] = &row->curve, [TO_POINT] = &row->point, [TO_NUMBER] = &row->number};
	if (column->to == TO_TOOL)
		row->tool = cell;
	if (column->to == TO_COUNTS)
		row->counts = cell;
	if (column->to == NOWHERE || column->to == TO_TOOL || column->to == TO_COUNTS)
		return 0;
	return csv_read_cell(&column->csv, cell, row->line, targets[column->to], error);
}

static int read_row(struct csv_reader *reader, struct span line, size_t number,
		    struct fathom_error *error)
{
	struct row row = {.point = curve_unknown_point(),
			  .curve = {.cpu = -1, .memory_node = -1, .node_share = NAN},
			  .line = number};
	const struct cells *cells = &reader->cells;
	if (table_split(line, ',', number, &reader->cells, error))
		return -1;
	if (cells->count != reader->column_count)
		return error_set(error, FATHOM_BAD_INPUT, ROWS_HINT,
				 "line %zu: there are %zu columns, but line 1 has %zu", number,
				 cells->count, reader->column_count);
	for (size_t i = 0; i < cells->count; i++)
		if (read_cell(&reader->columns[i], cells->items[i], &row, error))
			return -1;
	if (row.point.spec.size_bytes == 0)
		return error_set(error, FATHOM_BAD_INPUT, ROWS_HINT,
				 "line %zu: 'size_bytes' is missing", number);
	return append(reader, &row, error);
}

int own_csv_read(const char *bytes, size_t length, const struct fathom_input *input,
		 struct fathom_result *result, struct fathom_error *error)
{
	struct lines lines = {bytes, bytes + length, 0};
	struct csv_reader reader = {.result = result};
	struct span line;
	(void)input;
	lines_next(&lines, &line);
	int failed = read_heading(&reader, line, error);
	while (!failed && table_next(&lines, &line, NULL))
		failed = read_row(&reader, line, lines.number, error);
	if (!failed && result->curve_count == 0)
		failed = table_refuse_empty(1, error);
	cells_free(&reader.cells);
	free(reader.columns);
	return failed;
}
