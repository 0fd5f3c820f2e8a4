#include "commands.h"

#include "base/error.h"
#include "input.h"
#include "perform.h"
#include "sizes.h"
#include "values.h"

#define CURVE "The curve"

CHOICES(order_name, "cycle", "independent", "overlapping")

static option_table table = {
	{CURVE, "order", 0, value_choice, OPTIONS_AT(order), "NAME", .choice = order_name,
	 .doc = "In which order another tool walked: {}; overlapping: the same, many at a time "
		"(default: as the file says, else not known)"},
	{CURVE, "caches", 0, value_sizes, OPTIONS_AT(caches), "SIZES",
	 .doc = "Data caches of that machine as its OS reports them, L1 first: 32K,256K,4M"},
	{CURVE, "distribution", 0, value_on, OPTIONS_AT(input.accesses), NULL,
	 .excludes = "order caches columns size-unit value-unit",
	 .hint = "a series of accesses has no sizes",
	 .doc = "FILE is a series of single accesses: in each row when it began and what it took, "
		"in ns, or the latter alone"},
	{0},
};

static int complete(struct options *options, struct fathom_error *error)
{
	(void)error;
	if (option_given(options, "order"))
		options->input.order = order_name(options->order);
	return 0;
}

static int run(const struct options *options, struct fathom_error *error)
{
	struct fathom_result *result = NULL;
	struct fathom_input input = options->input;
	struct deliver deliver = {0};
	input.caches_bytes = options->caches.bytes;
	input.cache_count = options->caches.count;
	if (!options->arguments[0])
		return error_set(error, FATHOM_USAGE, "FILE, or - for the standard input",
				 "'fit' needs a file with a curve");
	int status = deliver_open(&deliver, options->output, error);
	if (!status)
		status = input_read_result(options->arguments[0], "'fathom help fit' has examples",
					   &input, options->environment, &result, error);
	if (!status && !result->argv) /* else it tells how the curve was measured */
		result->argv = perform_arguments(options);
	if (!status) {
		result->os_prior_off = options->request.os_prior_off;
		status = fathom_fit(result, NULL, error);
	}
	/* Readings that the document has are of the levels that it had. */
	if (!status && result->reading_count)
		status = fathom_explain(result, error);
	if (!status)
		status = perform_answer(result, &deliver, options, error);
	deliver_cancel(&deliver);
	fathom_result_free(result);
	return status;
}

const struct command fit_command = {
	.name = "fit",
	.summary = "levels in a curve that any tool measured",
	.arguments = "FILE",
	.about = "Finds the levels in a latency curve that fathom or another tool has measured: "
		 "fathom's JSON and CSV, lat_mem_rd, tinymembench, CSV, columns, Markdown. Of a "
		 "matrix of latencies between CPUs (core-to-core-latency's CSV, c2clat) it finds "
		 "which pairs are alike, of latencies under load (MLC, Mess, multiload) their law, "
		 "and of single accesses percentiles and modes (--distribution). FILE - is the "
		 "standard input.",
	.examples = "fathom fit run.json --explain\n"
		    "fathom fit run.json --trace --no-os-prior\n"
		    "lat_mem_rd -t 256 64 2>&1 | fathom fit -\n"
		    "c2clat | fathom fit -\n"
		    "./mlc --loaded_latency | fathom fit -\n"
		    "fathom fit --distribution series.csv\n"
		    "fathom fit table.csv --columns kb,cycles --size-unit K\n"
		    "fathom fit table.md --order independent --caches 32K,256K,4M\n",
	.options = COMMAND_OPTIONS(options_input, table, options_y, options_all, options_explain,
				   options_levels, options_result_format, options_answer),
	.answer = "result",
	.complete = complete,
	.run = run,
};
