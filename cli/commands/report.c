#include "commands.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/warnings.h"
#include "comparison.h"
#include "deliver.h"
#include "gnuplot.h"
#include "messages.h"
#include "perform.h"
#include "values.h"

#define FIGURE   "The figure"
#define PICTURES "svg, png or pdf"

static int add_label(const struct option_row *row, const char *value, void *at,
		     struct fathom_error *error)
{
	struct options *options = at;
	if (options->label_count == FATHOM_FIGURE_CURVES)
		return error_set(error, FATHOM_USAGE, NULL, "--%s is given more than %d times",
				 row->name, FATHOM_FIGURE_CURVES);
	options->labels[options->label_count++] = value;
	return 0;
}

static option_table table = {
	{FIGURE, "figure", 0, value_choice, OPTIONS_AT(figure), "NAME",
	 .choice = fathom_figure_name,
	 .doc = "{} (default: the first of these that all files have); bandwidth shows the fewest "
		"threads; comparison needs two files, or one with several clocks"},
	{FIGURE, "plot", 0, value_on, OPTIONS_AT(plot), NULL, .doc = "Draw it with characters"},
	{FIGURE, "linear-y", 0, value_on, OPTIONS_AT(linear_y), NULL,
	 .doc = "Draw y from 0 on a linear axis"},
	{FIGURE, "title", 0, value_word, OPTIONS_AT(title), "TEXT",
	 .doc = "Title (default: the machine)"},
	{FIGURE, "label", 0, add_label, 0, "TEXT",
	 .doc = "Name of a curve in the legend; repeat it for the next ones, in their order"},
	{0},
};

/* A picture is drawn of what the format gnuplot holds. */
static int complete(struct options *options, struct fathom_error *error)
{
	(void)error;
	if (options->plot) {
		options->format = options->format ? options->format : "text";
		return 0;
	}
	if (options->format)
		options->picture = gnuplot_picture(options->format);
	else if (options->output)
		options->picture = gnuplot_picture_of(options->output);
	if (options->picture)
		options->format = "gnuplot";
	return 0;
}

/* ---- the answer ---- */

static int warn_left_out(size_t left_out, struct fathom_error *error)
{
	struct fathom_warnings warnings = {0};
	int failed = warnings_add(&warnings, "left-out", NULL, "draw fewer at a time",
				  "%zu curves are left out: a figure holds at most %d", left_out,
				  FATHOM_FIGURE_CURVES);
	messages_warnings(&warnings);
	warnings_free(&warnings);
	return failed ? error_no_memory(error) : 0;
}

/* In the asked form: of a picture gnuplot makes it of its script. */
static int write_figure(const struct comparison *runs, const struct options *options, char **answer,
			size_t *length, size_t *left_out, struct fathom_error *error)
{
	const struct fathom_style style = perform_style(options);
	const struct fathom_figure_request request = {
		.runs = runs->runs,
		.run_count = runs->count,
		.figure = option_given(options, "figure") ? fathom_figure_name(options->figure)
							  : NULL,
		.y = options->y,
		.linear_y = options->linear_y,
		.title = options->title,
		.labels = options->labels,
		.label_count = options->label_count,
	};
	struct text picture = {0};
	int status = fathom_figure_write(&request, options->plot ? "text" : "gnuplot", &style,
					 answer, length, left_out, error);
	if (status || options->plot || !options->picture)
		return status;
	status = gnuplot_draw(*answer, options->picture, options->environment, &picture, error);
	free(*answer);
	*answer = picture.data;
	*length = picture.length;
	return status;
}

static int answer_figure(const struct comparison *runs, struct deliver *deliver,
			 const struct options *options, struct fathom_error *error)
{
	char *answer = NULL;
	size_t length = 0, left_out = 0;
	int status = 0;
	for (size_t i = 0; !status && options->explain && i < runs->count; i++)
		status = fathom_explain((struct fathom_result *)runs->runs[i].result, error);
	if (!status)
		status = write_figure(runs, options, &answer, &length, &left_out, error);
	status = deliver_written(deliver, status, answer, length, error);
	if (!status && left_out && !options->quiet && !options->plot)
		status = warn_left_out(left_out, error);
	return status;
}

/* Whatever the measurement warned of it said then. */
static int answer_document(struct fathom_result *result, struct deliver *deliver,
			   const struct options *options, struct fathom_error *error)
{
	struct options own = *options;
	own.quiet |= result->argv != NULL;
	return perform_answer(result, deliver, &own, error);
}

static bool is_figure(const struct options *options)
{
	return options->plot || strcmp(options->format, "gnuplot") == 0;
}

static int check_request(const struct options *options, struct fathom_error *error)
{
	if (!options->argument_count)
		return error_set(error, FATHOM_USAGE, "FILE, or - for the standard input",
				 "'report' needs a result");
	if (options->plot && strcmp(options->format, "text") != 0)
		return error_set(error, FATHOM_USAGE, "leave out --plot or --format",
				 "'--plot' draws text, not '%s'", options->format);
	if (is_figure(options))
		return 0;
	const char *only = option_given(options, "linear-y title label");
	if (only)
		return error_set(error, FATHOM_USAGE, "choose .svg, .png, .pdf, .gp, or --plot",
				 "'--%s' is for figures, not for format '%s'", only,
				 options->format);
	if (options->argument_count > 1)
		return error_set(error, FATHOM_USAGE,
				 strcmp(options->format, "html") == 0
					 ? "'fathom compare A B -o x.html' shows them side by side"
					 : "use a figure: .svg, .png, .pdf, .gp, or --plot",
				 "format '%s' cannot hold several results", options->format);
	if (option_given(options, "figure"))
		return error_set(error, FATHOM_USAGE, "choose .svg, .png, .pdf, .gp, or --plot",
				 "format '%s' cannot hold a figure", options->format);
	return 0;
}

static int run(const struct options *options, struct fathom_error *error)
{
	struct comparison runs = {0};
	struct deliver deliver = {0};
	if (check_request(options, error))
		return -1;
	int status = deliver_open(&deliver, options->output, error);
	for (size_t i = 0; !status && i < options->argument_count; i++)
		status = comparison_read(&runs, options->arguments[i], options, error);
	if (!status && is_figure(options))
		status = answer_figure(&runs, &deliver, options, error);
	else if (!status)
		status = answer_document((struct fathom_result *)runs.runs[0].result, &deliver,
					 options, error);
	deliver_cancel(&deliver);
	comparison_free(&runs);
	return status;
}

const struct command report_command = {
	.name = "report",
	.summary = "figures and tables of results, for papers and other tools",
	.arguments = "FILE...",
	.about = "Draws a figure of one result or of several together: a picture (" PICTURES
		 ", drawn by gnuplot), a gnuplot script with its data (.gp), or characters "
		 "(--plot). Other formats hold one result: tables (.md) and the input of other "
		 "tools. Reads the formats of 'fathom fit'.",
	.examples = "fathom report run.json\n"
		    "fathom report run.json -o latency.pdf\n"
		    "fathom report old.json new.json --figure comparison -o change.svg\n"
		    "fathom report laptop.json server.json --plot\n"
		    "fathom report latency.json bandwidth.json --figure throughput -o both.svg\n",
	.options = COMMAND_OPTIONS(options_input, table, options_y, options_all, options_explain,
				   options_picture_format, options_answer),
	.answer = "result",
	.complete = complete,
	.run = run,
};
