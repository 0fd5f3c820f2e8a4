#include "render/text/text_table.h"

#include <math.h>
#include <stdlib.h>

#define SIZE_COLUMNS   10
#define VALUE_COLUMNS  TABLE_NUMBER_COLUMNS
#define SPREAD_COLUMNS TABLE_SPREAD_COLUMNS
#define FIXED_COLUMNS  (SIZE_COLUMNS + VALUE_COLUMNS + SPREAD_COLUMNS + 2)
#define CURVE_COLUMNS  (2 + VALUE_COLUMNS) /* of another curve's value */
#define MOST_COLUMNS   (2 + VIEW_MOST)
#define WHOLE_SHARE    0.995 /* of a buffer: all of it, but for its ends */
#define LEAST_SHOWN    0.005 /* what is less is 0, not -0 */

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
	if (!isfinite(value.value) || point->within_target || !(point->target > 0))
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

/* The columns beside the one of the main curve's `y`. */
struct columns {
	const struct text_view *view;
	struct {
		const struct fathom_curve *curve;
		enum fathom_y y;
	} items[MOST_COLUMNS];
	size_t count;
	bool pages; /* noted in each row, since they differ */
};

static unsigned column_width(const struct columns *columns, size_t i)
{
	return columns->items[i].curve == columns->view->curves[0] ? VALUE_COLUMNS : CURVE_COLUMNS;
}

/* Of a row, without its note. */
static size_t row_columns(const struct columns *columns)
{
	size_t width = FIXED_COLUMNS;
	for (size_t i = 0; i < columns->count; i++)
		width += column_width(columns, i);
	return width;
}

static void append_column(struct columns *columns, const struct fathom_curve *curve,
			  enum fathom_y y)
{
	if (table_count(curve, y) == 0)
		return;
	columns->items[columns->count].curve = curve;
	columns->items[columns->count++].y = y;
}

/* *left_out: the curves that have no column. */
static struct columns find_columns(const struct layout *layout, const struct text_view *view,
				   size_t *left_out)
{
	const struct fathom_curve *main = view->curves[0];
	struct columns columns = {.view = view, .pages = !table_same_pages(main)};
	*left_out = view->left_out;
	if (view->y != FATHOM_Y_NS)
		append_column(&columns, main, FATHOM_Y_NS);
	if (view->y != FATHOM_Y_CYCLES)
		append_column(&columns, main, FATHOM_Y_CYCLES);
	for (size_t i = 1; i < view->count; i++)
		append_column(&columns, view->curves[i], view->y);
	while (columns.count && row_columns(&columns) > layout->columns) {
		columns.count--;
		*left_out += columns.items[columns.count].curve != main;
	}
	return columns;
}

static int decimals(double value)
{
	return fabs(value) < 9.995 ? 2 : fabs(value) < 99.95 ? 1 : 0;
}

static const char *sign_of(const struct fathom_curve *curve)
{
	return curve->over_first ? "+" : "";
}

void table_add_number(const struct layout *layout, const char *sign, double value, enum fathom_y y)
{
	layout_take_cell(layout, VALUE_COLUMNS, true,
			 isfinite(value) ? text_format("%s%.*f%s", sign, decimals(value), value,
						       quantities[y].unit)
					 : text_format("-"));
}

char *table_number_text(double value)
{
	if (!isfinite(value))
		return text_format("-");
	return text_format("%.*f", decimals(value), fabs(value) < LEAST_SHOWN ? 0 : value);
}

char *table_spread_text(const struct layout *layout, struct table_value value)
{
	return layout_spread(layout, value.value, value.low, value.high);
}

/* Not "0" for what is less than 1. */
char *table_signed_text(const struct layout *layout, struct table_value value)
{
	double half = (value.high - value.low) / 2;
	int digits = decimals(fmax(fabs(value.value), half));
	if (!isfinite(half) || !isfinite(value.value))
		return text_format("%s", "");
	return text_format("%s%.*f", layout_plus_minus(layout),
			   digits == 0 && half < 0.95 ? 1 : digits, half);
}

void table_add_spread(const struct layout *layout, struct table_value value)
{
	text_add(layout->text, "  ");
	layout_take_cell(layout, SPREAD_COLUMNS - 2, false, table_spread_text(layout, value));
}

