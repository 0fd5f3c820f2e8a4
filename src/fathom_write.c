/* Results to bytes: documents, and figures of them. */
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/names.h"
#include "base/text.h"
#include "document/table.h"
#include "fathom.h"
#include "model/textbook/textbook.h"
#include "render/figures.h"
#include "render/formats.h"

/* ---- documents ---- */

/* With what fathom_explain says, which is left out of the result when it is handed back. */
static int write_explained(const struct format *format, const struct fathom_result *result,
			   const struct fathom_style *style, struct text *text,
			   struct fathom_error *error)
{
	struct fathom_result explained = *result;
	const struct content content = {CONTENT_RESULT, {.result = &explained}};
	if (result->reading_count)
		return format->write(&content, style, text, error);
	explained.readings = NULL;
	if (textbook_explain(&explained, error))
		return -1;
	int status = format->write(&content, style, text, error);
	table_free_items(&reading_table, explained.readings, explained.reading_count);
	return status;
}

/* With the formats that can. */
static int refuse_format(const char *format, enum content_kind kind, struct fathom_error *error)
{
	static const struct {
		const char *noun;
		const char *(*format_of)(int number);
	} kinds[CONTENT_KIND_COUNT] = {
		[CONTENT_RESULT] = {"result", fathom_result_format},
		[CONTENT_PLAN] = {"plan", fathom_plan_format},
		[CONTENT_SURVEY] = {"plan", fathom_plan_format},
		[CONTENT_MACHINE] = {"machine", fathom_machine_format},
		[CONTENT_COMPARISON] = {"comparison", fathom_comparison_format},
		[CONTENT_FLEET] = {"fleet", fathom_fleet_format},
	};
	char *formats = names_join(kinds[kind].format_of, 0);
	char *hint = formats ? text_format("choose %s", formats) : NULL;
	error_set(error, FATHOM_USAGE, hint, "format '%s' cannot hold a %s", format,
		  kinds[kind].noun);
	free(hint);
	free(formats);
	return -1;
}

/* Hands over what was written, which is left empty. Returns -1 where `status` was, or there is no
 * memory. */
static int take(struct text *written, int status, char **text, size_t *length,
		struct fathom_error *error)
{
	size_t written_length = written->length;
	char *taken = status ? NULL : text_take(written);
	text_free(written);
	if (status)
		return -1;
	if (!taken)
		return error_no_memory(error);
	*text = taken;
	*length = written_length;
	return 0;
}

static const struct fathom_style plain_style = {.columns = 80};

static int write_content(struct content content, const char *format,
			 const struct fathom_style *style, char **text, size_t *length,
			 struct fathom_error *error)
{
	const struct format *found = format_find(format);
	struct text written = {0};
	if (!found || !found->holds[content.kind])
		return refuse_format(format, content.kind, error);
	style = style ? style : &plain_style;
	int status = found->explained && content.kind == CONTENT_RESULT
			     ? write_explained(found, content.result, style, &written, error)
			     : found->write(&content, style, &written, error);
	return take(&written, status, text, length, error);
}

int fathom_result_write(const struct fathom_result *result, const char *format,
			const struct fathom_style *style, char **text, size_t *length,
			struct fathom_error *error)
{
	return write_content((struct content){CONTENT_RESULT, {.result = result}}, format, style,
			     text, length, error);
}

int fathom_plan_write(const struct fathom_plan *plan, const char *format,
		      const struct fathom_style *style, char **text, size_t *length,
		      struct fathom_error *error)
{
	return write_content((struct content){CONTENT_PLAN, {.plan = plan}}, format, style, text,
			     length, error);
}

int fathom_survey_write(const struct fathom_survey *survey, const char *format,
			const struct fathom_style *style, char **text, size_t *length,
			struct fathom_error *error)
{
	return write_content((struct content){CONTENT_SURVEY, {.survey = survey}}, format, style,
			     text, length, error);
}

