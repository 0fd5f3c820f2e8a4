#include "commands.h"

#include <string.h>

#include "base/error.h"
#include "base/text.h"
#include "input.h"
#include "output/read_units.h"
#include "perform.h"

enum { KEY_COLUMNS = 0x200, KEY_SIZE_UNIT, KEY_VALUE_UNIT };

static const struct argp_option table[] = {
	{NULL, 0, NULL, 0, "The file:", 2},
	{"columns", KEY_COLUMNS, "SIZE,LATENCY", 0,
	 "Which columns these are: names, or numbers from 1 (default: by their names)", 2},
	{"size-unit", KEY_SIZE_UNIT, "UNIT", 0,
	 "Of the sizes: " UNITS_OF_SIZES " (default: as the file says, else B)", 2},
	{"value-unit", KEY_VALUE_UNIT, "UNIT", 0,
	 "Of the latencies: " UNITS_OF_LATENCIES " (default: as the file says, else ns)", 2},
	{0},
};

static error_t parse(int key, char *value, struct argp_state *state)
{
	struct options *options = state->input;
	switch (key) {
	case ARGP_KEY_INIT:
		options_pass_on(state, &fit_argp);
		return 0;
	case KEY_COLUMNS:
		options->input.columns = value;
		return 0;
	case KEY_SIZE_UNIT:
		options->input.size_unit = value;
		return 0;
	case KEY_VALUE_UNIT:
		options->input.value_unit = value;
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

static const struct argp_child children[] = {
	{&options_picture, 0, NULL, 0},
	{&options_answer, 0, NULL, 0},
	{0},
};

const struct argp fit_argp = {
	.options = table,
	.parser = parse,
	.args_doc = "FILE",
	.children = children,
	.doc = "Finds the levels in a curve of latency against size that fathom or another tool "
	       "has "
	       "measured: fathom's JSON and CSV, lat_mem_rd, tinymembench, CSV, columns, markdown. "
	       "FILE - is the standard input.\v"
	       "Examples:\n"
	       "  fathom fit run.json --explain\n"
	       "  lat_mem_rd -t 256 64 2>&1 | fathom fit -\n"
	       "  fathom fit table.csv --columns kb,cycles --size-unit K\n",
};

/* "line 3: 'abc' is not a size" becomes "'x.csv': line 3: ...". What is wrong with the options is
 * not the file's fault. */
static int name_file(const char *path, int status, struct fathom_error *error)
{
	if (status && error->status == FATHOM_BAD_INPUT)
		error_set(error, error->status, error->hint, "'%s': %s", path,
			  error->text ? error->text : "");
	return status;
}

static int read_result(const struct options *options, const struct environment *environment,
		       struct fathom_result **result, struct fathom_error *error)
{
	const char *path = options->argument;
	struct text text = {0};
	int status = input_read(path, "'fathom help fit' has examples", environment, &text, error);
	if (!status)
		status = name_file(
			strcmp(path, "-") == 0 ? "standard input" : path,
			fathom_result_read(text.data, text.length, &options->input, result, error),
			error);
	text_free(&text);
	return status;
}

int fit_run(const struct options *options, const struct environment *environment,
	    struct fathom_error *error)
{
	struct fathom_result *result = NULL;
	struct deliver deliver = {0};
	if (!options->argument)
		return error_set(error, FATHOM_USAGE, "FILE, or - for the standard input",
				 "'fit' needs a file with a curve");
	int status = deliver_open(&deliver, options->output, error);
	if (!status)
		status = read_result(options, environment, &result, error);
	if (!status && !result->argv) /* else it tells how the curve was measured */
		result->argv = perform_arguments(environment->argv);
	if (!status)
		status = fathom_fit(result, error);
	/* Readings that the document has are of the levels that it had. */
	if (!status && result->reading_count)
		status = fathom_explain(result, error);
	if (!status)
		status = perform_answer(result, &deliver, options, environment, error);
	deliver_cancel(&deliver);
	fathom_result_free(result);
	return status;
}
