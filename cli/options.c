#include "options.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/error.h"
#include "base/names.h"
#include "base/suggest.h"
#include "base/text.h"
#include "base/units.h"

enum {
	KEY_JSON = 0x100,
	KEY_CSV,
	KEY_FORMAT,
	KEY_COLOR,
	KEY_MACHINE,
	KEY_USAGE,
	KEY_Y,
	KEY_ALL,
	KEY_EXPLAIN,
	KEY_STRICT,
	KEY_BUDGET,
	KEY_CPU,
	KEY_PAGE,
	KEY_SEED,
	KEY_SAMPLES,
	KEY_DRY_RUN
};

/* ---- values ----------------------------------------------------------------------------- */

int options_choose(const struct options_choice *choice, const char *value, int *chosen,
		   struct fathom_error *error)
{
	struct suggestion nearest = {.wanted = value};
	struct text hint = {0};
	for (int i = 0; i < choice->count; i++) {
		const char *name = choice->name(i);
		if (strcasecmp(name, value) == 0) {
			*chosen = i;
			text_free(&hint);
			return 0;
		}
		text_add(&hint, "%s%s", i ? ", " : "one of ", name);
		suggest_consider(&nearest, name);
	}
	if (nearest.best)
		text_add(&hint, "; did you mean '%s'?", nearest.best);
	error_set(error, FATHOM_USAGE, hint.data, "%s does not know '%s'", choice->option, value);
	text_free(&hint);
	return -1;
}

#define NUMBER_HINT "'fathom help COMMAND' tells what its options take"

/* "'12Q' is not a size" becomes "--max-size: '12Q' is not a size". */
static int name_option(const char *option, int status, struct fathom_error *error)
{
	if (status)
		error_set(error, error->status, error->hint ? error->hint : NUMBER_HINT, "%s: %s",
			  option, error->text);
	return status;
}

int options_size(const char *option, const char *value, uint64_t *bytes, struct fathom_error *error)
{
	return name_option(option, units_parse_size(value, bytes, error), error);
}

int options_integer(const char *option, const char *value, int64_t low, int64_t high,
		    int64_t *number, struct fathom_error *error)
{
	return name_option(option, units_parse_integer(value, low, high, number, error), error);
}

int options_duration(const char *option, const char *value, double *seconds,
		     struct fathom_error *error)
{
	return name_option(option, units_parse_duration(value, seconds, error), error);
}

int options_share(const char *option, const char *value, double *share, struct fathom_error *error)
{
	return name_option(option, units_parse_share(value, share, error), error);
}

void options_pass_on(struct argp_state *state)
{
	const struct argp_child *children = state->root_argp->children;
	for (int i = 0; children && children[i].argp; i++)
		state->child_inputs[i] = state->input;
}

/* ---- how and where the answer is printed ------------------------------------------------ */

static const struct argp_option answer_table[] = {
	{NULL, 0, NULL, 0, "The answer:", 10},
	{"output", 'o', "FILE", 0,
	 "Write it to FILE, in the format of FILE's extension; - is the standard output", 10},
	{"json", KEY_JSON, NULL, 0, "The same as --format json: one document", 10},
	{"color", KEY_COLOR, "WHEN", 0, "auto (the default), always or never", 10},
	{"quiet", 'q', NULL, 0, "No progress, and no warnings on the error output", 10},
	{NULL, 0, NULL, 0, "General:", 11},
	{"help", 'h', NULL, 0, "Print this", 11},
	{"usage", KEY_USAGE, NULL, 0, "Print the options alone", 11},
	{"version", 'V', NULL, 0, "Print the version", 11},
	{0},
};

static const char *color_name(int color)
{
	static const char *const names[] = {"auto", "always", "never"};
	return names[color];
}

static int set_color(struct options *options, const char *value)
{
	static const struct options_choice choice = {"--color", color_name, 3};
	int color;
	if (options_choose(&choice, value, &color, options->error))
		return EINVAL;
	options->color = (enum options_color)color;
	return 0;
}

static int set_argument(struct options *options, const char *word, const struct argp *command)
{
	if (options->argument) {
		error_set(options->error, FATHOM_USAGE, "one at a time",
			  "unexpected argument '%s' after '%s'", word, options->argument);
		return EINVAL;
	}
	if (!command->args_doc) {
		error_set(options->error, FATHOM_USAGE, "options start with '--'",
			  "unexpected argument '%s'", word);
		return EINVAL;
	}
	options->argument = word;
	return 0;
}

