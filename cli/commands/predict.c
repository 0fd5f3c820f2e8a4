#include <limits.h>
#include <math.h>

#include "base/error.h"
#include "base/text.h"
#include "base/units.h"
#include "commands.h"
#include "input.h"
#include "node/alone.h"
#include "perform.h"
#include "values.h"

#define STRUCTURE "The structure"
#define MODE      "How operations follow each other"
#define MACHINE   "The machine"
#define CHECK     "The proof"
#define CHECK_S   60
#define LEARN_S   5

static int add_keys(const struct option_row *row, const char *item, void *at,
		    struct fathom_error *error)
{
	struct options_sizes *keys = at;
	if (keys->count == OPTIONS_MOST_SIZES)
		return error_set(error, FATHOM_USAGE, "split it into several runs",
				 "--%s: more than %d numbers", row->name, OPTIONS_MOST_SIZES);
	return value_steps(row, item, &keys->bytes[keys->count++], error);
}

static int set_keys(const struct option_row *row, const char *value, void *at,
		    struct fathom_error *error)
{
	((struct options_sizes *)at)->count = 0;
	return value_each_word(row, value, add_keys, at, error);
}

/* A decimal number. */
static int set_number(const struct option_row *row, const char *value, void *at,
		      struct fathom_error *error)
{
	const char *end = units_parse_decimal(value, at);
	if (end && !*end)
		return 0;
	return error_set(error, FATHOM_USAGE, "a number like 0.5", "--%s: '%s' is not a number",
			 row->name, value);
}

/* 0 is taken for what was not given. */
static int set_above_zero(const struct option_row *row, const char *value, void *at,
			  struct fathom_error *error)
{
	if (set_number(row, value, at, error))
		return -1;
	if (*(double *)at > 0)
		return 0;
	return error_set(error, FATHOM_USAGE, "a number above 0", "--%s cannot be %s", row->name,
			 value);
}

static option_table table = {
	{STRUCTURE, "keys", 0, set_keys, OPTIONS_AT(keys), "NUMBERS", .low = 1,
	 .high = (int64_t)1 << 40, .excludes = "size",
	 .doc = "So many elements: 100000, or a list 1K,1M (K = 1000; default: 1000, 100K, 10M)"},
	{STRUCTURE, "size", 0, value_size, OPTIONS_AT(predict.size_bytes), "SIZE",
	 .doc = "As many elements as take SIZE in all"},
	{STRUCTURE, "key-bytes", 0, value_number, OPTIONS_AT(predict.key_bytes), "N", .low = 1,
	 .high = 65536, .doc = "Bytes of a key (default: 8)"},
	{STRUCTURE, "payload", 0, value_number, OPTIONS_AT(predict.payload_bytes), "N", .low = 0,
	 .high = 65536, .doc = "Bytes that are stored with a key (default: 8)"},
	{STRUCTURE, "payload-apart", 0, value_on, OPTIONS_AT(predict.payload_apart), NULL,
	 .doc = "Of chained-hash: they are behind a pointer"},
	{STRUCTURE, "node-bytes", 0, value_number, OPTIONS_AT(predict.node_bytes), "N", .low = 64,
	 .high = 65536, .doc = "Bytes of a node of a B-tree (default: 256)"},
	{STRUCTURE, "span", 0, value_number, OPTIONS_AT(predict.span_bits), "N", .low = 1,
	 .high = 16, .doc = "Bits that a node of a radix tree tells apart (default: 8)"},
	{STRUCTURE, "fanout", 0, value_number, OPTIONS_AT(predict.fanout), "N", .low = 2,
	 .high = 1 << 20, .doc = "Parts of a partition (default: 256)"},
	{STRUCTURE, "load", 0, set_above_zero, OPTIONS_AT(predict.load), "L",
	 .doc = "Keys for each bucket or slot of a hash table (default: 1, 0.5, cuckoo 0.45)"},
	{STRUCTURE, "theta", 0, set_number, OPTIONS_AT(predict.theta), "Z",
	 .doc = "Keys are asked for by Zipf's law with exponent Z, 0 to 3 (default: 0, all alike)"},
	{MODE, "dependent", 0, value_low, OPTIONS_AT(predict.mode), NULL,
	 .low = FATHOM_PREDICT_DEPENDENT, .excludes = "independent interleave",
	 .doc = "The next key comes out of the value that was loaded (the default)"},
	{MODE, "independent", 0, value_low, OPTIONS_AT(predict.mode), NULL,
	 .low = FATHOM_PREDICT_INDEPENDENT, .excludes = "interleave",
	 .doc = "Keys are known: the core overlaps the operations that its window holds"},
	{MODE, "every-mode", 0, value_on, OPTIONS_AT(predict.every_mode), NULL,
	 .excludes = "dependent independent",
	 .doc = "Each structure in all ways that it has, 8 at a time unless --interleave says "
		"otherwise"},
	{MODE, "interleave", 0, value_number, OPTIONS_AT(predict.interleave), "N", .low = 2,
	 .high = 64, .doc = "The program makes N operations at a time, step by step"},
	{MACHINE, "from", 0, value_word, OPTIONS_AT(from), "FILE", .files = true,
	 .doc = "By this result, a survey as a rule, or by the curve of any tool"},
	{MACHINE, "with", 0, value_word, OPTIONS_AT(with), "FILE", .files = true,
	 .doc = "And by these curves of the same machine: a result, or a table of how accesses "
		"overlap, size_bytes,lanes,ns_per_access"},
	{MACHINE, "clock", 0, value_frequency, OPTIONS_AT(predict.clock_hz), "HZ",
	 .doc = "Where FILE lacks it, the core clock: 3.6G"},
	{MACHINE, "branch", 0, set_above_zero, OPTIONS_AT(predict.branch_ns), "NS",
	 .doc = "What a mispredicted branch costs (default: as in FILE, else 15 cycles)"},
	{MACHINE, "window", 0, value_number, OPTIONS_AT(predict.window), "N", .low = 16,
	 .high = 65536,
	 .doc = "Instructions that the schedulers of the core hold (default: as in FILE, else 73, "
		"the mean of what "
		"makers document)"},
	{MACHINE, "max-size", 0, value_size, OPTIONS_AT(request.max_size_bytes), "SIZE",
	 .doc = "Largest working set to measure, without --from (default: past the caches)"},
	{CHECK, "check", 0, value_on, OPTIONS_AT(check), NULL,
	 .doc = "Run the structures here, too, and show the times that were measured beside those "
		"that were predicted"},
	{OPTIONS_DISPLAY, "explain", 0, value_on, OPTIONS_AT(explain), NULL,
	 .doc = "Show each sum in numbers"},
	{OPTIONS_DISPLAY, "all", 0, value_on, OPTIONS_AT(every_point), NULL,
	 .doc = "Show all places where two structures change places"},
	{0},
};

