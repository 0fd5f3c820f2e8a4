/* What is shown, for people: views as text. */
#include "base/error.h"
#include "render/figures.h"
#include "render/text/text_view.h"
#include "render/writers.h"
#include "views/views.h"

int text_write(const struct content *content, const struct fathom_style *style, struct text *text,
	       struct fathom_error *error)
{
	struct layout layout = layout_make(text, style);
	struct view view = {0};
	if (style) {
		view.every_point = style->every_point;
		view.explain = style->explain;
		view.trace = style->trace;
		view.y = style->y;
	}
	if (content->kind == CONTENT_PLAN)
		view_plan(&view, content->plan);
	else if (content->kind == CONTENT_SURVEY)
		view_survey_plan(&view, content->survey);
	else if (content->kind == CONTENT_MACHINE)
		view_machine(&view, content->machine);
	else if (content->kind == CONTENT_COMPARISON)
		view_comparison(&view, content->comparison);
	else if (content->kind == CONTENT_FLEET)
		view_fleet(&view, content->fleet);
	else if (style && style->level)
		view_level(&view, content->result, style->level);
	else if (style && style->predictions)
		view_predictions(&view, content->result);
	else
		view_result(&view, content->result);
	text_view(&layout, &view);
	view_free(&view);
	return text->failed ? error_no_memory(error) : 0;
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
