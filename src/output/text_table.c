#include "output/text_table.h"

#include <math.h>
#include <stdlib.h>

#define SIZE_COLUMNS   10
#define VALUE_COLUMNS  11
#define SPREAD_COLUMNS 8
#define FIXED_COLUMNS  (SIZE_COLUMNS + VALUE_COLUMNS + 2 + SPREAD_COLUMNS + 2)
#define WHOLE_SHARE    0.995 /* of a buffer: all of it, but for its ends */

static const struct table_quantity quantities[] = {
	[FATHOM_Y_NS] = {"latency", " ns", "ns per hop", 1},
	[FATHOM_Y_CYCLES] = {"cycles", "", "cycles per hop", 1},
	[FATHOM_Y_THROUGHPUT] = {"hops/s", " M", "hops per second", 1e6},
};

const struct table_quantity *table_quantity(enum fathom_y y)
{
	return &quantities[y];
}

struct table_value table_value(const struct fathom_point *point, enum fathom_y y)
{
	if (y == FATHOM_Y_CYCLES)
		return (struct table_value){point->latency_cycles, point->latency_low_cycles,
					    point->latency_high_cycles};
	if (y == FATHOM_Y_THROUGHPUT)
		return (struct table_value){1e3 / point->latency_ns, 1e3 / point->latency_high_ns,
					    1e3 / point->latency_low_ns};
	return (struct table_value){point->latency_ns, point->latency_low_ns,
				    point->latency_high_ns};
}

static bool is_known(const struct fathom_point *point, enum fathom_y y)
{
	return isfinite(table_value(point, y).value);
}

size_t table_count(const struct fathom_curve *curve, enum fathom_y y)
{
	size_t count = 0;
	for (size_t i = 0; i < curve->point_count; i++)
		count += is_known(&curve->points[i], y);
	return count;
}

char table_mark(const struct fathom_point *point, enum fathom_y y)
{
	struct table_value value = table_value(point, y);
	if (!isfinite(value.value) || point->within_target)
		return 0;
	return isfinite(value.low) && isfinite(value.high) ? '~' : '?';
}

bool table_same_pages(const struct fathom_curve *curve)
{
	for (size_t i = 0; i < curve->point_count; i++) {
		const struct fathom_point *point = &curve->points[i];
		if (point->page_bytes != curve->points[0].page_bytes)
			return false;
		if (point->page_bytes && !(point->page_share >= WHOLE_SHARE))
			return false;
	}
	return true;
}

/* The columns beside the one of `y`. */
struct columns {
	enum fathom_y beside[2];
	size_t count;
	bool pages; /* noted in each row, since they differ */
};

/* Of a row, without its note. */
static size_t row_columns(const struct columns *columns)
{
	return FIXED_COLUMNS + columns->count * VALUE_COLUMNS;
}

static struct columns find_columns(const struct layout *layout, const struct fathom_curve *curve,
				   enum fathom_y y)
{
	struct columns columns = {.pages = !table_same_pages(curve)};
	if (y != FATHOM_Y_NS)
		columns.beside[columns.count++] = FATHOM_Y_NS;
	if (y != FATHOM_Y_CYCLES && table_count(curve, FATHOM_Y_CYCLES))
		columns.beside[columns.count++] = FATHOM_Y_CYCLES;
	while (columns.count && row_columns(&columns) > layout->columns)
		columns.count--;
	return columns;
}

static int decimals(double value)
{
	return fabs(value) < 9.995 ? 2 : fabs(value) < 99.95 ? 1 : 0;
}

/* Takes `cell` over; NULL: memory ran out. */
static void add_cell(const struct layout *layout, unsigned width, bool right, char *cell)
{
	if (cell)
		layout_cell(layout, width, right, cell);
	else
		layout->text->failed = true;
	free(cell);
}

static void add_value(const struct layout *layout, const struct fathom_point *point,
		      enum fathom_y y)
{
	double value = table_value(point, y).value;
	add_cell(layout, VALUE_COLUMNS, true,
		 isfinite(value) ? text_format("%.*f%s", decimals(value), value, quantities[y].unit)
				 : text_format("-"));
}

