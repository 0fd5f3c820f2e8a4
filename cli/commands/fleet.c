#include "commands.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/text.h"
#include "base/warnings.h"
#include "deliver.h"
#include "messages.h"
#include "perform.h"
#include "values.h"

#define FLEET     "The fleet"
#define MOST_JOBS 256
#define NAMED     3

static option_table table = {
	{FLEET, "since", 0, value_word, OPTIONS_AT(since), "OLD", .files = true,
	 .doc = "Hold each node against itself: an earlier fleet (.json of this command), or a "
		"folder of documents; names changes, nodes that vanished and new ones"},
	{FLEET, "reference", 0, value_word, OPTIONS_AT(reference), "FILE", .files = true,
	 .doc = "What is usual: a fleet or a folder, of 8 like nodes or more; of fewer, even one "
		"result, where the fleet itself has 8 (default: the fleet itself)"},
	{FLEET, "false-alarms", 0, value_share, OPTIONS_AT(false_alarms), "SHARE",
	 .doc = "Of the outliers so many may be false (default: 2%)"},
	{FLEET, "jobs", 'j', value_number, OPTIONS_AT(jobs), "N", .low = 1, .high = MOST_JOBS,
	 .doc = "Read files with N threads, {} (default: one for each CPU)"},
	{OPTIONS_DISPLAY, "all", 0, value_on, OPTIONS_AT(every_point), NULL,
	 .doc = "Show all rows"},
	{0},
};

static bool stop(void *context)
{
	const struct options *options = context;
	return *options->environment->interrupted != 0;
}

/* ---- what was found ---- */

static void add_count(struct text *text, size_t count, const char *what)
{
	if (count)
		text_add(text, "%s%zu node%s %s", text->length ? " and " : "", count,
			 count == 1 ? "" : "s", what);
}

static int refuse_changes(const struct fathom_fleet *fleet, struct fathom_error *error)
{
	struct text text = {0};
	add_count(&text, fleet->change_count, "changed");
	add_count(&text, fleet->vanished_count, "vanished");
	error_set(error, FATHOM_DIFFERENT, NULL, "%s since '%s'", text.data ? text.data : "",
		  fleet->since);
	text_free(&text);
	return -1;
}

/* Of a file; in a fleet that others wrote one may have no name. */
static const char *damaged_file(const struct fathom_fleet *fleet)
{
	return fleet->damaged[0].file ? fleet->damaged[0].file : "unknown";
}

static int judge_rest(const struct fathom_fleet *fleet, struct fathom_error *error)
{
	const struct fathom_warning *few = warnings_find(&fleet->warnings, "few-common");
	if (fleet->change_count || fleet->vanished_count)
		return refuse_changes(fleet, error);
	if (fleet->damaged_count)
		return error_set(error, FATHOM_BAD_INPUT, fleet->damaged[0].command,
				 "%zu file%s passed over: '%s': %s", fleet->damaged_count,
				 fleet->damaged_count == 1 ? " was" : "s were", damaged_file(fleet),
				 fleet->damaged[0].reason);
	if (few)
		return error_set(error, FATHOM_QUALITY, few->hint, "%s", few->text);
	for (size_t i = 0; i < fleet->group_count; i++)
		if (fleet->groups[i].judged)
			return 0;
	return error_set(error, FATHOM_QUALITY,
			 "give the documents of at least 8 like nodes, or a --reference of as many",
			 "no group has enough undisturbed nodes to say what is usual");
}

static int judge(const struct fathom_fleet *fleet, struct fathom_error *error)
{
	struct text text = {0};
	if (!fleet->outlier_count)
		return judge_rest(fleet, error);
	for (size_t i = 0; i < fleet->outlier_count && i < NAMED; i++)
		text_add(&text, "%s'%s'", i ? ", " : "", fleet->outliers[i].host);
	if (fleet->outlier_count > NAMED)
		text_add(&text, " and %zu more", fleet->outlier_count - NAMED);
	error_set(error, FATHOM_DIFFERENT, NULL, "%s deviate%s from the other nodes",
		  text.data ? text.data : "", fleet->outlier_count == 1 ? "s" : "");
	text_free(&text);
	return -1;
}

