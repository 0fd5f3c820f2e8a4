#include "commands.h"

#include <string.h>
#include <sys/stat.h>

#include "base/error.h"
#include "base/warnings.h"
#include "clock_settings.h"
#include "input.h"
#include "messages.h"
#include "node/alone.h"
#include "perform.h"
#include "values.h"

#define CLOCKS           "The clocks"
#define DEFAULT_BUDGET_S 60
#define MOST_KHZ         100000000
#define MOST_RUNS        (2 * OPTIONS_MOST_CLOCKS)
/* A sweep that has less than that is not worth splitting. */
#define SHORT_RUN_S 10

static int too_many(const struct option_row *row, int most, struct fathom_error *error)
{
	return error_set(error, FATHOM_USAGE, NULL, "--%s: more than %d clocks", row->name, most);
}

static int add_khz(const struct option_row *row, const char *word, void *at,
		   struct fathom_error *error)
{
	struct options *options = at;
	int64_t khz;
	if (options->khz_count == OPTIONS_MOST_CLOCKS)
		return too_many(row, OPTIONS_MOST_CLOCKS, error);
	if (value_integer(row, word, &khz, error))
		return -1;
	options->khz[options->khz_count++] = (uint64_t)khz;
	return 0;
}

static int set_khz(const struct option_row *row, const char *value, void *at,
		   struct fathom_error *error)
{
	struct options *options = at;
	options->khz_count = 0;
	return value_each_word(row, value, add_khz, options, error);
}

static int add_clock(const struct option_row *row, const char *word, void *at,
		     struct fathom_error *error)
{
	struct options *options = at;
	if (options->clock_count == OPTIONS_MOST_ARGUMENTS)
		return too_many(row, OPTIONS_MOST_ARGUMENTS, error);
	return value_frequency(row, word, &options->clocks_hz[options->clock_count++], error);
}

static int set_clocks(const struct option_row *row, const char *value, void *at,
		      struct fathom_error *error)
{
	struct options *options = at;
	options->clock_count = 0;
	return value_each_word(row, value, add_clock, options, error);
}

static option_table table = {
	{CLOCKS, "khz", 0, set_khz, 0, "LIST", .low = 1, .high = MOST_KHZ,
	 .doc = "Clocks to set and measure at: 2000000,3500000 (default: boost off and on; where "
		"there is no boost, half of the highest clock and the highest)"},
	{CLOCKS, "clock", 0, set_clocks, 0, "LIST", .repeats = true,
	 .doc = "Clocks of the files, in their order: 2G,4.1G (default: as recorded in the files, "
		"else recovered from a cache inside the core)"},
	{0},
};

/* Start from {0}. */
struct runs {
	struct fathom_result
		*items[MOST_RUNS > OPTIONS_MOST_ARGUMENTS ? MOST_RUNS : OPTIONS_MOST_ARGUMENTS];
	size_t count;
	bool interrupted;
	struct fathom_warnings warnings; /* of the settings */
};

static void free_runs(struct runs *runs)
{
	for (size_t i = 0; i < runs->count; i++)
		fathom_result_free(runs->items[i]);
	warnings_free(&runs->warnings);
}

/* ---- recorded ---- */

static bool is_same_file(const char *a, const char *b)
{
	struct stat x, y;
	if (strcmp(a, b) == 0)
		return true;
	return stat(a, &x) == 0 && stat(b, &y) == 0 && x.st_dev == y.st_dev && x.st_ino == y.st_ino;
}

static int refuse_same(const char *a, const char *b, const char *what, struct fathom_error *error)
{
	return error_set(error, FATHOM_USAGE, "give two runs, at two clocks", "'%s' and '%s' %s", a,
			 b, what);
}