/* With as many decimals as the value has, but not "0" for what is less than 1. */
static void add_spread(const struct layout *layout, struct table_value value)
{
	double half = (value.high - value.low) / 2;
	int digits = decimals(value.value);
	text_add(layout->text, "  ");
	if (!isfinite(half) || !isfinite(value.value))
		layout_cell(layout, SPREAD_COLUMNS, false, "");
	else
		add_cell(layout, SPREAD_COLUMNS, false,
			 text_format("%s%.*f", layout_plus_minus(layout),
				     digits == 0 && half < 0.95 ? 1 : digits, half));
}

static void end_line(struct text *text)
{
	while (text->length && text->data[text->length - 1] == ' ')
		text->data[--text->length] = 0;
	text_add(text, "\n");
}

/* A note for which a row has no room goes under it. */
static void add_note(const struct layout *layout, const struct fathom_point *point,
		     const struct columns *columns)
{
	char size[UNITS_TEXT_BYTES];
	struct text note = {0};
	if (!is_known(point, FATHOM_Y_NS))
		text_add(&note, "  not measured");
	else if (columns->pages && point->page_bytes == 0)
		text_add(&note, "  pages unknown");
	else if (columns->pages && point->page_share >= WHOLE_SHARE)
		text_add(&note, "  %s pages", layout_size(point->page_bytes, false, size));
	else if (columns->pages)
		text_add(&note, "  %.0f %% %s pages", 100 * point->page_share,
			 layout_size(point->page_bytes, false, size));
	if (note.length && row_columns(columns) + note.length > layout->columns) {
		end_line(layout->text);
		text_add(layout->text, "%*s", SIZE_COLUMNS, "");
	}
	text_add(layout->text, "%s", note.length ? note.data : "");
	layout->text->failed |= note.failed;
	text_free(&note);
}

static void add_heading(const struct layout *layout, const struct columns *columns, enum fathom_y y)
{
	layout_cell(layout, SIZE_COLUMNS, true, "size");
	layout_cell(layout, VALUE_COLUMNS, true, quantities[y].name);
	layout_cell(layout, 2 + SPREAD_COLUMNS + 2, false, "");
	for (size_t i = 0; i < columns->count; i++)
		layout_cell(layout, VALUE_COLUMNS, true, quantities[columns->beside[i]].name);
	end_line(layout->text);
}

static void add_row(const struct layout *layout, const struct columns *columns, enum fathom_y y,
		    const struct fathom_point *point)
{
	char size[UNITS_TEXT_BYTES];
	char mark[] = {table_mark(point, y), 0};
	layout_cell(layout, SIZE_COLUMNS, true, layout_size(point->spec.size_bytes, false, size));
	add_value(layout, point, y);
	add_spread(layout, table_value(point, y));
	layout_mark(layout, *mark ? mark : " ", *mark);
	text_add(layout->text, " ");
	for (size_t i = 0; i < columns->count; i++)
		add_value(layout, point, columns->beside[i]);
	add_note(layout, point, columns);
	end_line(layout->text);
}

/* Of the points that are nearest to the same power of two as points[first]: the nearest, and in
 * *end where the next ones begin. */
static size_t find_octave(const struct fathom_curve *curve, size_t first, size_t *end)
{
	double octave = round(log2((double)curve->points[first].spec.size_bytes));
	double least = INFINITY;
	size_t nearest = first;
	for (*end = first; *end < curve->point_count; ++*end) {
		double size = log2((double)curve->points[*end].spec.size_bytes);
		if (*end > first && round(size) != octave)
			break;
		if (fabs(size - octave) < least) {
			least = fabs(size - octave);
			nearest = *end;
		}
	}
	return nearest;
}

void table_add(const struct layout *layout, const struct fathom_curve *curve, enum fathom_y y,
	       bool every_point)
{
	struct columns columns = find_columns(layout, curve, y);
	add_heading(layout, &columns, y);
	for (size_t i = 0, next; i < curve->point_count; i = next) {
		size_t shown = i;
		next = i + 1;
		if (!every_point)
			shown = find_octave(curve, i, &next);
		add_row(layout, &columns, y, &curve->points[shown]);
	}
}
