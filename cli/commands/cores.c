#include "base/error.h"
#include "commands.h"
#include "perform.h"
#include "sizes.h"
#include "values.h"

#define PAIRS "The pairs"

#define NODES "NUMA nodes (--nodes)"

static int set_nodes(const struct option_row *row, const char *value, void *at,
		     struct fathom_error *error)
{
	struct fathom_request *request = at;
	(void)row, (void)value, (void)error;
	request->experiment = FATHOM_NODES;
	return 0;
}

/* What is for nodes alone tells nothing of pairs. */
static int complete(struct options *options, struct fathom_error *error)
{
	struct fathom_request usual;
	const char *other = option_given(options, "size page memory-node");
	if (options->request.experiment != FATHOM_NODES)
		return other ? error_set(error, FATHOM_USAGE, "add --nodes, or leave it out",
					 "--%s is for NUMA nodes", other)
			     : 0;
	fathom_request_for(&usual, FATHOM_NODES);
	if (!option_given(options, "budget"))
		options->request.budget_s = usual.budget_s;
	return 0;
}

static option_table table = {
	{PAIRS, "cpu", 0, value_word, OPTIONS_AT(request.cpus), "LIST",
	 .doc = "Measure between these CPUs: 0-3,8 (default: all that may be used)"},
	{NODES, "nodes", 0, set_nodes, OPTIONS_AT(request), NULL,
	 .excludes = "cpu all-pairs pairs-only",
	 .doc = "Measure the memory of each NUMA node for the CPUs of each alone, and longer: "
		"latency, reading, writing and copying"},
	{NODES, "size", 0, value_sizes, OPTIONS_AT(sizes), "SIZE",
	 .doc = "Size to measure (default: four times the last cache, at least 64M)"},
	{PAIRS, "all-pairs", 0, value_on, OPTIONS_AT(request.all_pairs), NULL,
	 .doc = "Measure every pair, also where fewer tell which are alike"},
	{PAIRS, "pairs-only", 0, value_on, OPTIONS_AT(request.pairs_only), NULL,
	 .doc = "Measure pairs alone: neither which caches CPUs share, nor contention, nor nodes"},
	{0},
};

const struct command cores_command = {
	.name = "cores",
	.summary = "latency of a line from CPU to CPU, and which CPUs are close",
	.about = "Measures how long a cache line takes from one CPU to another, and finds which "
		 "CPUs are threads of a core, share a cache, or are farther apart; then which "
		 "CPUs share each cache, what it costs that threads go for the same line or word "
		 "at once, and, where there are several NUMA nodes, what the memory of each is to "
		 "the CPUs of each.",
	.notes = "The latency is half of a round trip. docs/cores.md says how it is measured.",
	.examples = "fathom cores\n"
		    "fathom cores --cpu 0-15 --all-pairs -o cores.json\n"
		    "fathom cores --pairs-only\n"
		    "fathom report cores.json -o cores.svg\n"
		    "fathom cores --nodes\n"
		    "fathom cores --nodes --format hwloc -o nodes.sh\n",
	.options = COMMAND_OPTIONS(table, options_measurement, options_node, options_memory_node,
				   options_page, options_target, options_dry_run, options_strict,
				   options_all, options_no_y, options_result_format, options_answer,
				   options_machine),
	.experiment = FATHOM_CORE_TO_CORE,
	.complete = complete,
	COMMAND_MEASURES,
};