static int check_files(const struct options *options, struct fathom_error *error)
{
	size_t count = options->argument_count;
	if (count == 1)
		return error_set(error, FATHOM_USAGE, "fathom frequency RUN_A RUN_B",
				 "'frequency' needs two runs, at two clocks");
	const char *measures = option_given(options, "machine khz dry-run");
	if (measures)
		return error_set(error, FATHOM_USAGE, "leave out this option, or the files",
				 "'--%s' is for measuring, but files are given", measures);
	if (options->clock_count && options->clock_count != count)
		return error_set(error, FATHOM_USAGE,
				 "give one clock for each file, in their order",
				 "--clock names %zu clock%s for %zu files", options->clock_count,
				 options->clock_count == 1 ? "" : "s", count);
	for (size_t i = 0; i < count; i++)
		for (size_t k = 0; k < i; k++)
			if (is_same_file(options->arguments[i], options->arguments[k]))
				return refuse_same(options->arguments[k], options->arguments[i],
						   "are the same file", error);
	return 0;
}

static int check_runs(const struct options *options, const struct runs *runs,
		      struct fathom_error *error)
{
	const char *const *names = options->arguments;
	for (size_t i = 0; i < runs->count; i++)
		for (size_t k = 0; k < i; k++)
			if (fathom_same_measurement(runs->items[k], runs->items[i]))
				return refuse_same(names[k], names[i], "hold the same measurement",
						   error);
	return 0;
}

static int read_runs(const struct options *options, struct runs *runs, struct fathom_error *error)
{
	*options->environment->ends_at_once = 1; /* there is nothing to keep */
	for (size_t i = 0; i < options->argument_count; i++) {
		if (input_read_result(options->arguments[i], "'fathom help frequency' has examples",
				      &options->input, options->environment, &runs->items[i],
				      error))
			return -1;
		runs->count++;
	}
	return check_runs(options, runs, error);
}

/* ---- measured ---- */

/* What drifts over all runs is not the clock's where they go forth and back. */
static size_t count_passes(const struct options *options, const struct clock_settings *settings)
{
	double each_s = options->request.budget_s / (2 * (double)settings->count);
	return each_s >= SHORT_RUN_S ? 2 : 1;
}

static int plan_run(struct clock_settings *settings, size_t which, const struct options *options,
		    double budget_s, struct fathom_machine **machine, struct fathom_plan **plan,
		    struct fathom_error *error)
{
	struct fathom_request request = options->request;
	request.budget_s = budget_s;
	if (clock_settings_apply(settings, which, options, machine, error))
		return -1;
	return fathom_plan_make(&request, *machine, plan, error);
}

static int measure_run(struct clock_settings *settings, size_t which, double budget_s,
		       const struct options *options, struct runs *runs, struct fathom_error *error)
{
	struct fathom_machine *machine = NULL;
	struct fathom_plan *plan = NULL;
	int status = plan_run(settings, which, options, budget_s, &machine, &plan, error);
	if (!status)
		status = perform_measure(&(struct perform_work){.plan = plan}, &machine, options,
					 &runs->items[runs->count], error);
	if (!status)
		runs->interrupted |= runs->items[runs->count++]->interrupted;
	fathom_plan_free(plan);
	fathom_machine_free(machine);
	return status;
}

static int measure_runs(struct clock_settings *settings, const struct options *options,
			struct runs *runs, struct fathom_error *error)
{
	size_t count = settings->count, passes = count_passes(options, settings);
	double budget_s = options->request.budget_s / (double)(count * passes);
	for (size_t i = 0; i < count * passes && !runs->interrupted; i++) {
		size_t which = i < count ? i : 2 * count - 1 - i;
		if (measure_run(settings, which, budget_s, options, runs, error))
			return -1;
	}
	return 0;
}

/* The plan of each run is the same, but for the clock. It is not one to replay: that would be a run
 * at one clock. */
static int show_plan(struct clock_settings *settings, struct deliver *deliver,
		     const struct options *options, struct fathom_error *error)
{
	struct fathom_machine *machine = NULL;
	struct fathom_plan *plan = NULL;
	size_t runs = settings->count * count_passes(options, settings);
	int status = plan_run(settings, 0, options, options->request.budget_s / (double)runs,
			      &machine, &plan, error);
	if (!status) {
		plan->experiment = FATHOM_FREQUENCY;
		plan->budget_s = options->request.budget_s;
		plan->estimated_s *= (double)runs;
	}
	if (!status)
		status = perform_dry_run(&(struct perform_work){.plan = plan}, deliver, options,
					 error);
	fathom_plan_free(plan);
	fathom_machine_free(machine);
	return status;
}

/* ---- both ---- */

