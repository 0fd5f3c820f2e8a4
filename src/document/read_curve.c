#include "document/read_curve.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/list.h"
#include "base/stats.h"
#include "base/text.h"
#include "base/units.h"
#include "base/warnings.h"
#include "document/table.h"

/* Not a statement about memory, but about units: no cache answers in 10 ps or in a hundredth of a
 * cycle, and no memory takes an hour. */
#define LEAST_VALUE 0.01
#define MOST_VALUE  4e12
#define UNIT_HINT   "give the unit of the latencies with --value-unit: " UNITS_OF_LATENCIES

struct fathom_point curve_unknown_point(void)
{
	struct fathom_point point;
	table_unknown(&point_table, &point);
	return point;
}

bool curve_lanes_ascend(const struct fathom_curve *curve, size_t point)
{
	uint32_t before = point ? curve->points[point - 1].spec.lanes : 0;
	return curve->axis != FATHOM_AXIS_LANES || curve->points[point].spec.lanes > before;
}

/* ---- row by row ---- */

static int append(struct curve_rows *rows, uint64_t size_bytes, double value,
		  struct fathom_error *error)
{
	if (rows->row_count == rows->row_capacity) {
		size_t capacity = rows->row_capacity ? 2 * rows->row_capacity : 64;
		struct curve_row *grown = realloc(rows->rows, capacity * sizeof(*grown));
		if (!grown)
			return error_no_memory(error);
		rows->rows = grown;
		rows->row_capacity = capacity;
	}
	size_t at = rows->row_count++;
	if (at && size_bytes < rows->rows[at - 1].size_bytes)
		rows->unsorted = true;
	rows->rows[at] = (struct curve_row){size_bytes, value, at};
	return 0;
}

int curve_add(struct curve_rows *rows, uint64_t size_bytes, double value, size_t line,
	      struct fathom_error *error)
{
	const char *unit = rows->cycles ? "cycles" : "ns";
	size_t *left_out = isnan(value)                             ? &rows->without_value
			   : value < 0                              ? &rows->negative
			   : value == 0 && !rows->relative_to_l1    ? &rows->zero
			   : size_bytes == 0 && value <= MOST_VALUE ? &rows->without_size
								    : NULL;
	if (left_out) {
		++*left_out;
		return 0;
	}
	if (value > MOST_VALUE)
		return error_set(error, FATHOM_BAD_INPUT, UNIT_HINT,
				 "line %zu: %g %s is slower than any memory", line, value, unit);
	if (value < LEAST_VALUE && !rows->relative_to_l1)
		return error_set(error, FATHOM_BAD_INPUT, UNIT_HINT,
				 "line %zu: %g %s is faster than any memory", line, value, unit);
	return append(rows, size_bytes, value, error);
}

void curve_rows_free(struct curve_rows *rows)
{
	free(rows->rows);
	rows->rows = NULL;
	rows->row_count = rows->row_capacity = 0;
}

/* ---- the curve ---- */

static int by_size(const void *left, const void *right)
{
	const struct curve_row *a = left, *b = right;
	if (a->size_bytes != b->size_bytes)
		return a->size_bytes < b->size_bytes ? -1 : 1;
	return (a->order > b->order) - (a->order < b->order);
}

static size_t count_sizes(const struct curve_rows *rows)
{
	size_t count = 0;
	for (size_t i = 0; i < rows->row_count; i++)
		count += i == 0 || rows->rows[i].size_bytes != rows->rows[i - 1].size_bytes;
	return count;
}

static void set_value(struct fathom_point *point, bool cycles, double value,
		      struct stats_interval interval)
{
	*(cycles ? &point->latency_cycles : &point->latency_ns) = value;
	*(cycles ? &point->latency_low_cycles : &point->latency_low_ns) = interval.low;
	*(cycles ? &point->latency_high_cycles : &point->latency_high_ns) = interval.high;
}

/* Rows of one size: the median, and what lies round it. */
static int merge(const struct curve_row *rows, size_t count, bool cycles,
		 struct fathom_point *point, struct fathom_error *error)
{
	double *sorted = malloc(count * sizeof(*sorted));
	double *blocks_ns = cycles ? NULL : malloc(count * sizeof(*blocks_ns));
	if (!sorted || (!cycles && !blocks_ns)) {
		free(sorted);
		free(blocks_ns);
		return error_no_memory(error);
	}
	for (size_t i = 0; i < count; i++) {
		sorted[i] = rows[i].value;
		if (blocks_ns)
			blocks_ns[i] = rows[i].value;
	}
	double median = stats_median(sorted, count);
	set_value(point, cycles, median, stats_median_interval(sorted, count));
	point->blocks_ns = blocks_ns;
	point->block_count = blocks_ns ? count : 0;
	free(sorted);
	return 0;
}

