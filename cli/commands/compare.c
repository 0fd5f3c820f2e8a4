#include "commands.h"

#include "base/error.h"
#include "comparison.h"
#include "values.h"

static option_table table = {
	{OPTIONS_COMPARISON, "baseline", 0, value_word, OPTIONS_AT(baseline), "A,B,C",
	 .files = true, .repeats = true, /* their content is held against each other */
	 .doc = "Runs of one unchanged machine, separated by commas: a difference must exceed the "
		"spread between them (default: the first file)"},
	{0},
};

/* What a word of --baseline is put into. */
struct baselines {
	struct comparison *comparison;
	const struct options *options;
};

static int add_word(const struct option_row *row, const char *word, void *at,
		    struct fathom_error *error)
{
	const struct baselines *baselines = at;
	(void)row;
	return comparison_read(baselines->comparison, word, baselines->options, error);
}

static int run(const struct options *options, struct fathom_error *error)
{
	struct comparison comparison = {0};
	struct deliver deliver = {0};
	struct baselines named = {&comparison, options};
	size_t baselines = options->baseline ? 0 : 1;
	if (options->argument_count <= baselines)
		return error_set(error, FATHOM_USAGE,
				 "give two files, or --baseline A,B,C and another file",
				 "'compare' needs a baseline and a run");
	int status = deliver_open(&deliver, options->output, error);
	if (!status && options->baseline)
		status = value_each_word(table, options->baseline, add_word, &named, error);
	comparison.baseline_count = options->baseline ? comparison.count : 1;
	for (size_t i = 0; !status && i < options->argument_count; i++)
		status = comparison_read(&comparison, options->arguments[i], options, error);
	if (!status)
		status = comparison_answer(&comparison, true, &deliver, options, error);
	deliver_cancel(&deliver);
	comparison_free(&comparison);
	return status;
}

const struct command compare_command = {
	.name = "compare",
	.summary = "whether runs differ: speed-ups, intervals, a verdict",
	.arguments = "A B...",
	.about = "Decides whether runs differ: the speed-up at each size with its interval, and a "
		 "verdict for each level. Each file is compared with the first one, or with all of "
		 "--baseline. Reads the formats of 'fathom fit'. Exit code 6: they differ; "
		 "4: a run was too disturbed to tell.",
	.examples = "fathom compare before.json after.json\n"
		    "fathom compare --baseline mon.json,tue.json,wed.json thu.json\n",
	.options = COMMAND_OPTIONS(options_input, table, comparison_options,
				   options_comparison_format, options_answer),
	.answer = "comparison",
	.run = run,
};
