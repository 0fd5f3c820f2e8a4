#include "base/names.h"
#include "commands.h"
#include "perform.h"
#include "sizes.h"
#include "values.h"

#define CURVES       "The curves"
#define FEWEST_LANES 2

static const enum fathom_lane_store stores[] = {FATHOM_STORE_UNKNOWN, FATHOM_STORE_REGISTERS,
						FATHOM_STORE_VECTORS, FATHOM_STORE_STACK};

static const char *store_choice(int number)
{
	if (number == sizeof(stores) / sizeof(*stores))
		return NULL;
	return number == 0 ? "auto" : lane_store_name((int)stores[number]);
}

static option_table table = {
	{CURVES, "size", 0, value_sizes, OPTIONS_AT(sizes), "SIZES",
	 .doc = "Sizes: 16K,1M,64M, or a range 16K..64M of powers of two (default: one in each "
		"level, which a sweep finds first)"},
	{CURVES, "lanes", 0, value_number, OPTIONS_AT(request.most_lanes), "N", .low = FEWEST_LANES,
	 .high = FATHOM_MOST_LANES,
	 .doc = "Most chains at once, {} (default: 32, or as many as --lane-store has room for)"},
	{CURVES, "lane-store", 0, value_choice, OPTIONS_AT(lane_store), "PLACE",
	 .choice = store_choice,
	 .doc = "Where the cursors of the chains live: registers, vectors (once registers are "
		"full), stack (all of them, as compilers spill) or auto (default: registers, then "
		"whatever is faster)"},
	{CURVES, "max-size", 0, value_size, OPTIONS_AT(request.max_size_bytes), "SIZE",
	 .excludes = "size",
	 .hint = "leave out '--max-size': it limits the sweep that '--size' replaces",
	 .doc = "Largest size of the sweep"},
	{CURVES, "separate", 0, value_on, OPTIONS_AT(request.separate), NULL,
	 .doc = "Give each chain its own cycle and its own part of the memory (default: equally "
		"spaced on one cycle)"},
	{0},
};

static int complete(struct options *options, struct fathom_error *error)
{
	(void)error;
	options->request.spec.lane_store = stores[options->lane_store];
	return 0;
}

const struct command parallelism_command = {
	.name = "parallelism",
	.summary = "how many accesses overlap in each level (MLP)",
	.about = "Measures memory-level parallelism: follows more and more chains at once to find "
		 "how many accesses overlap in each level, and what limits that.",
	.notes = OPTIONS_SIZES_NOTE " docs/parallelism.md explains each number.",
	.options = COMMAND_OPTIONS(table, options_chain, options_measurement, options_node,
				   options_cpu, options_memory_node, options_dry_run, options_code,
				   options_page, options_target, options_strict, options_no_y,
				   options_all, options_explain, options_result_format,
				   options_answer, options_machine),
	.experiment = FATHOM_PARALLELISM,
	.complete = complete,
	COMMAND_MEASURES,
};
