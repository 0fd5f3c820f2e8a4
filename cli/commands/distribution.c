#include "base/error.h"
#include "base/names.h"
#include "commands.h"
#include "perform.h"
#include "sizes.h"
#include "values.h"

#define ACCESSES      "The accesses"
#define MOST_ACCESSES 20000000

enum cold { COLD_FLUSHED, COLD_UNTOUCHED, COLD_NONE };

CHOICES(cold_name, "flushed", "untouched", "none")

static option_table table = {
	{ACCESSES, "size", 0, value_sizes, OPTIONS_AT(sizes), "SIZES",
	 .doc = "Sizes to time accesses in: a list 16K,1M, or a range 1K..256M of powers of two "
		"(default: half of each cache that the OS reports, and past all of them)"},
	{ACCESSES, "cold", 0, value_choice, OPTIONS_AT(cold), "KIND", .choice = cold_name,
	 .doc = "flushed: also accesses whose line is flushed from all caches before (the "
		"default without --size, within a page); untouched: also first accesses to pages, "
		"which the kernel gives then; or none"},
	{ACCESSES, "accesses", 0, value_steps, OPTIONS_AT(request.steps), "N", .low = 1,
	 .high = MOST_ACCESSES, .doc = "Accesses of each size (default: 1M; with --over 4M)"},
	{ACCESSES, "over", 0, value_budget, OPTIONS_AT(request.over_s), "TIME",
	 .doc = "Spread them over that time, as in 60s, and show how the slow ones change "
		"(default sizes: past the caches alone)"},
	{ACCESSES, "no-control", 0, value_off, OPTIONS_AT(request.control), NULL,
	 .doc = "Leave out the chains that tell misses of TLBs and of rows of memory from other "
		"accesses (there are none with --size or --over)"},
	{0},
};

static int complete(struct options *options, struct fathom_error *error)
{
	(void)error;
	options->request.cold_flushed = option_given(options, "cold")
						? options->cold == COLD_FLUSHED
						: !option_given(options, "size");
	options->request.untouched =
		option_given(options, "cold") && options->cold == COLD_UNTOUCHED;
	return 0;
}

const struct command distribution_command = {
	.name = "distribution",
	.summary = "what single accesses take: percentiles, modes, refresh",
	.about = "Times accesses along random cycles one by one: how long most take and how long "
		 "few take, round which latencies they gather, and whether memory is refreshed "
		 "meanwhile.",
	.notes = "What timing takes is measured and taken off. docs/distribution.md says how it is "
		 "measured, and where its limits are.",
	.examples = "fathom distribution\n"
		    "fathom distribution --size 1M,256M --page thp\n"
		    "fathom distribution --over 60s -o tail.html\n"
		    "fathom distribution --json -o distribution.json\n",
	.options = COMMAND_OPTIONS(table, options_page, options_measurement, options_node,
				   options_cpu, options_memory_node, options_dry_run,
				   options_strict, options_all, options_no_y, options_result_format,
				   options_answer, options_machine),
	.experiment = FATHOM_DISTRIBUTION,
	.complete = complete,
	COMMAND_MEASURES,
};
