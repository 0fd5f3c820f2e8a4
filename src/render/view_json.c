#include "render/view_json.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/stats.h"
#include "document/json_put.h"
#include "views/figure.h"

static json_t *cell_json(const struct view_cell *cell)
{
	const char mark[] = {cell->mark, 0};
	if (!cell->spread && !cell->mark && !cell->attention)
		return json_text(cell->text);
	json_t *object = json_object();
	json_put_text(&object, "text", cell->text);
	if (cell->spread)
		json_put_text(&object, "spread", cell->spread);
	if (*view_cell_range(cell).text)
		json_put_text(&object, "range", view_cell_range(cell).text);
	if (cell->mark)
		json_put_text(&object, "mark", mark);
	if (cell->attention)
		json_put_boolean(&object, "attention", true);
	return object;
}

static json_t *columns_json(const struct view_table *table)
{
	json_t *list = json_array();
	for (size_t i = 0; i < table->column_count; i++) {
		const char *top = view_column_top(table, i), *unit = table->columns[i].unit;
		if (!view_column_shown(table, i))
			continue;
		json_t *object = json_object();
		json_put_text(&object, "label", top ? top : "");
		if (unit)
			json_put_text(&object, "unit", unit);
		if (view_column_left(table, i))
			json_put_boolean(&object, "left", true);
		json_put_next(&list, object);
	}
	return list;
}

/* A note of the row stands in a last cell, beyond the columns. */
static json_t *rows_json(const struct view_table *table)
{
	json_t *list = json_array();
	for (size_t i = 0; i < table->row_count; i++) {
		const struct view_row *row = &table->rows[i];
		json_t *cells = json_array();
		for (size_t k = 0; k < row->count; k++)
			if (view_column_shown(table, k))
				json_put_next(&cells, cell_json(&row->cells[k]));
		if (row->note || row->words)
			json_put_next(&cells, json_text(row->note ? row->note : row->words));
		json_put_next(&list, cells);
	}
	return list;
}

/* ---- plots ---- */

/* Where any series has a point, each once. free() it; NULL: no memory. */
static double *places_of(const struct figure *figure, size_t *count)
{
	size_t all = 0, kept = 0;
	for (size_t i = 0; i < figure->series_count; i++)
		all += figure->series[i].count;
	double *places = calloc(all + 1, sizeof(*places));
	all = 0;
	for (size_t i = 0; places && i < figure->series_count; i++)
		for (size_t k = 0; k < figure->series[i].count; k++)
			places[all++] = figure->series[i].rows[k].x;
	if (places)
		stats_sort(places, all);
	for (size_t i = 0; places && i < all; i++)
		if (!kept || places[i] != places[kept - 1])
			places[kept++] = places[i];
	*count = kept;
	return places;
}

static struct rounded place_text(const struct figure *figure, double x)
{
	struct rounded text;
	size_t place = (size_t)x;
	if (figure->x_is_bytes)
		return rounding_size((uint64_t)llround(x));
	if (place >= 1 && place <= figure->place_count)
		snprintf(text.text, sizeof(text.text), "%.31s", figure->places[place - 1]);
	else
		snprintf(text.text, sizeof(text.text), "%.0f", x);
	return text;
}

static struct rounded value_text(const struct figure *figure, double y)
{
	return figure->kind == FIGURE_COMPARISON ? rounding_ratio(y) : rounding_number(y);
}

static void put_flag(json_t **object, const char *key, bool set)
{
	if (set)
		json_put_boolean(object, key, true);
}

/* Columns, with null where the series has no point; `apart`: to which of them no line comes. NULL:
 * no memory. */
static json_t *series_json(const struct figure *figure, const struct figure_series *series,
			   const double *places, size_t count)
{
	double *columns = calloc(3 * count + 1, sizeof(*columns));
	if (!columns)
		return NULL;
	json_t *object = json_object(), *texts = json_array(), *ranges = json_array(),
	       *apart = json_array();
	for (size_t i = 0, k = 0; i < count; i++) {
		struct figure_row row = {NAN, NAN, NAN, NAN, false};
		if (k < series->count && series->rows[k].x == places[i])
			row = series->rows[k++];
		columns[i] = row.y;
		columns[count + i] = row.low;
		columns[2 * count + i] = row.high;
		json_put_next(&texts,
			      json_text(isfinite(row.y) ? value_text(figure, row.y).text : ""));
		json_put_next(&ranges, json_text(rounding_range(row.low, row.high).text));
		if (row.apart)
			json_put_next(&apart, json_integer((json_int_t)i));
	}
	json_put_text(&object, "name", series->name);
	put_flag(&object, "aside", series->aside);
	put_flag(&object, "model", series->is_law);
	put_flag(&object, "off", series->is_off);
	json_put(&object, "y", json_numbers(columns, count));
	json_put(&object, "low", json_numbers(columns + count, count));
	json_put(&object, "high", json_numbers(columns + 2 * count, count));
	json_put(&object, "texts", texts);
	json_put(&object, "ranges", ranges);
	json_put(&object, "apart", apart);
	free(columns);
	return object;
}