static int complete(struct options *options, struct fathom_error *error)
{
	static const char *const measuring[] = {"budget", "cpu", "memory-node", "machine"};
	struct fathom_predict_request *predict = &options->predict;
	struct fathom_predict_request usual;
	fathom_predict_default(&usual);
	for (size_t i = 0; i < sizeof(measuring) / sizeof(*measuring); i++)
		if (options->from && !options->check && option_given(options, measuring[i]))
			return error_set(error, FATHOM_USAGE, "leave out one of them",
					 "with '--from' nothing is measured: '--%s' says nothing",
					 measuring[i]);
	if (!option_given(options, "payload"))
		predict->payload_bytes = usual.payload_bytes;
	if (option_given(options, "interleave") && !predict->every_mode)
		predict->mode = FATHOM_PREDICT_INTERLEAVED;
	if (!option_given(options, "budget"))
		options->request.budget_s = options->check ? CHECK_S : LEARN_S;
	predict->page = options->request.spec.page;
	predict->structures = options->arguments;
	predict->structure_count = options->argument_count;
	predict->keys = options->keys.bytes;
	predict->key_count = options->keys.count;
	return 0;
}

/* ---- the machine ---- */

static int read_result(const struct options *options, struct fathom_result **result,
		       struct fathom_error *error)
{
	struct fathom_result *more = NULL;
	int status = input_read_result(options->from, "'fathom -o run.json' makes one",
				       &options->input, options->environment, result, error);
	bool fit = !status && !(*result)->level_count; /* those of other tools have none */
	if (!status && options->with) {
		status = input_read_result(options->with,
					   "'fathom parallelism -o run.json' makes one",
					   &options->input, options->environment, &more, error);
		if (!status)
			status = fathom_result_join(*result, more, error);
		fit = true;
		fathom_result_free(more);
	}
	return !status && fit ? fathom_fit(*result, NULL, error) : status;
}

