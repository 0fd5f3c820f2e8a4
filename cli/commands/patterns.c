#include "base/patterns.h"
#include "base/error.h"
#include "commands.h"
#include "perform.h"
#include "sizes.h"
#include "values.h"

#define TABLE       "The table"
#define USUAL_STEPS 20000000
#define MOST_STEPS  1000000000000

enum cold { COLD_FLUSHED, COLD_MAPPED, COLD_BOTH, COLD_NONE };

CHOICES(cold_name, "flushed", "mapped", "both", "none")

/* The rows of the table, as they stand in the enumeration; FATHOM_PATTERN_UNKNOWN: no more. */
static enum fathom_pattern compared_pattern(int choice)
{
	for (int pattern = 0; pattern < FATHOM_PATTERN_UNKNOWN; pattern++)
		if (pattern_traits(pattern)->compared && choice-- == 0)
			return pattern;
	return FATHOM_PATTERN_UNKNOWN;
}

static const char *pattern_name(int choice)
{
	enum fathom_pattern pattern = compared_pattern(choice);
	return pattern == FATHOM_PATTERN_UNKNOWN ? NULL : fathom_pattern_name(pattern);
}

static int set_events(const struct option_row *row, const char *value, void *at,
		      struct fathom_error *error)
{
	if (!*value)
		return error_set(error, FATHOM_USAGE, "for example --event l1d_misses,dtlb_misses",
				 "--%s: the list is empty", row->name);
	return value_word(row, value, at, error);
}

static option_table table = {
	{TABLE, "size", 0, value_sizes, OPTIONS_AT(sizes), "SIZES",
	 .doc = "Sizes: 256M (the default; 16M with --decay), a list 1M,16M, or a range 1K..256M "
		"of powers of two"},
	{TABLE, "pattern", 0, value_choices, OPTIONS_AT(patterns_given), "LIST",
	 .choice = pattern_name, .excludes = "ablate decay",
	 .hint = "leave out '--pattern': only the table has a row for each",
	 .doc = "Rows of the table: {}; default: all, and what costs the same at any size"},
	{TABLE, "stride", 0, value_sizes, OPTIONS_AT(strides), "SIZES", .excludes = "ablate decay",
	 .hint = "leave out '--stride': only the table has strided rows",
	 .doc = "Distance between strided accesses: 256 (the default), or a list"},
	{TABLE, "steps", 0, value_steps, OPTIONS_AT(request.steps), "N", .low = 1,
	 .high = MOST_STEPS,
	 .doc = "Timed accesses of each point, at least about 50K: 20M (the default, or what fits "
		"in the budget)"},
	{TABLE, "cold", 0, value_choice, OPTIONS_AT(cold), "KIND", .choice = cold_name,
	 .excludes = "ablate",
	 .hint = "leave out '--cold': prefetchers are told apart on warm memory",
	 .doc = "Kinds of cold memory: flushed from all caches (the default), mapped anew and "
		"written, both (the default with --decay), or none"},
	{TABLE, "ablate", 0, value_low, OPTIONS_AT(request.experiment), NULL,
	 .low = FATHOM_ABLATION, .excludes = "decay", .hint = "run it once with each",
	 .doc = "Show which prefetchers act and what each saves, in place of the table"},
	{TABLE, "decay", 0, value_low, OPTIONS_AT(request.experiment), NULL, .low = FATHOM_DECAY,
	 .doc = "Show each lap since memory was flushed or mapped, in place of the table"},
	{TABLE, "event", 0, set_events, OPTIONS_AT(request.events), "LIST", .excludes = "decay",
	 .hint = "leave out '--event': events cannot be counted lap by lap",
	 .doc = "Hardware events to count: l1d_misses,dtlb_misses,r01c2 or this CPU's own names "
		"(docs/counters.md); default: the usual ones"},
	{0},
};

static void complete_patterns(struct options *options)
{
	struct fathom_request *request = &options->request;
	for (int choice = 0; pattern_name(choice); choice++)
		if (options->patterns_given[choice])
			options->patterns[request->pattern_count++] = compared_pattern(choice);
	request->patterns = request->pattern_count ? options->patterns : NULL;
}

/* With --decay both kinds of cold, unless one was asked for, and no usual events. */
static int complete(struct options *options, struct fathom_error *error)
{
	struct fathom_request *request = &options->request;
	bool decay = request->experiment == FATHOM_DECAY;
	int cold = option_given(options, "cold") ? options->cold : decay ? COLD_BOTH : COLD_FLUSHED;
	if (decay && cold == COLD_NONE)
		return error_set(error, FATHOM_USAGE, "use flushed, mapped or both",
				 "'--cold none' and '--decay' cannot be used together");
	request->cold_flushed = cold == COLD_FLUSHED || cold == COLD_BOTH;
	request->cold_mapped = cold == COLD_MAPPED || cold == COLD_BOTH;
	complete_patterns(options);
	if (!request->steps)
		request->steps = USUAL_STEPS;
	if (!request->events && !decay)
		request->events = "";
	return 0;
}

const struct command patterns_command = {
	.name = "patterns",
	.summary = "cost of each access pattern, cold and warm",
	.about = "Measures the same memory in one access pattern after another, cold and warm, to "
		 "show how much of the latency prefetching, translation and overlap hide or add.",
	.notes = OPTIONS_SIZES_NOTE " docs/method.md explains each row.",
	.options = COMMAND_OPTIONS(table, options_chain, options_measurement, options_node,
				   options_cpu, options_memory_node, options_dry_run, options_code,
				   options_page, options_strict, options_result_format,
				   options_answer, options_machine),
	.experiment = FATHOM_PATTERNS,
	.complete = complete,
	COMMAND_MEASURES,
};
