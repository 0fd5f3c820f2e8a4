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
	view_plot(view, figure->y_label,
		  figure->kind == FIGURE_SPEEDUP || figure->kind == FIGURE_PARALLELISM, ROWS);
	for (size_t i = 0; i < shown; i++) {
		const struct figure_series *series = &figure->series[i];
		view_series(view);
		for (size_t k = 0; k < series->count; k++)
			view_point(view, series->rows[k].x, series->rows[k].y);
	}
	for (size_t i = 0; i < figure->mark_count; i++)
		view_plot_mark(view, figure->marks[i].x, figure->marks[i].name);
	if (figure->series_count > 1 || !*figure->title)
		add_legend(view, figure, shown);
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
	add_plot(&view, figure);
	text_view(&layout, &view);
	view_free(&view);
	return text->failed ? error_no_memory(error) : 0;
}