/* What predictions need of this machine, in a short survey. */
static int measure(const struct options *options, struct fathom_result **result,
		   struct fathom_error *error)
{
	struct fathom_machine *machine = NULL;
	struct fathom_survey *survey = NULL;
	struct fathom_request request = options->request;
	request.predicting = true;
	if (options->check) /* the rest of the budget is for running them */
		request.budget_s = fmin(request.budget_s, LEARN_S);
	int status = perform_find_machine(options, NULL, &machine, error) ||
		     fathom_predict_possible(&options->predict, machine, error);
	if (!status)
		status = fathom_survey_plan(&request, machine, &survey, error);
	struct perform_work work = {.survey = survey};
	if (!status)
		status = perform_measure(&work, &machine, options, result, error);
	if (!status && (*result)->interrupted)
		status = error_set(error, FATHOM_INTERRUPTED, NULL,
				   "interrupted: nothing was predicted");
	fathom_survey_free(survey);
	fathom_machine_free(machine);
	return status ? -1 : 0;
}

/* ---- the proof ---- */

static int check(const struct options *options, struct fathom_machine *machine,
		 struct fathom_result *result, struct fathom_error *error)
{
	struct progress progress;
	if (alone_take(options, machine, error))
		return -1;
	progress_start(&progress, options->environment, options->quiet);
	perform_wait(machine, options->request.budget_s, options, &progress);
	struct fathom_observer observer = perform_observer(&progress);
	int status = fathom_predict_check(result, &options->predict, machine, &options->request,
					  &observer, error);
	progress_end(&progress);
	return status;
}

/* What cannot be run is refused before anything is measured. */
static int predict(const struct options *options, struct fathom_result **result,
		   struct fathom_error *error)
{
	struct fathom_machine *machine = NULL;
	int status = 0;
	if (options->check)
		status = perform_find_machine(options, NULL, &machine, error) ||
			 fathom_predict_check_request(&options->predict, machine, error);
	if (!status)
		status = options->from ? read_result(options, result, error)
				       : measure(options, result, error);
	if (!status)
		status = fathom_predict(*result, &options->predict, error);
	if (!status && options->check)
		status = check(options, machine, *result, error);
	fathom_machine_free(machine);
	return status ? -1 : 0;
}

static int run(const struct options *options, struct fathom_error *error)
{
	struct fathom_result *result = NULL;
	struct fathom_style style = perform_style(options);
	struct deliver deliver = {0};
	char *answer = NULL;
	size_t length = 0;
	style.predictions = true;
	int status = deliver_open(&deliver, options->output, error);
	if (!status)
		status = predict(options, &result, error);
	if (!status)
		status = fathom_result_write(result, options->format, &style, &answer, &length,
					     error);
	status = deliver_written(&deliver, status, answer, length, error);
	if (!status && options->check && result->interrupted)
		status = error_set(error, FATHOM_INTERRUPTED, NULL,
				   "interrupted: what was run so far was kept");
	deliver_cancel(&deliver);
	fathom_result_free(result);
	return status;
}

const struct command predict_command = {
	.name = "predict",
	.summary = "what a data structure costs on a machine",
	.arguments = "STRUCTURE...",
	.choice = fathom_predict_structure,
	.about = "Predicts what an operation on a data structure costs on the machine of a kept "
		 "result, or on this one, which is measured for 5 s, and where the time goes. "
		 "Without a STRUCTURE: ten usual ones.",
	.notes = "Structures: array, array-random, list, list-shuffled, bsearch, bsearch-branchy, "
		 "bsearch-prefetch, eytzinger, eytzinger-prefetch, btree, stree, bst, bst-random, "
		 "chained-hash, open-hash, cuckoo, radix-tree, skip-list, radix-partition, "
		 "hash-join, ring. docs/predict.md describes them, and the "
		 "model. " OPTIONS_SIZES_NOTE,
	.examples = "fathom predict\n"
		    "fathom predict bsearch open-hash --keys 1M --independent --from run.json\n"
		    "fathom predict btree --node-bytes 512 --size 1G --explain --from run.json\n"
		    "fathom predict bsearch --from curve.csv --with lanes.csv --clock 2G\n"
		    "fathom predict bsearch eytzinger --keys 1M --check --from run.json\n",
	.options = COMMAND_OPTIONS(table, options_input, options_measurement, options_node,
				   options_cpu, options_memory_node, options_page,
				   options_result_format, options_answer, options_machine),
	.answer = "result",
	.complete = complete,
	.run = run,
};
