#include "commands.h"

#include <string.h>

#include "commands/perform.h"

static const struct command commands[] = {
	{"survey", "all of this in one budget, with a report", &survey_argp, FATHOM_LATENCY, false,
	 true, survey_run},
	{"latency", "what a dependent access costs, against size", &latency_argp, FATHOM_LATENCY,
	 false, true, perform_request},
	{"patterns", "the same memory in one order after another, cold and warm", &patterns_argp,
	 FATHOM_PATTERNS, false, true, patterns_run},
	{"parallelism", "how many accesses overlap in each level, and what that yields",
	 &parallelism_argp, FATHOM_PARALLELISM, false, true, parallelism_run},
	{"bandwidth", "how much can be read, written and copied, by size and threads",
	 &bandwidth_argp, FATHOM_BANDWIDTH, false, true, perform_request},
	{"pages", "what address translation costs, by kind of page", &pages_argp, FATHOM_PAGES,
	 false, true, pages_run},
	{"frequency", "which part of each latency follows the core's clock", &frequency_argp,
	 FATHOM_LATENCY, false, true, frequency_run},
	{"fit", "the levels in a curve, whatever tool measured it", &fit_argp, FATHOM_LATENCY,
	 false, false, fit_run},
	{"compare", "whether runs differ: speed-ups, intervals and a verdict", &compare_argp,
	 FATHOM_LATENCY, false, false, compare_run},
	{"check", "measure a result again, and tell what got slower", &check_argp, FATHOM_LATENCY,
	 false, false, check_run},
	{"report", "figures and tables of results, for papers and for other tools", &report_argp,
	 FATHOM_LATENCY, false, false, report_run},
	{"info", "this machine, and what limits measuring it", &info_argp, FATHOM_LATENCY, true,
	 false, info_run},
	{"run", "measure a plan that --dry-run --json printed", &run_argp, FATHOM_LATENCY, false,
	 true, run_run},
};
#define COMMAND_COUNT (sizeof(commands) / sizeof(*commands))

const struct command *command_list(size_t *count)
{
	*count = COMMAND_COUNT;
	return commands;
}

const struct command *command_find(const char *name)
{
	for (size_t i = 0; i < COMMAND_COUNT; i++)
		if (strcmp(commands[i].name, name) == 0)
			return &commands[i];
	return NULL;
}
