/* What is shown, for people: views as text. */
#include "base/error.h"
#include "render/figures.h"
#include "render/text/text_view.h"
#include "render/writers.h"
#include "views/views.h"

static struct view view_for(const struct fathom_style *style)
{
	struct view view = {0};
	if (style) {
		view.every_point = style->every_point;
		view.explain = style->explain;
		view.trace = style->trace;
		view.y = style->y;
	}
	return view;
}

/* Gives the view back. */
static int write_view(struct view *view, const struct fathom_style *style, struct text *text,
		      struct fathom_error *error)
{
	struct layout layout = layout_make(text, style);
	text_view(&layout, view);
	view_free(view);
	return text->failed ? error_no_memory(error) : 0;
}

int text_write_result(const struct fathom_result *result, const struct fathom_style *style,
		      struct text *text, struct fathom_error *error)
{
	struct view view = view_for(style);
	if (style && style->level)
		view_level(&view, result, style->level);
	else
		view_result(&view, result);
	return write_view(&view, style, text, error);
}

int text_write_plan(const struct fathom_plan *plan, const struct fathom_style *style,
		    struct text *text, struct fathom_error *error)
{
	struct view view = view_for(style);
	view_plan(&view, plan);
	return write_view(&view, style, text, error);
}

int text_write_survey(const struct fathom_survey *survey, const struct fathom_style *style,
		      struct text *text, struct fathom_error *error)
{
	struct view view = view_for(style);
	view_survey_plan(&view, survey);
	return write_view(&view, style, text, error);
}

int text_write_machine(const struct fathom_machine *machine, const struct fathom_style *style,
		       struct text *text, struct fathom_error *error)
{
	struct view view = view_for(style);
	view_machine(&view, machine);
	return write_view(&view, style, text, error);
}

int text_write_comparison(const struct fathom_comparison *comparison,
			  const struct fathom_style *style, struct text *text,
			  struct fathom_error *error)
{
	struct view view = view_for(style);
	view_comparison(&view, comparison);
	return write_view(&view, style, text, error);
}

int figure_plot(const struct figure *figure, const struct fathom_style *style, struct text *text,
		struct fathom_error *error)
{
	struct layout layout = layout_make(text, style);
	const struct view_plot plot = {.figure = (struct figure *)figure};
	if (*figure->title) {
		layout_words(&layout, "", false, figure->title);
		layout_end_part(&layout);
	}
	text_figure(&layout, &plot);
	return text->failed ? error_no_memory(error) : 0;
}
