#include "options.h"

#include <errno.h>
#include <string.h>
#include <strings.h>

#include "base/error.h"
#include "values.h"

enum {
	KEY_JSON = 0x100,
	KEY_CSV,
	KEY_FORMAT,
	KEY_COLOR,
	KEY_MACHINE,
	KEY_USAGE,
	KEY_Y,
	KEY_ALL,
	KEY_EXPLAIN
};

void options_pass_on(struct argp_state *state, const struct argp *argp)
{
	for (int i = 0; argp->children && argp->children[i].argp; i++)
		state->child_inputs[i] = state->input;
}

void options_set_format(struct options *options, const char *format, const char *option)
{
	if (options->format && strcasecmp(options->format, format) != 0)
		options->other_format = options->format_option;
	options->format = format;
	options->format_option = option;
}

/* ---- how and where the answer is printed ------------------------------------------------ */

static const struct argp_option answer_table[] = {
	{NULL, 0, NULL, 0, "Output:", 10},
	{"output", 'o', "FILE", 0,
	 "Write to FILE, in the format of its extension; - is the standard output", 10},
	{"json", KEY_JSON, NULL, 0, "The same as --format json: one document", 10},
	{"color", KEY_COLOR, "WHEN", 0, "auto (the default), always or never", 10},
	{"quiet", 'q', NULL, 0, "Print no progress and no warnings on the error output", 10},
	{NULL, 0, NULL, 0, "General:", 11},
	{"help", 'h', NULL, 0, "Print this help", 11},
	{"usage", KEY_USAGE, NULL, 0, "Print the options only", 11},
	{"version", 'V', NULL, 0, "Print the version", 11},
	{0},
};

static const char *color_name(int color)
{
	static const char *const names[] = {"auto", "always", "never", NULL};
	return names[color];
}

static int set_color(struct options *options, const char *value)
{
	static const struct value_choice choice = {"--color", color_name};
	int color;
	if (value_choose(&choice, value, &color, options->error))
		return EINVAL;
	options->color = (enum options_color)color;
	return 0;
}

static int refuse_argument(struct options *options, const char *word, const struct argp *command)
{
	if (!command->args_doc)
		error_set(options->error, FATHOM_USAGE, "options begin with '--'",
			  "unexpected argument '%s'", word);
	else if (options->argument_count < OPTIONS_MOST_ARGUMENTS)
		error_set(options->error, FATHOM_USAGE, "give one at a time",
			  "unexpected argument '%s' after '%s'", word, options->arguments[0]);
	else
		error_set(options->error, FATHOM_USAGE, NULL, "more than %d arguments",
			  OPTIONS_MOST_ARGUMENTS);
	return EINVAL;
}

static int add_argument(struct options *options, const char *word, const struct argp *command)
{
	bool several = command->args_doc && strstr(command->args_doc, "...");
	size_t most = several ? OPTIONS_MOST_ARGUMENTS : command->args_doc ? 1 : 0;
	if (options->argument_count >= most)
		return refuse_argument(options, word, command);
	options->arguments[options->argument_count++] = word;
	return 0;
}

static void set_place(struct options *options, const char *place)
{
	if (options->place && strcmp(options->place, place) != 0)
		options->other_place = options->place;
	options->place = place;
	options->output = strcmp(place, "-") == 0 ? NULL : place;
}