static int deliver_fleet(const struct fathom_fleet *fleet, struct deliver *deliver,
			 const struct options *options, struct fathom_error *error)
{
	struct fathom_style style = perform_style(options);
	char *answer = NULL;
	size_t length = 0;
	int status = fathom_fleet_write(fleet, options->format, &style, &answer, &length, error);
	status = deliver_written(deliver, status, answer, length, error);
	if (!status && !options->quiet && strcmp(options->format, "text") != 0)
		messages_warnings(&fleet->warnings);
	return status;
}

/* ---- the whole ---- */

static int read_fleet(struct fathom_fleet_reader *reader, const struct options *options,
		      struct fathom_fleet **fleet, struct fathom_error *error)
{
	if (fathom_fleet_read(reader, options->arguments, options->argument_count, error) ||
	    (options->since && fathom_fleet_since(reader, options->since, error)) ||
	    (options->reference && fathom_fleet_reference(reader, options->reference, error)))
		return -1;
	return fathom_fleet_make(reader, fleet, error);
}

static int refuse_empty(const struct fathom_fleet *fleet, struct fathom_error *error)
{
	if (fleet->node_count)
		return 0;
	if (fleet->damaged_count)
		return error_set(error, FATHOM_BAD_INPUT, fleet->damaged[0].command, "'%s': %s",
				 damaged_file(fleet), fleet->damaged[0].reason);
	return error_set(error, FATHOM_BAD_INPUT,
			 "measure each node with 'fathom --quick -o run.%h.json'",
			 "there is no document to read: no file that ends in .json");
}

static int run(const struct options *options, struct fathom_error *error)
{
	const struct fathom_observer observer = {.context = (void *)options, .stop = stop};
	struct fathom_fleet_options asked;
	struct fathom_fleet_reader *reader = NULL;
	struct fathom_fleet *fleet = NULL;
	struct deliver deliver = {0};
	if (!options->argument_count)
		return error_set(error, FATHOM_USAGE, "FILE... or a folder with .json files",
				 "'fleet' needs the documents of the nodes");
	fathom_fleet_default(&asked);
	asked.jobs = options->jobs;
	asked.observer = &observer;
	if (options->false_alarms > 0)
		asked.false_alarms = options->false_alarms;
	int status = deliver_open(&deliver, options->output, error);
	if (!status)
		status = fathom_fleet_open(&asked, &reader, error);
	if (!status)
		status = read_fleet(reader, options, &fleet, error);
	if (!status)
		status = refuse_empty(fleet, error);
	if (!status)
		status = deliver_fleet(fleet, &deliver, options, error);
	if (!status)
		status = judge(fleet, error);
	deliver_cancel(&deliver);
	fathom_fleet_close(reader);
	fathom_fleet_free(fleet);
	return status;
}

const struct command fleet_command = {
	.name = "fleet",
	.summary = "many machines: groups, outliers, and their causes",
	.arguments = "PATH...",
	.unbounded = true,
	.about = "Judges many machines that are to be alike, from the documents that "
		 "'fathom --quick -o run.%h.json' wrote on each: groups them by their hardware and "
		 "settings, finds what is usual in each group, and names the nodes that deviate, "
		 "with the likeliest cause and what to run there. Of a folder all files are read "
		 "that end in .json. Exit code 6: a node deviates, changed or vanished; 5: a file "
		 "is damaged; 4: too few nodes are alike to be judged. docs/fleet.md says how.",
	.examples = "fathom fleet runs/\n"
		    "fathom fleet runs/ -o fleet.html\n"
		    "fathom fleet runs/ -o fleet.json --since last-week.json\n",
	.options = COMMAND_OPTIONS(table, options_fleet_format, options_answer),
	.answer = "fleet",
	.run = run,
};
