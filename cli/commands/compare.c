#include "commands.h"

#include "base/error.h"
#include "comparison.h"
#include "input.h"
#include "values.h"

enum { KEY_BASELINE = 0x200 };

static const struct argp_option table[] = {
	{NULL, 0, NULL, 0, "The files:", 2},
	{"baseline", KEY_BASELINE, "A,B,C", 0,
	 "Runs of one unchanged machine, separated by commas: a difference must exceed the spread "
	 "between them (default: the first file)",
	 2},
	{0},
};

static error_t parse(int key, char *value, struct argp_state *state)
{
	struct options *options = state->input;
	switch (key) {
	case ARGP_KEY_INIT:
		options_pass_on(state, &compare_argp);
		return 0;
	case KEY_BASELINE:
		options->baseline = value;
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

static const struct argp_child children[] = {
	{&comparison_options, 0, NULL, 0},
	{&input_options, 0, NULL, 0},
	{&options_answer, 0, NULL, 0},
	{0},
};

const struct argp compare_argp = {
	.options = table,
	.parser = parse,
	.args_doc = "A B...",
	.children = children,
	.doc = "Decides whether runs differ: the speed-up at each size with its interval, and a "
	       "verdict for each level. Each file is compared with the first one, or with all of "
	       "--baseline. Reads the formats of 'fathom fit'. Exit code 6: they "
	       "differ.\vExamples:\n  fathom compare before.json after.json\n  fathom compare "
	       "--baseline mon.json,tue.json,wed.json thu.json\n",
};

struct reading {
	struct comparison *comparison;
	const struct options *options;
	const struct environment *environment;
};

static int add_word(void *context, char *word, struct fathom_error *error)
{
	const struct reading *reading = context;
	return comparison_read(reading->comparison, word, &reading->options->input,
			       reading->environment, error);
}

int compare_run(const struct options *options, const struct environment *environment,
		struct fathom_error *error)
{
	struct comparison comparison = {0};
	struct deliver deliver = {0};
	struct reading reading = {&comparison, options, environment};
	size_t baselines = options->baseline ? 0 : 1;
	if (options->argument_count <= baselines)
		return error_set(error, FATHOM_USAGE,
				 "give two files, or --baseline A,B,C and another file",
				 "'compare' needs a baseline and a run");
	int status = deliver_open(&deliver, options->output, error);
	if (!status && options->baseline)
		status = value_each_word(options->baseline, add_word, &reading, error);
	comparison.baseline_count = options->baseline ? comparison.count : 1;
	for (size_t i = 0; !status && i < options->argument_count; i++)
		status = comparison_read(&comparison, options->arguments[i], &options->input,
					 environment, error);
	if (!status)
		status =
			comparison_answer(&comparison, true, &deliver, options, environment, error);
	deliver_cancel(&deliver);
	comparison_free(&comparison);
	return status;
}
