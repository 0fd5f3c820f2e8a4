/* The options of what is measured, and of how long and where. */
#include <limits.h>
#include <string.h>

#include "base/error.h"
#include "base/list.h"
#include "base/names.h"
#include "base/units.h"
#include "options.h"
#include "values.h"

#define INPUT "The file"

void options_complete_lists(struct options *options)
{
	struct fathom_request *request = &options->request;
	request->sizes_bytes = options->sizes.count ? options->sizes.bytes : NULL;
	request->size_count = options->sizes.count;
	request->strides_bytes = options->strides.count ? options->strides.bytes : NULL;
	request->stride_count = options->strides.count;
	request->threads = options->thread_count ? options->threads : NULL;
	request->thread_count = options->thread_count;
	request->stream_count = request->page_count = request->traffic_count = 0;
	for (int i = 0; i < OPTIONS_STREAMS; i++)
		if (options->streams_given[i])
			options->streams[request->stream_count++] =
				(enum fathom_pattern)(FATHOM_READ + i);
	request->streams = request->stream_count ? options->streams : NULL;
	for (int i = 0; i < OPTIONS_PAGE_KINDS; i++)
		if (options->pages_given[i])
			options->pages[request->page_count++] =
				(enum fathom_page)(FATHOM_PAGE_4K + i);
	request->pages = request->page_count ? options->pages : NULL;
	for (int i = 0; i < OPTIONS_TRAFFIC; i++)
		if (options->traffic_given[i])
			options->traffic[request->traffic_count++] =
				(enum fathom_traffic)(FATHOM_TRAFFIC_READS + i);
	request->traffic = request->traffic_count ? options->traffic : NULL;
}

option_table options_measurement = {
	{OPTIONS_MEASUREMENT, "budget", 0, value_budget, OPTIONS_AT(request.budget_s), "TIME",
	 .doc = "Time limit: 20s, 500ms, 2m (each command has its own default, see --dry-run)"},
	{OPTIONS_MEASUREMENT, "seed", 0, value_seed, OPTIONS_AT(request.spec.seed), "N",
	 .doc = "Random seed: the same seed gives the same plan and placements"},
	{OPTIONS_MEASUREMENT, "samples", 0, value_on, OPTIONS_AT(request.keep_samples), NULL,
	 .doc = "Keep every timed batch in the document"},
	{OPTIONS_MEASUREMENT, "no-wait", 0, value_on, OPTIONS_AT(no_wait), NULL,
	 .doc = "Begin at once, also while other programs are busy (default: wait for them, at "
		"most 10 s and no longer than the budget)"},
	{0},
};

option_table options_node = {
	{OPTIONS_MEASUREMENT, "deadline", 0, value_budget, OPTIONS_AT(deadline_s), "TIME",
	 .doc = "Hard limit of the command's wall time: the budget is cut to what it leaves, and "
		"what was measured by then is kept, as interrupted"},
	{OPTIONS_MEASUREMENT, "alone", 0, value_on, OPTIONS_AT(alone), NULL,
	 .doc = "Refuse to measure while another fathom with --alone does on this node; always so "
		"in an MPI or Slurm job"},
	{0},
};

option_table options_cpu = {
	{OPTIONS_MEASUREMENT, "cpu", 0, value_number, OPTIONS_AT(request.cpu), "N", .high = INT_MAX,
	 .doc = "Measure on CPU N (default: the first of the fastest kind)"},
	{0},
};

/* A number goes to `cpu`, for what takes no list. */
static int set_cpus(const struct option_row *row, const char *value, void *at,
		    struct fathom_error *error)
{
	struct fathom_request *request = at;
	const char *list = value;
	int low, high;
	if (*value && !value[strspn(value, "0123456789")])
		return value_number(row, value, &request->cpu, error);
	while (cpu_list_next(&list, &low, &high))
		;
	if (strcmp(value, "kinds") != 0 && (*list || !*value))
		return error_set(error, FATHOM_USAGE,
				 "a number, a list as in 0-3,8, or kinds: one of each kind of core",
				 "--%s: '%s' is no list of CPUs", row->name, value);
	request->cpus = value;
	return 0;
}

option_table options_cpus = {
	{OPTIONS_MEASUREMENT, "cpu", 0, set_cpus, OPTIONS_AT(request), "LIST", .high = INT_MAX,
	 .doc = "Measure on CPU N, on each of a list (0,8), or on one of each kind of core "
		"(kinds), in equal shares of the budget (default: the first of the fastest kind)"},
	{0},
};

