/* The options of the answer: where it goes, in which format, how it is shown. */
#include "options.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/names.h"
#include "base/text.h"
#include "commands.h"
#include "gnuplot.h"
#include "values.h"

#define OUTPUT  "Output"
#define GENERAL "General"

/* ---- every command ---- */

CHOICES(color_name, "auto", "always", "never")

static bool is_listed(const struct options *options, const char *path)
{
	for (size_t i = 0; i < options->more_count; i++)
		if (strcmp(options->more[i], path) == 0)
			return true;
	return options->output && strcmp(options->output, path) == 0;
}

/* The first is the answer's place, unless one is the standard output. */
static int set_place(const struct option_row *row, const char *value, void *at,
		     struct fathom_error *error)
{
	struct options *options = at;
	bool first = !options->place, dash = strcmp(value, "-") == 0;
	const char *file = dash ? options->output : value;
	options->place = value;
	if (first && !dash) {
		options->output = value;
		return 0;
	}
	if (dash)
		options->output = NULL;
	if (!file || is_listed(options, file))
		return 0;
	if (options->more_count == OPTIONS_MOST_FILES)
		return error_set(error, FATHOM_USAGE,
				 "'fathom report' makes other formats of a .json",
				 "--%s: more than %d files", row->name, OPTIONS_MOST_FILES + 1);
	options->more[options->more_count++] = file;
	return 0;
}

/* That of --format, or the one that the option is called after. What another answer than this
 * command's can be is refused once that is known. */
static int set_format(const struct option_row *row, const char *value, void *at,
		      struct fathom_error *error)
{
	struct options *options = at;
	const char *format = row->name;
	if (value) {
		int own = value_find(row->choice, value),
		    any = value_find(fathom_result_format, value);
		if (own < 0 && any < 0)
			return value_refuse(row, value, error);
		format = own < 0 ? fathom_result_format(any) : row->choice(own);
	}
	if (options->format && strcmp(options->format, format) != 0)
		options->other_format = options->format_option;
	options->format = format;
	options->format_option = row->name;
	return 0;
}

option_table options_answer = {
	{OUTPUT, "output", 'o', set_place, 0, "FILE", .files = true,
	 .doc = "Write to FILE, in the format of its extension; - is the standard output; several "
		"for a measurement; %h in it is the host, %t the time (UTC), %p the rank in an "
		"MPI or Slurm job"},
	{OUTPUT, "json", 0, set_format, 0, NULL, .doc = "The same as --format json: one document"},
	{OUTPUT, "color", 0, value_choice, OPTIONS_AT(color), "WHEN", .choice = color_name,
	 .doc = "{} (default: auto)"},
	{OUTPUT, "quiet", 'q', value_on, OPTIONS_AT(quiet), NULL,
	 .doc = "Print no progress and no warnings on the error output"},
	{GENERAL, "help", 'h', value_low, OPTIONS_AT(show), NULL, .low = OPTIONS_SHOW_HELP,
	 .doc = "Print this help"},
	{GENERAL, "usage", 0, value_low, OPTIONS_AT(show), NULL, .low = OPTIONS_SHOW_USAGE,
	 .doc = "Print the options only"},
	{GENERAL, "version", 'V', value_low, OPTIONS_AT(show), NULL, .low = OPTIONS_SHOW_VERSION,
	 .doc = "Print the version"},
	{0},
};

option_table options_machine = {
	{GENERAL, "machine", 0, value_word, OPTIONS_AT(machine), "sim:SPEC",
	 .doc = "Measure a simulated machine, in simulated time"},
	{0},
};

/* ---- formats ---- */

/* Of a result, then of a picture of it. */
static const char *format_of_picture(int number)
{
	int count = 0;
	while (fathom_result_format(count))
		count++;
	return number < count ? fathom_result_format(number) : gnuplot_picture_name(number - count);
}

CHOICES(format_of_words, "text", "markdown")

#define FORMAT(names)                                                                              \
	{                                                                                          \
		OUTPUT, "format", 0, set_format, 0, "NAME", .choice = (names), .doc = "{}"         \
	}
#define CSV(words)                                                                                 \
	{                                                                                          \
		OUTPUT, "csv", 0, set_format, 0, NULL, .doc = (words)                              \
	}
#define AS_CSV "The same as --format csv"

option_table options_result_format = {FORMAT(fathom_result_format), CSV(AS_CSV), {0}};
option_table options_picture_format = {FORMAT(format_of_picture), CSV(AS_CSV), {0}};
option_table options_comparison_format = {FORMAT(fathom_comparison_format), CSV(AS_CSV), {0}};
/* CSV is refused with a reason. */
option_table options_fleet_format = {FORMAT(fathom_fleet_format), CSV(NULL), {0}};
option_table options_machine_format = {FORMAT(fathom_machine_format), CSV(NULL), {0}};
option_table options_words_format = {FORMAT(format_of_words), CSV(NULL), {0}};

/* ---- how a result is shown ---- */

CHOICES(y_name, "ns", "cycles", "throughput")

#define Y(words, ...)                                                                              \
	{                                                                                          \
		OPTIONS_DISPLAY, "y", 0, value_choice, OPTIONS_AT(y), "NAME",                      \
			.choice = y_name, .doc = (words), ##__VA_ARGS__                            \
	}
#define SHOW_Y "Show {} (default: ns)"

