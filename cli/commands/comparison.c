#include "comparison.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/list.h"
#include "base/names.h"
#include "base/text.h"
#include "input.h"
#include "messages.h"
#include "perform.h"
#include "values.h"

#define FILE_HINT                                                                                  \
	"name a result that 'fathom latency -o FILE.json' wrote, or - for the standard input"

option_table comparison_options = {
	{OPTIONS_COMPARISON, "threshold", 0, value_share, OPTIONS_AT(threshold), "SHARE",
	 .doc = "Smallest difference that counts (default: 2%)"},
	{OPTIONS_COMPARISON, "unit", 0, value_choice, OPTIONS_AT(unit), "NAME", .choice = unit_name,
	 .doc = "auto (the default: inner caches in cycles, the rest in ns), ns or cycles"},
	{OPTIONS_COMPARISON, "all", 0, value_on, OPTIONS_AT(every_point), NULL,
	 .doc = "Show the evidence for every verdict"},
	{0},
};

/* ---- the runs ---- */

int comparison_add(struct comparison *comparison, const char *name, struct fathom_result *result,
		   struct fathom_error *error)
{
	char *copy = strdup(name);
	const struct fathom_run run = {copy, result};
	if (copy && LIST_APPEND(&comparison->runs, &comparison->count, &run) == 0)
		return 0;
	free(copy);
	fathom_result_free(result);
	return error_no_memory(error);
}

/* When it was measured: levels, or of a run about pages the TLBs, in place of them. */
static bool has_findings(const struct fathom_result *result)
{
	bool pages = result->curve_count && result->curves->experiment == FATHOM_PAGES;
	return result->level_count || (pages && result->translation_count);
}

int comparison_read(struct comparison *comparison, const char *path, const struct options *options,
		    struct fathom_error *error)
{
	struct fathom_result *result;
	int status = input_read_result(path, FILE_HINT, &options->input, options->environment,
				       &result, error);
	if (status)
		return status;
	if (!has_findings(result) && fathom_fit(result, NULL, error)) {
		fathom_result_free(result);
		return -1;
	}
	return comparison_add(comparison, strcmp(path, "-") == 0 ? "standard input" : path, result,
			      error);
}

void comparison_free(struct comparison *comparison)
{
	for (size_t i = 0; i < comparison->count; i++) {
		free((char *)comparison->runs[i].name);
		fathom_result_free((struct fathom_result *)comparison->runs[i].result);
	}
	free(comparison->runs);
	*comparison = (struct comparison){0};
}

/* ---- the answer ---- */

#define MOST_NAMED 5

/* "; L1, L2 and 3 more: slower" */
static void list_parts(const struct fathom_compared_run *run, enum fathom_verdict verdict,
		       const char *separator, struct text *text)
{
	size_t count = 0;
	for (size_t i = 0; i < run->part_count; i++)
		if (run->parts[i].verdict == verdict && count++ < MOST_NAMED)
			text_add(text, "%s%s", count == 1 ? separator : ", ", run->parts[i].name);
	if (count > MOST_NAMED)
		text_add(text, " and %zu more", count - MOST_NAMED);
	if (count)
		text_add(text, ": %s", fathom_verdict_name((int)verdict));
}

/* Some part of the run has a verdict, whatever it is. */
static bool is_decided(const struct fathom_compared_run *run)
{
	for (size_t i = 0; i < run->part_count; i++)
		if (run->parts[i].quantity != FATHOM_QUANTITY_HZ &&
		    run->parts[i].verdict != FATHOM_VERDICT_UNKNOWN)
			return true;
	return false;
}

/* Where no difference was found, but one cannot be excluded either. */
static int judge_undecided(const struct fathom_comparison *made, bool must_decide,
			   struct fathom_error *error)
{
	for (size_t i = 0; i < made->run_count; i++) {
		const struct fathom_compared_run *run = &made->runs[i];
		if (run->disturbed)
			return error_set(
				error, FATHOM_QUALITY, "measure again when the machine is idle",
				"'%s' cannot be told from the baseline: disturbed", run->name);
		if (must_decide && !is_decided(run))
			return error_set(error, FATHOM_QUALITY,
					 "use a longer --budget, or give several baselines",
					 "'%s' cannot be told from the baseline: too little data",
					 run->name);
	}
	return 0;
}

static int judge(const struct fathom_comparison *made, bool also_faster, struct fathom_error *error)
{
	struct text text = {0};
	for (size_t i = 0; i < made->run_count; i++) {
		const struct fathom_compared_run *run = &made->runs[i];
		bool faster = also_faster && run->faster;
		if (!run->slower && !faster)
			continue;
		text_add(&text, "%s'%s' differs from the baseline: ", text.length ? "; " : "",
			 run->name);
		list_parts(run, FATHOM_SLOWER, "", &text);
		if (faster)
			list_parts(run, FATHOM_FASTER, run->slower ? "; " : "", &text);
	}
	int status = text.length ? error_set(error, FATHOM_DIFFERENT, NULL, "%s", text.data)
				 : judge_undecided(made, !also_faster, error);
	text_free(&text);
	return status;
}

static int deliver_comparison(const struct fathom_comparison *made, struct deliver *deliver,
			      const struct options *options, struct fathom_error *error)
{
	struct fathom_style style = perform_style(options);
	char *answer = NULL;
	size_t length = 0;
	int status =
		fathom_comparison_write(made, options->format, &style, &answer, &length, error);
	status = deliver_written(deliver, status, answer, length, error);
	if (!status && !options->quiet && strcmp(options->format, "text") != 0)
		messages_warnings(&made->warnings);
	return status;
}

int comparison_answer(const struct comparison *comparison, bool also_faster,
		      struct deliver *deliver, const struct options *options,
		      struct fathom_error *error)
{
	const struct fathom_compare_request request = {
		.baselines = comparison->runs,
		.baseline_count = comparison->baseline_count,
		.runs = comparison->runs + comparison->baseline_count,
		.run_count = comparison->count - comparison->baseline_count,
		.threshold = options->threshold,
		.unit = options->unit,
	};
	struct fathom_comparison *made = NULL;
	int status = fathom_compare(&request, &made, error);
	if (!status)
		status = deliver_comparison(made, deliver, options, error);
	if (!status)
		status = judge(made, also_faster, error);
	fathom_comparison_free(made);
	return status;
}