static error_t parse_answer(int key, char *value, struct argp_state *state)
{
	struct options *options = state->input;
	switch (key) {
	case 'o':
		options->output = strcmp(value, "-") == 0 ? NULL : value;
		return 0;
	case KEY_JSON:
		options->format = "json";
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
		return set_argument(options, value, state->root_argp);
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

const struct argp options_answer = {.options = answer_table, .parser = parse_answer};

static const struct argp_option output_table[] = {
	{"machine", KEY_MACHINE, "sim:SPEC", 0, "A simulated machine in place of this one", 11},
	{0},
};

static error_t parse_output(int key, char *value, struct argp_state *state)
{
	struct options *options = state->input;
	switch (key) {
	case ARGP_KEY_INIT:
		state->child_inputs[0] = options;
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

/* ---- how a result is shown, and a measurement judged ------------------------------------- */

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
		options->format = value;
		return 0;
	case KEY_CSV:
		options->format = "csv";
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

const struct argp options_format = {.options = format_table, .parser = parse_format};

static const struct argp_option picture_table[] = {
	{NULL, 0, NULL, 0, "The picture:", 8},
	{"y", KEY_Y, "NAME", 0, "Show ns (the default), cycles or throughput", 8},
	{"all", KEY_ALL, NULL, 0, "A row for every point", 8},
	{"explain", KEY_EXPLAIN, NULL, 0,
	 "What the textbook's ways to read each curve give, beside the levels", 8},
	{0},
};

static const char *y_name(int y)
{
	static const char *const names[] = {"ns", "cycles", "throughput"};
	return names[y];
}

static error_t parse_picture(int key, char *value, struct argp_state *state)
{
	static const struct options_choice choice = {"--y", y_name, 3};
	struct options *options = state->input;
	int y;
	switch (key) {
	case ARGP_KEY_INIT:
		state->child_inputs[0] = options;
		return 0;
	case KEY_Y:
		if (options_choose(&choice, value, &y, options->error))
			return EINVAL;
		options->y = (enum fathom_y)y;
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

static const struct argp_child picture_children[] = {{&options_format, 0, NULL, 0}, {0}};

const struct argp options_picture = {
	.options = picture_table, .parser = parse_picture, .children = picture_children};

static const struct argp_option result_table[] = {
	{"strict", KEY_STRICT, NULL, 0, "Exit with 4 when a point is not as exact as asked", 8},
	{0},
};

static error_t parse_result(int key, char *value, struct argp_state *state)
{
	struct options *options = state->input;
	(void)value;
	switch (key) {
	case ARGP_KEY_INIT:
		state->child_inputs[0] = options;
		return 0;
	case KEY_STRICT:
		options->strict = true;
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

static const struct argp_child result_children[] = {{&options_picture, 0, NULL, 0}, {0}};

const struct argp options_result = {
	.options = result_table, .parser = parse_result, .children = result_children};

/* ---- what is measured ------------------------------------------------------------------- */

static const struct argp_option measurement_table[] = {
	{NULL, 0, NULL, 0, "The measurement:", 6},
	{"budget", KEY_BUDGET, "TIME", 0, "How long it may take: 20s, 500ms, 2m", 6},
	{"cpu", KEY_CPU, "N", 0, "Measure on CPU N (default: the first of the fastest kind)", 6},
	{"seed", KEY_SEED, "N", 0, "All that is random follows from N", 6},
	{"samples", KEY_SAMPLES, NULL, 0, "Keep every timed batch in the document", 6},
	{"dry-run", KEY_DRY_RUN, NULL, 0, "Print the plan, its memory and time; measure nothing",
	 6},
	{0},
};

static int set_cpu(struct options *options, const char *value)
{
	int64_t cpu;
	if (options_integer("--cpu", value, 0, INT_MAX, &cpu, options->error))
		return EINVAL;
	options->request.cpu = (int)cpu;
	return 0;
}

/* As documents write it, "0x1f", or decimal. */
static int set_seed(struct options *options, const char *value)
{
	bool hexadecimal = value[0] == '0' && (value[1] == 'x' || value[1] == 'X');
	const char *digits = hexadecimal ? value + 2 : value;
	size_t length = strspn(digits, hexadecimal ? "0123456789abcdefABCDEF" : "0123456789");
	errno = 0;
	uint64_t seed = strtoull(digits, NULL, hexadecimal ? 16 : 10);
	if (length == 0 || digits[length] || errno == ERANGE) {
		error_set(options->error, FATHOM_USAGE, "seeds read like 7 or 0x1f, up to 64 bits",
			  "--seed: '%s' is not a seed", value);
		return EINVAL;
	}
	options->request.spec.seed = seed;
	return 0;
}

static error_t parse_measurement(int key, char *value, struct argp_state *state)
{
	struct options *options = state->input;
	struct fathom_request *request = &options->request;
	struct fathom_error *error = options->error;
	switch (key) {
	case KEY_BUDGET:
		return options_duration("--budget", value, &request->budget_s, error) ? EINVAL : 0;
	case KEY_CPU:
		return set_cpu(options, value);
	case KEY_SEED:
		return set_seed(options, value);
	case KEY_SAMPLES:
		request->keep_samples = true;
		return 0;
	case KEY_DRY_RUN:
		options->dry_run = true;
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

const struct argp options_measurement = {.options = measurement_table, .parser = parse_measurement};

static const struct argp_option request_table[] = {
	{"page", KEY_PAGE, "KIND", 0, "default (what malloc gets), 4K, thp, 2M or 1G", 6},
	{0},
};

static int set_page(struct options *options, const char *value)
{
	static const struct options_choice choice = {"--page", page_name, FATHOM_PAGE_1G + 1};
	int page;
	if (options_choose(&choice, value, &page, options->error))
		return EINVAL;
	options->request.spec.page = (enum fathom_page)page;
	return 0;
}

static error_t parse_request(int key, char *value, struct argp_state *state)
{
	struct options *options = state->input;
	switch (key) {
	case ARGP_KEY_INIT:
		state->child_inputs[0] = options;
		return 0;
	case KEY_PAGE:
		return set_page(options, value);
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

static const struct argp_child request_children[] = {{&options_measurement, 0, NULL, 0}, {0}};

const struct argp options_request = {
	.options = request_table, .parser = parse_request, .children = request_children};