/* A note for which a row has no room goes under it. */
static void add_note(const struct layout *layout, const struct fathom_point *point,
		     const struct columns *columns)
{
	char size[UNITS_TEXT_BYTES];
	struct text note = {0};
	if (!is_known(point, FATHOM_Y_NS) && !is_known(point, FATHOM_Y_CYCLES))
		text_add(&note, "  not measured");
	else if (columns->pages && point->page_bytes == 0)
		text_add(&note, "  pages unknown");
	else if (columns->pages && point->page_share >= WHOLE_SHARE)
		text_add(&note, "  %s pages", layout_size(point->page_bytes, false, size));
	else if (columns->pages)
		text_add(&note, "  %.0f %% %s pages", 100 * point->page_share,
			 layout_size(point->page_bytes, false, size));
	if (note.length && row_columns(columns) + note.length > layout->columns) {
		layout_end_line(layout);
		text_add(layout->text, "%*s", SIZE_COLUMNS, "");
	}
	text_add(layout->text, "%s", note.length ? note.data : "");
	layout->text->failed |= note.failed;
	text_free(&note);
}

static void add_heading(const struct layout *layout, const struct columns *columns)
{
	const struct text_view *view = columns->view;
	layout_cell(layout, SIZE_COLUMNS, true, "size");
	/* The other curves' columns have their names; other tools' curves are all alike. */
	bool named = view->count > 1 && view->curves[0]->tool;
	layout_take_cell(layout, VALUE_COLUMNS, true,
			 named ? view_label(layout, view->result, view->curves[0], true)
			       : text_format("%s", quantities[view->y].name));
	layout_cell(layout, SPREAD_COLUMNS + 2, false, "");
	for (size_t i = 0; i < columns->count; i++) {
		const struct fathom_curve *curve = columns->items[i].curve;
		layout_take_cell(layout, column_width(columns, i), true,
				 curve == view->curves[0]
					 ? text_format("%s", quantities[columns->items[i].y].name)
					 : view_label(layout, view->result, curve, true));
	}
	layout_end_line(layout);
}

/* The point of that size; NULL: there is none. */
static const struct fathom_point *find_point(const struct fathom_curve *curve, uint64_t size_bytes)
{
	size_t low = 0, high = curve->point_count;
	while (low < high) {
		size_t middle = low + (high - low) / 2;
		if (curve->points[middle].spec.size_bytes < size_bytes)
			low = middle + 1;
		else
			high = middle;
	}
	return low < curve->point_count && curve->points[low].spec.size_bytes == size_bytes
		       ? &curve->points[low]
		       : NULL;
}

static void add_beside(const struct layout *layout, const struct columns *columns,
		       const struct fathom_point *main_point)
{
	for (size_t i = 0; i < columns->count; i++) {
		const struct fathom_curve *curve = columns->items[i].curve;
		bool main = curve == columns->view->curves[0];
		const struct fathom_point *point =
			main ? main_point : find_point(curve, main_point->spec.size_bytes);
		enum fathom_y y = columns->items[i].y;
		layout_cell(layout, column_width(columns, i) - VALUE_COLUMNS, false, "");
		table_add_number(layout, sign_of(curve), point ? table_value(point, y).value : NAN,
				 y);
	}
}

static void add_row(const struct layout *layout, const struct columns *columns,
		    const struct fathom_point *point)
{
	char size[UNITS_TEXT_BYTES];
	enum fathom_y y = columns->view->y;
	char mark[] = {table_mark(point, y), 0};
	struct table_value value = table_value(point, y);
	layout_cell(layout, SIZE_COLUMNS, true, layout_size(point->spec.size_bytes, false, size));
	table_add_number(layout, sign_of(columns->view->curves[0]), value.value, y);
	table_add_spread(layout, value);
	layout_mark(layout, *mark ? mark : " ", *mark);
	text_add(layout->text, " ");
	add_beside(layout, columns, point);
	add_note(layout, point, columns);
	layout_end_line(layout);
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

size_t table_add(const struct layout *layout, const struct text_view *view, bool every_point)
{
	const struct fathom_curve *main = view->curves[0];
	size_t left_out;
	struct columns columns = find_columns(layout, view, &left_out);
	add_heading(layout, &columns);
	for (size_t i = 0, next; i < main->point_count; i = next) {
		size_t shown = i;
		next = i + 1;
		if (!every_point)
			shown = find_octave(main, i, &next);
		add_row(layout, &columns, &main->points[shown]);
	}
	return left_out;
}