int fathom_machine_write(const struct fathom_machine *machine, const char *format,
			 const struct fathom_style *style, char **text, size_t *length,
			 struct fathom_error *error)
{
	return write_content((struct content){CONTENT_MACHINE, {.machine = machine}}, format, style,
			     text, length, error);
}

int fathom_comparison_write(const struct fathom_comparison *comparison, const char *format,
			    const struct fathom_style *style, char **text, size_t *length,
			    struct fathom_error *error)
{
	return write_content((struct content){CONTENT_COMPARISON, {.comparison = comparison}},
			     format, style, text, length, error);
}

int fathom_fleet_write(const struct fathom_fleet *fleet, const char *format,
		       const struct fathom_style *style, char **text, size_t *length,
		       struct fathom_error *error)
{
	return write_content((struct content){CONTENT_FLEET, {.fleet = fleet}}, format, style, text,
			     length, error);
}

/* ---- figures ---- */

const char *fathom_figure_name(int number)
{
	return figure_name(number);
}

/* FIGURE_KIND_COUNT: no such figure. */
static enum figure_kind find_kind(const char *name)
{
	int kind = 0;
	while (kind < FIGURE_KIND_COUNT && strcmp(figure_name(kind), name) != 0)
		kind++;
	return (enum figure_kind)kind;
}

/* The first run is the baseline of the others. */
static int compare_runs(const struct fathom_figure_request *request, struct figure *figure,
			struct fathom_error *error)
{
	const struct fathom_compare_request compared = {
		.baselines = request->runs,
		.baseline_count = 1,
		.runs = request->runs + 1,
		.run_count = request->run_count - 1,
	};
	struct fathom_comparison *made = NULL;
	if (request->run_count < 2)
		return error_set(error, FATHOM_USAGE, "the first file is the baseline",
				 "the figure 'comparison' needs two files, or one of several "
				 "clocks");
	int status = fathom_compare(&compared, &made, error);
	if (!status)
		status = figure_compare(made, figure, error);
	fathom_comparison_free(made);
	return status;
}

static int make_figure(const struct fathom_figure_request *request, struct figure *figure,
		       struct fathom_error *error)
{
	const struct fathom_run *runs = request->runs;
	size_t count = request->run_count;
	enum figure_kind kind = request->figure                     ? find_kind(request->figure)
				: request->y == FATHOM_Y_THROUGHPUT ? FIGURE_THROUGHPUT
								    : figure_choose(runs, count);
	if (request->figure && kind == FIGURE_KIND_COUNT)
		return error_set(error, FATHOM_USAGE, "fathom_figure_name lists them",
				 "the figure '%s' is not known", request->figure);
	if (kind == FIGURE_COMPARISON && (count != 1 || !figure_is_held(runs[0].result, kind)))
		return compare_runs(request, figure, error);
	return figure_make(runs, count, kind, request->y, figure, error);
}

int fathom_figure_write(const struct fathom_figure_request *request, const char *format,
			const struct fathom_style *style, char **text, size_t *length,
			size_t *left_out, struct fathom_error *error)
{
	struct figure figure = {0};
	struct text written = {0};
	bool plot = strcmp(format, "text") == 0;
	if (!request->run_count)
		return error_set(error, FATHOM_USAGE, NULL, "a figure needs a result");
	if (!plot && strcmp(format, "gnuplot") != 0)
		return error_set(error, FATHOM_USAGE, "choose gnuplot or text",
				 "format '%s' cannot hold a figure", format);
	if (make_figure(request, &figure, error))
		return -1;
	int status = figure_set_words(&figure, request->title, request->labels,
				      request->label_count, error);
	figure.y_is_linear |= request->linear_y;
	if (!status)
		status = plot ? figure_plot(&figure, style ? style : &plain_style, &written, error)
			      : gnuplot_write_figure(&figure, &written, error);
	size_t without_place = figure.left_out;
	figure_free(&figure);
	if (take(&written, status, text, length, error))
		return -1;
	if (left_out)
		*left_out = without_place;
	return 0;
}
