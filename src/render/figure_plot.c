#include <stdlib.h>

#include "base/error.h"
#include "render/figures.h"
#include "render/text/layout.h"
#include "render/text/plot.h"

#define ROWS         20
#define MOST_COLUMNS 120

static size_t shown(const struct figure *figure)
{
	return figure->series_count < PLOT_GLYPHS ? figure->series_count : PLOT_GLYPHS;
}

static void add_legend(const struct layout *layout, const struct figure *figure)
{
	size_t left_out = figure->left_out + figure->series_count - shown(figure);
	struct text line = {0};
	for (size_t i = 0; i < shown(figure); i++) {
		text_add(&line, "%s%s ", i ? ", " : "", plot_glyph(layout->utf8, i));
		layout_outside(layout, &line, figure->series[i].name);
	}
	if (left_out)
		text_add(&line, "; %zu more have no place", left_out);
	layout_item(layout, "", false, &line);
}

static void draw(const struct layout *layout, const struct figure *figure,
		 struct plot_series *series, struct plot_mark *marks)
{
	const struct plot plot = {
		.columns = layout->columns < MOST_COLUMNS ? layout->columns : MOST_COLUMNS,
		.rows = ROWS,
		.linear = figure->kind == FIGURE_SPEEDUP || figure->kind == FIGURE_PARALLELISM,
		.utf8 = layout->utf8,
		.title = figure->y_label,
		.series = series,
		.series_count = shown(figure),
		.marks = marks,
		.mark_count = figure->mark_count,
	};
	struct text title = {0};
	if (*figure->title) {
		layout_outside(layout, &title, figure->title);
		layout_item(layout, "", false, &title);
		text_add(layout->text, "\n");
	}
	if (plot_draw(&plot, layout->text) && (figure->series_count > 1 || !*figure->title))
		add_legend(layout, figure);
}

int figure_plot(const struct figure *figure, const struct fathom_style *style, struct text *text,
		struct fathom_error *error)
{
	struct layout layout = layout_make(text, style);
	struct plot_series series[PLOT_GLYPHS];
	size_t rows = 0, used = 0;
	for (size_t i = 0; i < shown(figure); i++)
		rows += figure->series[i].count;
	double *values = calloc(2 * rows + 1, sizeof(*values));
	struct plot_mark *marks = calloc(figure->mark_count + 1, sizeof(*marks));
	for (size_t i = 0; values && i < shown(figure); i++) {
		size_t count = figure->series[i].count;
		double *x = values + used, *y = x + count;
		for (size_t k = 0; k < count; k++) {
			x[k] = figure->series[i].rows[k].x;
			y[k] = figure->series[i].rows[k].y;
		}
		series[i] = (struct plot_series){x, y, count};
		used += 2 * count;
	}
	for (size_t i = 0; marks && i < figure->mark_count; i++)
		marks[i] = (struct plot_mark){figure->marks[i].x, figure->marks[i].name};
	text->failed |= !values || !marks;
	if (!text->failed)
		draw(&layout, figure, series, marks);
	free(values);
	free(marks);
	return text->failed ? error_no_memory(error) : 0;
}
