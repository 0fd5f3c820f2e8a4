#include "commands.h"
#include "perform.h"
#include "values.h"

#define PAIRS "The pairs"

static option_table table = {
	{PAIRS, "cpu", 0, value_word, OPTIONS_AT(request.cpus), "LIST",
	 .doc = "Measure between these CPUs: 0-3,8 (default: all that may be used)"},
	{PAIRS, "all-pairs", 0, value_on, OPTIONS_AT(request.all_pairs), NULL,
	 .doc = "Measure every pair, also where fewer tell which are alike"},
	{0},
};

const struct command cores_command = {
	.name = "cores",
	.summary = "latency of a line from CPU to CPU, and which CPUs are close",
	.about = "Measures how long a cache line takes from one CPU to another, and finds which "
		 "CPUs are threads of a core, share a cache, or are farther apart.",
	.notes = "The latency is half of a round trip. docs/cores.md says how it is measured.",
	.examples = "fathom cores\n"
		    "fathom cores --cpu 0-15 --all-pairs -o cores.json\n"
		    "fathom report cores.json -o cores.svg\n",
	.options = COMMAND_OPTIONS(table, options_measurement, options_dry_run, options_strict,
				   options_all, options_no_y, options_result_format, options_answer,
				   options_machine),
	.experiment = FATHOM_CORE_TO_CORE,
	COMMAND_MEASURES,
};