option_table options_sibling = {
	{OPTIONS_MEASUREMENT, "sibling", 0, value_word, OPTIONS_AT(request.siblings), "LIST",
	 .doc = "Measure while the other threads of the core are idle, do sums in L1 (computes), "
		"or "
		"read memory (streams): a list of these, or all, in equal shares of the budget "
		"(default: they are left alone)"},
	{0},
};

option_table options_memory_node = {
	{OPTIONS_MEASUREMENT, "memory-node", 0, value_number, OPTIONS_AT(request.memory_node), "N",
	 .high = INT_MAX, .doc = "Take the memory from NUMA node N (default: that of the CPU)"},
	{0},
};

option_table options_dry_run = {
	{OPTIONS_MEASUREMENT, "dry-run", 0, value_on, OPTIONS_AT(dry_run), NULL,
	 .doc = "Print the plan with its memory and time, and measure nothing"},
	{0},
};

option_table options_code = {
	{OPTIONS_MEASUREMENT, "show-code", 0, value_on, OPTIONS_AT(show_code), NULL,
	 .excludes = "dry-run json csv format",
	 .doc = "Print the timed loops as assembly, and measure nothing"},
	{0},
};

option_table options_page = {
	{OPTIONS_MEASUREMENT, "page", 0, value_choice, OPTIONS_AT(request.spec.page), "KIND",
	 .choice = page_name,
	 .doc = "default (what malloc gets), 4K, thp, 2M or 1G; 16K to 1M: multi-size THP"},
	{0},
};

option_table options_target = {
	{OPTIONS_MEASUREMENT, "target", 0, value_share, OPTIONS_AT(request.target), "SHARE",
	 .doc = "Half-width of the 95 % intervals to aim for (default: 1%)"},
	{0},
};

option_table options_strict = {
	{OPTIONS_MEASUREMENT, "strict", 0, value_on, OPTIONS_AT(strict), NULL,
	 .doc = "Exit with 4 when the quality is not good, or a point misses the target"},
	{0},
};

/* The old name of --spacing, which NUMA users take for something else. */
static int set_node(const struct option_row *row, const char *value, void *at,
		    struct fathom_error *error)
{
	if (value[0] >= '0' && value[0] <= '3' && !value[1])
		return error_set(error, FATHOM_USAGE,
				 "of a NUMA node say one of its CPUs with --cpu; of nodes of a "
				 "chain, how far apart they are, with --spacing",
				 "--%s: '%s' is no distance between nodes of a chain", row->name,
				 value);
	return value_size(row, value, at, error);
}

option_table options_chain = {
	{OPTIONS_CHAIN, "spacing", 0, value_size, OPTIONS_AT(request.spec.node_bytes), "SIZE",
	 .excludes = "node",
	 .doc = "Distance between the nodes of the chain (default: one line); 1 for single bytes, "
		"with pattern independent or an index array"},
	{OPTIONS_CHAIN, "node", 0, set_node, OPTIONS_AT(request.spec.node_bytes), "SIZE",
	 .doc = "The old name of --spacing (NUMA nodes: --cpu)"},
	{OPTIONS_CHAIN, "link", 0, value_choice, OPTIONS_AT(request.spec.link), "KIND",
	 .choice = link_name,
	 .doc = "pointer, index32 (32-bit indexes) or byte (none); default: the largest that "
		"--spacing is a multiple of"},
	{0},
};

option_table options_range = {
	{OPTIONS_CURVE, "min-size", 0, value_size, OPTIONS_AT(request.min_size_bytes), "SIZE",
	 .doc = "Smallest size (default: 1K)"},
	{OPTIONS_CURVE, "max-size", 0, value_size, OPTIONS_AT(request.max_size_bytes), "SIZE",
	 .doc = "Largest size: 64M, 1.5G (default: past the caches)"},
	{OPTIONS_CURVE, "per-octave", 0, value_number, OPTIONS_AT(request.per_octave), "N",
	 .low = 1, .high = OPTIONS_MOST_PER_OCTAVE,
	 .doc = "Sizes per octave (from one power of two to the next)"},
	{0},
};

option_table options_input = {
	{INPUT, "columns", 0, value_word, OPTIONS_AT(input.columns), "SIZE,LATENCY",
	 .doc = "The columns with sizes and latencies: names, or numbers from 1 (default: by "
		"their names)"},
	{INPUT, "size-unit", 0, value_word, OPTIONS_AT(input.size_unit), "UNIT",
	 .doc = "Unit of the sizes: " UNITS_OF_SIZES " (default: as the file says, else B)"},
	{INPUT, "value-unit", 0, value_word, OPTIONS_AT(input.value_unit), "UNIT",
	 .doc = "Unit of the latencies: " UNITS_OF_LATENCIES
		" (default: as the file says, else ns)"},
	{0},
};