option_table options_y = {Y(SHOW_Y), {0}};
option_table options_time_y = {Y(SHOW_Y, .offered = 2, .hint = "use ns or cycles",
				 .refused = "'--y throughput' is not available for pages"),
			       {0}};
option_table options_no_y = {Y(NULL, .offered = 1, .hint = "leave out '--y'",
			       .refused = "'--y' is for curves against size"),
			     {0}};

option_table options_all = {
	{OPTIONS_DISPLAY, "all", 0, value_on, OPTIONS_AT(every_point), NULL,
	 .doc = "Show a row for every point"},
	{0},
};

option_table options_explain = {
	{OPTIONS_DISPLAY, "explain", 0, value_on, OPTIONS_AT(explain), NULL,
	 .doc = "Show textbook readings of each curve beside the levels; for pages, the evidence"},
	{0},
};

option_table options_levels = {
	{OPTIONS_LEVELS, "no-os-prior", 0, value_on, OPTIONS_AT(request.os_prior_off), NULL,
	 .doc = "Find the levels without what the OS reports of caches"},
	{OPTIONS_LEVELS, "trace", 0, value_on, OPTIONS_AT(trace), NULL,
	 .doc = "Show the models that were tried, and why the likeliest won"},
	{0},
};

/* ---- once all are known ---- */

/* Files beside the answer are in the formats of their extensions. */
static int check_more(const struct options *options, const struct command *command,
		      struct fathom_error *error)
{
	if (options->more_count && !command->several)
		return error_set(error, FATHOM_USAGE,
				 "'fathom report' makes other formats of a .json",
				 "'-o' is given twice: '%s' writes one file", command->name);
	for (size_t i = 0; i < options->more_count; i++)
		if (!fathom_format_of(options->more[i]))
			return error_set(error, FATHOM_USAGE,
					 "end it in .json, .csv, .html, .md, .gp or .prom",
					 "the format of '%s' is not known", options->more[i]);
	return 0;
}

static int check_conflicts(const struct options *options, struct fathom_error *error)
{
	if (options->other_format && strcmp(options->other_format, options->format_option) == 0)
		return error_set(error, FATHOM_USAGE, "leave out one of them",
				 "'--%s' is given for two formats", options->format_option);
	if (options->other_format)
		return error_set(error, FATHOM_USAGE, "leave out one of them",
				 "'--%s' and '--%s' cannot be used together", options->other_format,
				 options->format_option);
	return 0;
}

/* The extension, or NULL. That of a hidden file is its name. */
static const char *extension_of(const char *path)
{
	const char *slash = strrchr(path, '/');
	const char *file = slash ? slash + 1 : path;
	return strchr(*file == '.' ? file + 1 : file, '.');
}

/* --format is meant as it is said; --json and --csv are for an answer without a name. */
static int check_extension(const struct options *options, const char *known,
			   struct fathom_error *error)
{
	if (!options->format_option || strcmp(options->format_option, "format") == 0 || !known ||
	    strcmp(known, options->format) == 0)
		return 0;
	char *hint = text_format("leave out '--%s', or use '--format %s'", options->format_option,
				 options->format);
	error_set(error, FATHOM_USAGE, hint, "'--%s' cannot be used with '-o %s'",
		  options->format_option, options->output);
	free(hint);
	return -1;
}

/* free() it; NULL: out of memory, and there is no hint. */
static char *format_hint(const char *(*choice)(int number))
{
	char *choices = names_join(choice, 0);
	char *hint = choices ? text_format("choose one with --format: %s", choices) : NULL;
	free(choices);
	return hint;
}

/* The format that the extension says, else text. */
static int find_format(struct options *options, const char *known, const struct command *command,
		       struct fathom_error *error)
{
	options->format = known ? known : "text";
	if (known || !options->output || !extension_of(options->output))
		return 0;
	char *hint = format_hint(option_find(command, "format")->choice);
	error_set(error, FATHOM_USAGE, hint, "the format of '%s' is not known", options->output);
	free(hint);
	return -1;
}

/* Found at once: nothing is looked at or measured for an answer that cannot be written. */
static int check_format(const struct options *options, const struct command *command,
			struct fathom_error *error)
{
	const char *(*choice)(int number) =
		options->dry_run ? fathom_plan_format : option_find(command, "format")->choice;
	if (value_find(choice, options->format) >= 0)
		return 0;
	char *hint = format_hint(choice);
	error_set(error, FATHOM_USAGE, hint, "format '%s' cannot hold a %s", options->format,
		  options->dry_run ? "plan" : command->answer);
	free(hint);
	return -1;
}

int options_complete_answer(struct options *options, const struct command *command,
			    struct fathom_error *error)
{
	const char *picture = options->output ? gnuplot_picture_of(options->output) : NULL;
	const char *known = options->output ? fathom_format_of(options->output) : NULL;
	if (check_conflicts(options, error) || check_more(options, command, error))
		return -1;
	if (picture && !options->format && strcmp(command->answer, "machine") != 0)
		return error_set(error, FATHOM_USAGE,
				 "keep the result as .json and draw it with 'fathom report'",
				 "'%s' cannot draw pictures: '%s'", command->name, options->output);
	if (options->format ? check_extension(options, picture ? picture : known, error)
			    : find_format(options, known, command, error))
		return -1;
	return check_format(options, command, error);
}