static int keep_warnings(const struct fathom_warnings *warnings, struct fathom_result *result,
			 struct fathom_error *error)
{
	for (size_t i = 0; i < warnings->count; i++) {
		const struct fathom_warning *warning = &warnings->items[i];
		if (warnings_add(&result->warnings, warning->id, warning->where, warning->hint,
				 "%s", warning->text))
			return error_no_memory(error);
	}
	return 0;
}

static int answer(const struct runs *runs, struct deliver *deliver, const struct options *options,
		  struct fathom_error *error)
{
	struct fathom_result *result = NULL;
	const double *clocks_hz = options->clock_count ? options->clocks_hz : NULL;
	int status = fathom_frequency(runs->items, runs->count, clocks_hz, &result, error);
	if (status && runs->interrupted)
		return error_set(error, FATHOM_INTERRUPTED, NULL,
				 "interrupted before two clocks were measured");
	/* The runs are no files that the user could look into. */
	if (status && !options->argument_count && error->status == FATHOM_BAD_INPUT)
		error->status = FATHOM_UNABLE;
	if (!status)
		status = keep_warnings(&runs->warnings, result, error);
	if (!status) {
		result->argv = perform_arguments(options);
		status = perform_answer(result, deliver, options, error);
	}
	if (!status && runs->interrupted)
		status = error_set(error, FATHOM_INTERRUPTED, NULL,
				   "interrupted: the points measured so far were kept");
	fathom_result_free(result);
	return status;
}

static int measure(struct deliver *deliver, const struct options *options, struct runs *runs,
		   struct fathom_error *error)
{
	struct clock_settings settings = {0};
	if (alone_take(options, NULL, error)) /* before a setting is changed */
		return -1;
	int status = clock_settings_open(&settings, options, error);
	if (!status && options->dry_run)
		status = show_plan(&settings, deliver, options, error);
	else if (!status)
		status = measure_runs(&settings, options, runs, error);
	/* What could not be put back matters more than any other trouble. */
	if (clock_settings_close(&settings, &runs->warnings, error))
		status = -1;
	if (status)
		messages_warnings(&runs->warnings);
	return status;
}

static int run(const struct options *options, struct fathom_error *error)
{
	struct runs runs = {.count = 0};
	struct deliver deliver = {0};
	bool files = options->argument_count > 0;
	int status = files ? check_files(options, error) : 0;
	if (!status && !files && options->clock_count)
		status = error_set(error, FATHOM_USAGE, "use --khz to set the clocks to measure at",
				   "--clock is for files: it gives their clocks");
	if (!status)
		status = deliver_open(&deliver, options->output, error);
	if (!status && !files && !options->dry_run)
		deliver.refuge = options->environment->temporary_folder;
	if (!status)
		status = files ? read_runs(options, &runs, error)
			       : measure(&deliver, options, &runs, error);
	if (!status && !options->dry_run)
		status = answer(&runs, &deliver, options, error);
	deliver_cancel(&deliver);
	free_runs(&runs);
	return status;
}

const struct command frequency_command = {
	.name = "frequency",
	.summary = "which part of each latency follows the core clock",
	.arguments = "[RUN_A RUN_B...]",
	.about =
		"Separates each latency into the part that follows the core clock and the part "
		"that does not: measures the sweep at two or more clocks, in alternating order, or "
		"reads one file for each clock. Settings of the machine that it changes are "
		"restored, also when fathom is killed, but not when its whole container or control "
		"group is.",
	.examples = "sudo fathom frequency --khz 2000000,3500000\n"
		    "fathom frequency slow.json fast.json\n"
		    "fathom frequency 2ghz.csv 4ghz.csv --clock 2G,4.1G\n"
		    "fathom frequency --machine sim:mem=61c+78ns --khz 2000000,3500000\n",
	.options =
		COMMAND_OPTIONS(table, options_input, options_range, options_chain,
				options_measurement, options_node, options_cpu, options_memory_node,
				options_dry_run, options_page, options_target, options_all,
				options_result_format, options_answer, options_machine),
	.answer = "result",
	.experiment = FATHOM_LATENCY,
	.budget_s = DEFAULT_BUDGET_S,
	.keeps = true,
	.run = run,
};
