#include "commands.h"

#include <string.h>

#include "commands/perform.h"

static const struct command commands[] = {
	{"survey", "all experiments in one budget, and a report", &survey_argp, FATHOM_LATENCY,
	 false, true, survey_run},
	{"latency", "latency of dependent accesses against size, and the levels", &latency_argp,
	 FATHOM_LATENCY, false, true, perform_request},
	{"patterns", "cost of each access pattern, cold and warm", &patterns_argp, FATHOM_PATTERNS,
	 false, true, patterns_run},
	{"parallelism", "how many accesses overlap in each level (MLP)", &parallelism_argp,
	 FATHOM_PARALLELISM, false, true, parallelism_run},
	{"bandwidth", "bytes per second read, written and copied, by size and threads",
	 &bandwidth_argp, FATHOM_BANDWIDTH, false, true, perform_request},
	{"pages", "cost of address translation, by page kind", &pages_argp, FATHOM_PAGES, false,
	 true, pages_run},
	{"frequency", "which part of each latency follows the core clock", &frequency_argp,
	 FATHOM_LATENCY, false, true, frequency_run},
	{"fit", "levels in a curve that any tool measured", &fit_argp, FATHOM_LATENCY, false, false,
	 fit_run},
	{"compare", "whether runs differ: speed-ups, intervals, a verdict", &compare_argp,
	 FATHOM_LATENCY, false, false, compare_run},
	{"check", "measure a result again and report what got slower", &check_argp, FATHOM_LATENCY,
	 false, false, check_run},
	{"report", "figures and tables of results, for papers and other tools", &report_argp,
	 FATHOM_LATENCY, false, false, report_run},
	{"info", "this machine, and what limits measurements on it", &info_argp, FATHOM_LATENCY,
	 true, false, info_run},
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