static int fill(const struct curve_rows *rows, struct fathom_curve *curve,
		struct fathom_error *error)
{
	for (size_t i = 0, count; i < rows->row_count; i += count) {
		const struct curve_row *first = &rows->rows[i];
		struct fathom_point *point = &curve->points[curve->point_count];
		for (count = 1; i + count < rows->row_count; count++)
			if (first[count].size_bytes != first->size_bytes)
				break;
		*point = rows->like;
		point->spec.size_bytes = first->size_bytes;
		if (count == 1)
			set_value(point, rows->cycles, first->value,
				  (struct stats_interval){NAN, NAN});
		else if (merge(first, count, rows->cycles, point, error))
			return -1;
		curve->point_count++;
	}
	return 0;
}

/* The result's, empty. NULL: out of memory. */
static struct fathom_curve *new_curve(struct fathom_result *result, const char *tool, size_t points)
{
	struct fathom_curve curve = {
		.cpu = -1,
		.memory_node = -1,
		.node_share = NAN,
		.tool = strdup(tool),
		.points = calloc(points, sizeof(*curve.points)),
	};
	if (curve.tool && curve.points &&
	    LIST_APPEND(&result->curves, &result->curve_count, &curve) == 0)
		return &result->curves[result->curve_count - 1];
	free(curve.tool);
	free(curve.points);
	return NULL;
}

static void add_reason(struct text *text, size_t count, const char *what)
{
	if (count)
		text_add(text, "%s%zu %s", text->length ? ", " : "", count, what);
}

/* "3 without a value, 1 negative"; empty: nothing was left out. NULL: out of memory. */
static char *list_left_out(const struct curve_rows *rows)
{
	struct text text = {0};
	add_reason(&text, rows->without_value, "without a value");
	add_reason(&text, rows->negative, "negative");
	add_reason(&text, rows->zero, "with value 0");
	add_reason(&text, rows->without_size, "with size 0");
	add_reason(&text, rows->overlapping, "with more than one lane");
	return text_take(&text);
}

static int warn(const struct curve_rows *rows, size_t sizes, struct fathom_warnings *warnings,
		struct fathom_error *error)
{
	char *reasons = list_left_out(rows);
	int failed = reasons ? 0 : -1;
	if (!failed && *reasons)
		failed = warnings_add(warnings, "rows-left-out", rows->where, NULL,
				      "rows are left out: %s", reasons);
	if (!failed && rows->unsorted)
		failed = warnings_add(warnings, "sizes-sorted", rows->where,
				      "give each curve a file of its own, if there are several",
				      "the sizes do not ascend: the rows were sorted");
	if (!failed && sizes < rows->row_count)
		failed = warnings_add(
			warnings, "sizes-repeated", rows->where,
			"give each curve a file of its own, if there are several",
			"%zu rows have only %zu size%s: the median is taken for each size",
			rows->row_count, sizes, sizes == 1 ? "" : "s");
	free(reasons);
	return failed ? error_no_memory(error) : 0;
}

static int refuse_empty(const struct curve_rows *rows, struct fathom_error *error)
{
	char *reasons = list_left_out(rows);
	if (!reasons)
		return error_no_memory(error);
	const char *name = rows->where ? rows->where : "the curve";
	error_set(error, FATHOM_BAD_INPUT, "give each row a size and a latency above 0",
		  *reasons ? "%s has no points: all rows are left out (%s)" : "%s has no point%s",
		  name, reasons);
	free(reasons);
	return -1;
}

int curve_finish(struct curve_rows *rows, struct fathom_result *result, struct fathom_error *error)
{
	if (rows->row_count == 0)
		return refuse_empty(rows, error);
	if (result->curve_count == CURVES_MOST)
		return error_set(error, FATHOM_BAD_INPUT, CURVES_HINT,
				 "there are more than %d curves", CURVES_MOST);
	if (rows->unsorted)
		qsort(rows->rows, rows->row_count, sizeof(*rows->rows), by_size);
	size_t sizes = count_sizes(rows);
	struct fathom_curve *curve = new_curve(result, rows->tool, sizes);
	if (!curve)
		return error_no_memory(error);
	curve->relative_to_l1 = rows->relative_to_l1;
	if (fill(rows, curve, error))
		return -1;
	return warn(rows, sizes, &result->warnings, error);
}

int curve_read_block(struct lines *lines, curve_row_reader *read_row, struct curve_rows *rows,
		     struct fathom_result *result, struct fathom_error *error)
{
	struct lines before = *lines;
	struct span line;
	int ended = 0;
	while (!ended && lines_next(lines, &line)) {
		ended = read_row(line, lines->number, rows, error);
		if (!ended)
			before = *lines;
	}
	*lines = before; /* what ended it may begin the next */
	int failed = ended < 0 ? -1 : curve_finish(rows, result, error);
	curve_rows_free(rows);
	return failed;
}