static error_t parse_answer(int key, char *value, struct argp_state *state)
{
	struct options *options = state->input;
	switch (key) {
	case 'o':
		set_place(options, value);
		return 0;
	case KEY_JSON:
		options_set_format(options, "json", "--json");
		return 0;
	case KEY_COLOR:
		return set_color(options, value);
	case 'q':
		options->quiet = true;
		return 0;
	case 'h':
		options->show = OPTIONS_SHOW_HELP;
		return 0;
	case KEY_USAGE:
		options->show = OPTIONS_SHOW_USAGE;
		return 0;
	case 'V':
		options->show = OPTIONS_SHOW_VERSION;
		return 0;
	case ARGP_KEY_ERROR:
		options->refused = state->argv + state->next - 1;
		return 0;
	case ARGP_KEY_ARG:
		return add_argument(options, value, state->root_argp);
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

const struct argp options_answer = {.options = answer_table, .parser = parse_answer};

static const struct argp_option output_table[] = {
	{"machine", KEY_MACHINE, "sim:SPEC", 0, "Measure a simulated machine, in simulated time",
	 11},
	{0},
};

static error_t parse_output(int key, char *value, struct argp_state *state)
{
	struct options *options = state->input;
	switch (key) {
	case ARGP_KEY_INIT:
		options_pass_on(state, &options_output);
		return 0;
	case KEY_MACHINE:
		options->machine = value;
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

static const struct argp_child output_children[] = {{&options_answer, 0, NULL, 0}, {0}};

const struct argp options_output = {
	.options = output_table, .parser = parse_output, .children = output_children};

/* ---- how a result is shown -------------------------------------------------------------- */

static const struct argp_option format_table[] = {
	{"format", KEY_FORMAT, "NAME", 0, OPTIONS_FORMATS, 10},
	{"csv", KEY_CSV, NULL, 0, "The same as --format csv", 10},
	{0},
};

static error_t parse_format(int key, char *value, struct argp_state *state)
{
	struct options *options = state->input;
	switch (key) {
	case KEY_FORMAT:
		options_set_format(options, value, "--format");
		return 0;
	case KEY_CSV:
		options_set_format(options, "csv", "--csv");
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

const struct argp options_format = {.options = format_table, .parser = parse_format};

static const struct argp_option comparison_table[] = {
	{"format", KEY_FORMAT, "NAME", 0, OPTIONS_COMPARISON_FORMATS, 10},
	{"csv", KEY_CSV, NULL, 0, "The same as --format csv", 10},
	{0},
};

const struct argp options_comparison_format = {.options = comparison_table, .parser = parse_format};

static const struct argp_option y_table[] = {
	{"y", KEY_Y, "NAME", 0, "Show ns (the default), cycles or throughput", 8},
	{0},
};

/* Throughput is refused with a reason. */
static const struct argp_option time_y_table[] = {
	{"y", KEY_Y, "NAME", 0, "Show ns (the default) or cycles", 8},
	{0},
};

/* All but ns are. */
static const struct argp_option no_y_table[] = {
	{"y", KEY_Y, "NAME", OPTION_HIDDEN, NULL, 8},
	{0},
};

static const struct argp_option rows_table[] = {
	{NULL, 0, NULL, 0, "Display:", 8},
	{"all", KEY_ALL, NULL, 0, "Show a row for every point", 8},
	{"explain", KEY_EXPLAIN, NULL, 0,
	 "Show textbook readings of each curve beside the levels; for pages, the evidence", 8},
	{0},
};

static const char *y_name(int y)
{
	static const char *const names[] = {"ns", "cycles", "throughput", NULL};
	return names[y];
}

static error_t parse_y(int key, char *value, struct argp_state *state)
{
	static const struct value_choice choice = {"--y", y_name};
	struct options *options = state->input;
	int y;
	if (key != KEY_Y)
		return ARGP_ERR_UNKNOWN;
	if (value_choose(&choice, value, &y, options->error))
		return EINVAL;
	options->y = (enum fathom_y)y;
	return 0;
}

static const struct argp options_y = {.options = y_table, .parser = parse_y};
const struct argp options_time_y = {.options = time_y_table, .parser = parse_y};
const struct argp options_no_y = {.options = no_y_table, .parser = parse_y};

static error_t parse_rows(int key, char *value, struct argp_state *state)
{
	struct options *options = state->input;
	(void)value;
	switch (key) {
	case ARGP_KEY_INIT:
		options_pass_on(state, &options_rows);
		return 0;
	case KEY_ALL:
		options->every_point = true;
		return 0;
	case KEY_EXPLAIN:
		options->explain = true;
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

static const struct argp_child rows_children[] = {{&options_format, 0, NULL, 0}, {0}};

const struct argp options_rows = {
	.options = rows_table, .parser = parse_rows, .children = rows_children};

static error_t parse_picture(int key, char *value, struct argp_state *state)
{
	(void)value;
	if (key != ARGP_KEY_INIT)
		return ARGP_ERR_UNKNOWN;
	options_pass_on(state, &options_picture);
	return 0;
}

static const struct argp_child picture_children[] = {
	{&options_y, 0, NULL, 0}, {&options_rows, 0, NULL, 0}, {0}};

const struct argp options_picture = {.parser = parse_picture, .children = picture_children};
