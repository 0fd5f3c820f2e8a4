#include "commands.h"

#include "base/error.h"
#include "input.h"
#include "perform.h"

static int run(const struct options *options, const struct environment *environment,
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

const struct command fit_command = {
	.name = "fit",
	.summary = "levels in a curve that any tool measured",
	.arguments = "FILE",
	.about = "Finds the levels in a latency curve that fathom or another tool has measured: "
		 "fathom's JSON and CSV, lat_mem_rd, tinymembench, CSV, columns, Markdown. FILE - "
		 "is the standard input.",
	.examples = "fathom fit run.json --explain\n"
		    "lat_mem_rd -t 256 64 2>&1 | fathom fit -\n"
		    "fathom fit table.csv --columns kb,cycles --size-unit K\n",
	.options = COMMAND_OPTIONS(options_input, options_y, options_all, options_explain,
				   options_result_format, options_answer),
	.answer = "result",
	.run = run,
};
