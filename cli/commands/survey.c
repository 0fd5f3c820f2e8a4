#include "commands.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

#include "base/error.h"
#include "base/text.h"
#include "perform.h"
#include "values.h"

#define SURVEY   "The survey"
#define SURVEY_S 60
#define QUICK_S  15
#define FULL_S   180
#define REPORT   "fathom-report.html"

static int set_quick(const struct option_row *row, const char *value, void *at,
		     struct fathom_error *error)
{
	(void)row, (void)value, (void)error;
	*(double *)at = QUICK_S;
	return 0;
}

static int set_full(const struct option_row *row, const char *value, void *at,
		    struct fathom_error *error)
{
	(void)row, (void)value, (void)error;
	*(double *)at = FULL_S;
	return 0;
}

static option_table table = {
	{SURVEY, "quick", 0, set_quick, OPTIONS_AT(request.budget_s), NULL,
	 .excludes = "budget full",
	 .doc = "The same as --budget 15s: fewer sizes and page measurements, neither latency "
		"under load "
		"nor single accesses; default: 60 s"},
	{SURVEY, "full", 0, set_full, OPTIONS_AT(request.budget_s), NULL, .excludes = "budget",
	 .doc = "The same as --budget 3m: more sizes, and all kinds of traffic for latency under "
		"load"},
	{SURVEY, "max-size", 0, value_size, OPTIONS_AT(request.max_size_bytes), "SIZE",
	 .doc = "Largest working set"},
	{SURVEY, "no-report", 0, value_on, OPTIONS_AT(no_report), NULL,
	 .doc = "Write no files; default: " REPORT
		" and its data as .json beside it, or -o FILE.html; existing files are replaced"},
	{0},
};

/* A device or a pipe takes the page, and has no place for data beside it. */
static bool takes_page_alone(const char *path)
{
	struct stat found;
	return stat(path, &found) == 0 && !S_ISREG(found.st_mode);
}

/* "x.html" and "x.json"; what has another ending keeps it: "x.json.json". free() both. */
static int name_files(const char *html, char *paths[PERFORM_OWN_FILES], struct fathom_error *error)
{
	const char *slash = strrchr(html, '/'), *file = slash ? slash + 1 : html;
	const char *dot = strrchr(file, '.');
	bool plain = dot && dot > file && strcasecmp(dot, ".html") == 0;
	paths[0] = strdup(html);
	paths[1] = text_format("%.*s.json", plain ? (int)(dot - html) : (int)strlen(html), html);
	return paths[0] && paths[1] ? 0 : error_no_memory(error);
}

/* Whoever asks for another format wants that alone. */
static int name_report(struct options *options, struct perform_work *work,
		       char *paths[PERFORM_OWN_FILES], struct fathom_error *error)
{
	bool html = strcmp(options->format, "html") == 0 && options->output;
	if (html && options->no_report)
		return error_set(error, FATHOM_USAGE, "leave out one of them",
				 "'--no-report' cannot be used with a report in '%s'",
				 options->output);
	if (options->no_report ||
	    (!html && (options->output || strcmp(options->format, "text") != 0)))
		return 0;
	if (name_files(html ? options->output : REPORT, paths, error))
		return -1;
	work->file_count = takes_page_alone(paths[0]) ? 1 : PERFORM_OWN_FILES;
	for (size_t i = 0; i < work->file_count; i++)
		work->files[i] = paths[i];
	work->formats[0] = "html";
	work->formats[1] = "json";
	if (html) {
		options->output = NULL;
		options->format = "text";
	}
	return 0;
}

static int run(const struct options *options, struct fathom_error *error)
{
	struct options *own = malloc(sizeof(*own)); /* measuring takes enough of the stack */
	struct fathom_machine *machine = NULL;
	struct fathom_survey *survey = NULL;
	struct perform_work work = {0};
	char *paths[PERFORM_OWN_FILES] = {0};
	if (!own)
		return error_no_memory(error);
	*own = *options;
	int status = name_report(own, &work, paths, error);
	if (!status)
		status = perform_find_machine(own, NULL, &machine, error);
	if (!status)
		status = fathom_survey_plan(&own->request, machine, &survey, error);
	work.survey = survey;
	if (!status)
		status = perform(&work, &machine, own, error);
	for (size_t i = 0; i < PERFORM_OWN_FILES; i++)
		free(paths[i]);
	free(own);
	fathom_survey_free(survey);
	fathom_machine_free(machine);
	return status;
}

const struct command survey_command = {
	.name = "survey",
	.summary = "all experiments in one budget, and a report",
	.about = "Measures everything in one time budget: latency, MLP, bandwidth, pages and "
		 "patterns. Prints what a programmer should know about this machine and writes an "
		 "HTML report.",
	.notes = OPTIONS_SIZES_NOTE " Each experiment has a command of its own, which measures "
				    "longer: 'fathom latency' and so on.",
	.options = COMMAND_OPTIONS(table, options_measurement, options_node, options_cpu,
				   options_memory_node, options_dry_run, options_target,
				   options_strict, options_y, options_all, options_explain,
				   options_levels, options_result_format, options_answer,
				   options_machine),
	.answer = "result",
	.experiment = FATHOM_LATENCY,
	.budget_s = SURVEY_S,
	.keeps = true,
	.several = true,
	.run = run,
};
