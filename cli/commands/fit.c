#include "commands.h"

#include "base/error.h"
#include "input.h"
#include "perform.h"

static error_t parse(int key, char *value, struct argp_state *state)
{
	(void)value;
	if (key != ARGP_KEY_INIT)
		return ARGP_ERR_UNKNOWN;
	options_pass_on(state, &fit_argp);
	return 0;
}

static const struct argp_child children[] = {
	{&input_options, 0, NULL, 0},
	{&options_picture, 0, NULL, 0},
	{&options_answer, 0, NULL, 0},
	{0},
};

const struct argp fit_argp = {
	.parser = parse,
	.args_doc = "FILE",
	.children = children,
	.doc = "Finds the levels in a latency curve that fathom or another tool has measured: "
	       "fathom's JSON and CSV, lat_mem_rd, tinymembench, CSV, columns, Markdown. FILE - is "
	       "the standard input.\vExamples:\n  fathom fit run.json --explain\n  lat_mem_rd -t "
	       "256 64 2>&1 | fathom fit -\n  fathom fit table.csv --columns kb,cycles --size-unit "
	       "K\n",
};

int fit_run(const struct options *options, const struct environment *environment,
	    struct fathom_error *error)
{
	struct fathom_result *result = NULL;
	struct deliver deliver = {0};
	if (!options->arguments[0])
		return error_set(error, FATHOM_USAGE, "FILE, or - for the standard input",
				 "'fit' needs a file with a curve");
	int status = deliver_open(&deliver, options->output, error);
	if (!status)
		status = input_read_result(options->arguments[0], "'fathom help fit' has examples",
					   &options->input, environment, &result, error);
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