static json_t *marks_json(const struct figure *figure)
{
	json_t *list = json_array();
	for (size_t i = 0; i < figure->mark_count; i++) {
		const struct figure_mark *mark = &figure->marks[i];
		json_t *object = json_object();
		json_put_text(&object, "name", mark->name);
		json_put_number(&object, "x", mark->x);
		json_put_number(&object, "low", mark->low);
		json_put_number(&object, "high", mark->high);
		put_flag(&object, "reported", mark->reported);
		json_put_next(&list, object);
	}
	return list;
}

/* "latency (ns)" in two. */
static json_t *axis_json(const char *label, const char *scale)
{
	json_t *object = json_object();
	struct text name = {0}, unit = {0};
	const char *open = strstr(label, " ("), *end = open ? strchr(open, ')') : NULL;
	text_add_bytes(&name, label, end ? (size_t)(open - label) : strlen(label));
	if (end)
		text_add_bytes(&unit, open + 2, (size_t)(end - open - 2));
	json_put(&object, "label", name.failed ? NULL : json_text(name.data));
	json_put(&object, "unit", unit.failed ? NULL : json_text(unit.data ? unit.data : ""));
	json_put_text(&object, "scale", scale);
	text_free(&name);
	text_free(&unit);
	return object;
}

static json_t *x_json(const struct figure *figure, const double *places, size_t count)
{
	json_t *texts = json_array(), *names = json_array();
	json_t *x = axis_json(figure->x_label, figure->place_count   ? "places"
					       : figure->x_is_bytes  ? "bytes"
					       : figure->x_is_linear ? "wholes"
								     : "counts");
	for (size_t i = 0; i < count; i++)
		json_put_next(&texts, json_text(place_text(figure, places[i]).text));
	for (size_t i = 0; i < figure->place_count; i++)
		json_put_next(&names, json_text(figure->places[i]));
	json_put(&x, "values", json_numbers(places, count));
	json_put(&x, "texts", texts);
	json_put(&x, "places", names);
	return x;
}

static json_t *y_json(const struct figure *figure)
{
	json_t *y = axis_json(figure->y_label, figure->y_is_signed                 ? "shares"
					       : figure->kind == FIGURE_COMPARISON ? "ratio"
					       : figure->kind == FIGURE_SPEEDUP    ? "gain"
					       : figure->y_is_linear               ? "linear"
										   : "powers");
	if (figure->beside > 0) {
		json_put_number(&y, "beside", figure->beside);
		json_put_text(&y, "beside_label", figure->beside_label);
	}
	return y;
}

static json_t *column_names_json(const struct figure_matrix *matrix)
{
	json_t *columns = json_array();
	for (size_t i = 0; i < matrix->column_count; i++)
		json_put_next(&columns, json_integer(matrix->columns[i]));
	return columns;
}

/* Row after row; of a symmetric one the lower triangle. NULL: no memory. */
static json_t *matrix_json(const struct figure *figure)
{
	const struct figure_matrix *matrix = &figure->matrix;
	const struct figure_matrix_words *named = &figure_traits[figure->kind].matrix;
	json_t *object = json_object(), *cpus = json_array(), *begins = json_array(),
	       *texts = json_array();
	double *values = calloc(matrix->count * matrix->column_count + 1, sizeof(*values));
	size_t count = 0;
	for (size_t i = 0; values && i < matrix->count; i++) {
		size_t columns = matrix->columns ? matrix->column_count : i;
		json_put_next(&cpus, json_integer(matrix->cpus[i]));
		json_put_next(&begins, json_boolean(matrix->begins[i]));
		for (size_t k = 0; k < columns; k++) {
			values[count] = matrix->values[i * matrix->column_count + k];
			json_put_next(&texts, json_text(rounding_number(values[count++]).text));
		}
	}
	if (matrix->columns)
		json_put(&object, "columns", column_names_json(matrix));
	json_put_text(&object, "row", named->row);
	json_put_text(&object, "column", named->column);
	json_put_text(&object, "rows", named->rows);
	json_put_text(&object, "unit", named->unit);
	json_put(&object, "cpus", cpus);
	json_put(&object, "begins", begins);
	json_put(&object, "values", values ? json_numbers(values, count) : NULL);
	json_put(&object, "texts", texts);
	json_put_number(&object, "least", matrix->least);
	json_put_number(&object, "greatest", matrix->greatest);
	json_put_text(&object, "least_text", rounding_number(matrix->least).text);
	json_put_text(&object, "greatest_text", rounding_number(matrix->greatest).text);
	free(values);
	return object;
}

