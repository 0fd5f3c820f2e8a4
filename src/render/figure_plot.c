#include <math.h>

#include "base/error.h"
#include "render/figures.h"
#include "render/text/text_view.h"

#define ROWS 20

static void add_legend(struct view *view, const struct figure *figure, size_t shown)
{
	size_t left_out = figure->left_out + figure->series_count - shown;
	struct text words = {0};
	for (size_t i = 0; i < shown; i++)
		text_add(&words, "%s%c %s", i ? ", " : "", (char)(i + 1), figure->series[i].name);
	if (left_out)
		text_add(&words, "; %zu more do not fit", left_out);
	view_legend(view, &words);
}

static void add_plot(struct view *view, const struct figure *figure)
{
	size_t shown =
		figure->series_count < VIEW_SIGNS ? figure->series_count : (size_t)VIEW_SIGNS;
	struct text title = {0};
	text_add(&title, "%s", figure->y_label);
	if (figure->beside > 0)
		text_add(&title, "; \u00d7 %.3g: %s", figure->beside, figure->beside_label);
	view_plot(view, title.data,
		  (figure->x_is_bytes ? 0 : VIEW_LINEAR_X) |
			  (figure->y_is_linear ? VIEW_LINEAR_Y : 0),
		  ROWS);
	view->failed |= title.failed;
	text_free(&title);
	for (size_t i = 0; i < shown; i++) {
		const struct figure_series *series = &figure->series[i];
		view_series(view);
		for (size_t k = 0; k < series->count; k++) {
			if (series->rows[k].apart)
				view_point(view, series->rows[k].x, NAN);
			view_point(view, series->rows[k].x, series->rows[k].y);
		}
	}
	for (size_t i = 0; i < figure->mark_count; i++)
		view_plot_mark(view, figure->marks[i].x, figure->marks[i].name);
	if (figure->series_count > 1 || !*figure->title)
		add_legend(view, figure, shown);
}

/* Names have no room under an axis. */
static void add_bars(struct view *view, const struct figure *figure)
{
	static const char *const no_names[VIEW_BAR_PARTS] = {NULL};
	char value[UNITS_TEXT_BYTES];
	double most = 0;
	for (size_t i = 0; i < figure->series_count; i++)
		for (size_t k = 0; k < figure->series[i].count; k++)
			most = fmax(most, figure->series[i].rows[k].y);
	for (size_t i = 0; i < figure->series_count; i++) {
		const struct figure_series *series = &figure->series[i];
		struct text caption = {0};
		text_add(&caption, "%s: %s", series->name, figure->y_label);
		view_bars(view, caption.data, no_names);
		text_free(&caption);
		for (size_t k = 0; k < series->count; k++) {
			double until[VIEW_BAR_PARTS];
			for (int part = 0; part < VIEW_BAR_PARTS; part++)
				until[part] = series->rows[k].y / most;
			view_bar(view, figure->places[(size_t)llround(series->rows[k].x) - 1],
				 units_format_number(series->rows[k].y, value), until);
		}
		view_gap(view);
	}
}

int figure_plot(const struct figure *figure, const struct fathom_style *style, struct text *text,
		struct fathom_error *error)
{
	struct layout layout = layout_make(text, style);
	struct view view = {0};
	if (*figure->title) {
		view_say(&view, VIEW_PLAIN, "%s", figure->title);
		view_gap(&view);
	}
	if (figure->place_count)
		add_bars(&view, figure);
	else
		add_plot(&view, figure);
	text_view(&layout, &view);
	view_free(&view);
	return text->failed ? error_no_memory(error) : 0;
}
