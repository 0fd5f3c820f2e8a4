/* Figures in characters. */
#include <math.h>
#include <stdlib.h>

#include "base/utf8.h"
#include "render/text/plot.h"
#include "render/text/text_view.h"
#include "views/figure.h"

#define ROWS         20
#define MOST_COLUMNS 100
#define MOST_MARGIN  10 /* of the labels of y, and "; " */

/* Of one run over a baseline its interval is drawn as well. */
static bool has_bounds(const struct figure *figure)
{
	return figure->kind == FIGURE_COMPARISON && figure->series_count == 1;
}

static void add_series(const struct layout *layout, const struct figure *figure, size_t shown,
		       struct text *words)
{
	for (size_t i = 0; i < shown; i++)
		text_add(words, "%s%s %s", i ? "; " : "", plot_glyph(layout->utf8, i),
			 figure->series[i].name);
	if (has_bounds(figure))
		text_add(words, "; %s and %s its 95 %% interval",
			 plot_glyph(layout->utf8, PLOT_LOW), plot_glyph(layout->utf8, PLOT_HIGH));
	size_t more = figure->left_out + figure->series_count - shown;
	if (more)
		text_add(words, "; %zu more do not fit", more);
}

/* What is drawn how, and where it has a second axis or one whose labels have no unit, of what that
 * is; NULL: nothing, or out of memory. */
static char *legend_of(const struct layout *layout, const struct figure *figure, const char *choice,
		       size_t count)
{
	struct text words = {0};
	if (count > 1 || choice || figure->beside > 0)
		add_series(layout, figure, has_bounds(figure) ? 1 : count, &words);
	if (figure->beside > 0)
		text_add(&words, "; \u00d7 %s: %s", rounding_number(figure->beside).text,
			 figure->beside_label);
	if (!figure->x_is_bytes)
		text_add(&words, "%sacross: %s", words.length ? "; " : "", figure->x_label);
	layout->text->failed |= words.failed;
	return words.length ? text_take(&words) : NULL;
}

/* The legend stands behind it where it has room there, and is then none any more. */
static char *title_of(const struct layout *layout, const struct figure *figure, const char *choice,
		      char **legend)
{
	struct text title = {0};
	text_add(&title, "%s%s%s", figure->y_label, choice ? ", " : "", choice ? choice : "");
	if (*legend && !title.failed &&
	    utf8_columns(title.data) + utf8_columns(*legend) + MOST_MARGIN <= layout->columns) {
		text_add(&title, "; %s", *legend);
		free(*legend);
		*legend = NULL;
	}
	char *taken = text_take(&title);
	char *safe = taken ? utf8_escaped(taken, layout->utf8) : NULL;
	free(taken);
	return safe;
}

static void draw(const struct layout *layout, const struct view_plot *of,
		 const struct plot_series *series, size_t count)
{
	const struct figure *figure = of->figure;
	char *legend = legend_of(layout, figure, of->choice, count);
	char *title = title_of(layout, figure, of->choice, &legend);
	const struct plot plot = {
		.columns = layout->columns < MOST_COLUMNS ? layout->columns : MOST_COLUMNS,
		.rows = of->rows ? of->rows : ROWS,
		.linear_x = figure->x_is_linear,
		.plain_x = !figure->x_is_bytes,
		.linear_y = figure->y_is_linear && figure->kind != FIGURE_COMPARISON,
		.utf8 = layout->utf8,
		.title = title,
		.series = series,
		.series_count = count,
		.marks = figure->marks,
		.mark_count = figure->mark_count,
	};
	layout->text->failed |= !title;
	if (title && plot_draw(&plot, layout->text) && legend)
		layout_words(layout, "", false, legend);
	free(title);
	free(legend);
}

static void add_plot(const struct layout *layout, const struct view_plot *of)
{
	const struct figure *figure = of->figure;
	struct plot_series series[PLOT_GLYPHS];
	size_t count = figure->series_count < PLOT_GLYPHS ? figure->series_count : PLOT_GLYPHS;
	for (size_t i = 0; i < count; i++)
		series[i] = (struct plot_series){figure->series[i].rows, figure->series[i].count,
						 PLOT_VALUE};
	if (has_bounds(figure))
		for (int drawn = PLOT_LOW; drawn <= PLOT_HIGH; drawn++) {
			series[count] = series[0];
			series[count++].drawn = (enum plot_drawn)drawn;
		}
	draw(layout, of, series, count);
}

/* Names have no room under an axis. */
static void add_bars(const struct layout *layout, const struct figure *figure)
{
	static const char *const no_names[VIEW_BAR_PARTS] = {NULL};
	struct view view = {0};
	double most = 0;
	for (size_t i = 0; i < figure->series_count; i++)
		for (size_t k = 0; k < figure->series[i].count; k++)
			most = fmax(most, figure->series[i].rows[k].y);
	for (size_t i = 0; i < figure->series_count; i++) {
		const struct figure_series *series = &figure->series[i];
		struct text caption = {0};
		text_add(&caption, "%s: %s", series->name, figure->y_label);
		view_bars(&view, caption.data, no_names);
		text_free(&caption);
		for (size_t k = 0; k < series->count; k++) {
			double until[VIEW_BAR_PARTS];
			for (int part = 0; part < VIEW_BAR_PARTS; part++)
				until[part] = series->rows[k].y / most;
			view_bar(&view, figure->places[(size_t)llround(series->rows[k].x) - 1],
				 rounding_number(series->rows[k].y).text, until);
		}
		view_gap(&view);
	}
	text_view(layout, &view);
	view_free(&view);
}

void text_figure(const struct layout *layout, const struct view_plot *plot)
{
	if (plot->figure->matrix.count)
		text_heat(layout, plot->figure);
	else if (plot->figure->place_count)
		add_bars(layout, plot->figure);
	else
		add_plot(layout, plot);
}