/* NULL: no memory. */
static json_t *plot_json(const struct view_plot *plot)
{
	const struct figure *figure = plot->figure;
	size_t count;
	double *places = places_of(figure, &count);
	if (!places)
		return NULL;
	json_t *object = json_object(), *series = json_array();
	for (size_t i = 0; i < figure->series_count; i++)
		json_put_next(&series, series_json(figure, &figure->series[i], places, count));
	json_put_text(&object, "title", plot->title);
	json_put_text(&object, "choices", plot->choices);
	json_put_text(&object, "choice", plot->choice);
	json_put(&object, "x", x_json(figure, places, count));
	json_put(&object, "y", y_json(figure));
	json_put(&object, "series", series);
	json_put(&object, "marks", marks_json(figure));
	if (figure->matrix.count)
		json_put(&object, "matrix", matrix_json(figure));
	free(places);
	return object;
}

static json_t *bars_json(const struct view_block *block)
{
	json_t *object = json_object(), *names = json_array(), *bars = json_array();
	for (int i = 0; i < VIEW_BAR_PARTS; i++)
		json_put_next(&names, json_text(block->bar_names[i]));
	for (size_t i = 0; i < block->bar_count; i++) {
		const struct view_bar *bar = &block->bars[i];
		json_t *one = json_object();
		json_put_text(&one, "name", bar->name);
		json_put_text(&one, "value", bar->value);
		json_put(&one, "until", json_numbers(bar->until, VIEW_BAR_PARTS));
		json_put_next(&bars, one);
	}
	json_put_text(&object, "title", block->text);
	json_put(&object, "parts", names);
	json_put(&object, "bars", bars);
	return object;
}

/* ---- all ---- */

static json_t *block_json(const struct view_block *block)
{
	static const char *const tones[] = {
		[VIEW_PLAIN] = "plain",   [VIEW_NOTE] = "note",     [VIEW_ITEM] = "item",
		[VIEW_LEGEND] = "legend", [VIEW_UNSURE] = "unsure", [VIEW_ATTENTION] = "attention",
		[VIEW_HINT] = "hint",
	};
	if (block->kind == VIEW_BARS)
		return bars_json(block);
	json_t *object = json_object();
	if (block->kind == VIEW_PLOT) {
		json_put(&object, "plot", plot_json(&block->plot));
		return object;
	}
	if (block->kind == VIEW_TABLE) {
		json_put(&object, "columns", columns_json(&block->table));
		json_put(&object, "rows", rows_json(&block->table));
		return object;
	}
	if (block->kind == VIEW_FACT)
		json_put_text(&object, "label", block->label);
	else
		json_put_text(&object, "tone", tones[block->tone]);
	json_put_text(&object, "say", block->text);
	return object;
}

json_t *view_json(const struct view *view)
{
	json_t *parts = view->failed ? NULL : json_array();
	for (size_t i = 0, end; i < view->count && !view->failed; i = end) {
		const struct view_block *first = &view->blocks[i];
		bool titled = first->kind == VIEW_PART;
		json_t *part = json_object(), *blocks = json_array();
		json_put_text(&part, "id", titled ? first->id : "");
		json_put_text(&part, "title", titled ? first->text : "");
		for (end = i + titled; end < view->count && view->blocks[end].kind != VIEW_PART;
		     end++)
			if (view->blocks[end].kind != VIEW_GAP)
				json_put_next(&blocks, block_json(&view->blocks[end]));
		json_put(&part, "blocks", blocks);
		json_put_next(&parts, part);
	}
	return parts;
}
