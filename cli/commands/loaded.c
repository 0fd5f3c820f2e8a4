#include "base/error.h"
#include "base/names.h"
#include "commands.h"
#include "perform.h"
#include "sizes.h"
#include "values.h"

#define CURVES       "The curves"
#define MOST_THREADS 1023

static const char *kind_name(int kind)
{
	return page_name(FATHOM_PAGE_4K + kind);
}

static const char *traffic_name(int traffic)
{
	return fathom_traffic_name(FATHOM_TRAFFIC_READS + traffic);
}

static int set_threads(const struct option_row *row, const char *value, void *at,
		       struct fathom_error *error)
{
	struct options *options = at;
	int64_t number;
	if (value_integer(row, value, &number, error))
		return -1;
	options->threads[0] = (uint32_t)number;
	options->thread_count = 1;
	return 0;
}

static option_table table = {
	{CURVES, "traffic", 0, value_choices, OPTIONS_AT(traffic_given), "LIST",
	 .choice = traffic_name,
	 .doc = "What the other CPUs do to memory: reads, 3:1 and 1:1 (reads to writes, of lines "
		"that are read and changed), nt (non-temporal writes); default: all"},
	{CURVES, "threads", 0, set_threads, 0, "N", .low = 1, .high = MOST_THREADS,
	 .doc = "How many CPUs make traffic, one a core as far as there are (default: one of each "
		"other core)"},
	{CURVES, "size", 0, value_sizes, OPTIONS_AT(sizes), "SIZE",
	 .doc = "Size of the chain (default: four times the last cache, at least 64M)"},
	{CURVES, "page", 0, value_choices, OPTIONS_AT(pages_given), "KINDS", .choice = kind_name,
	 .doc = "Page kinds of the chain, a curve for each: a list of 4K, thp, 2M, 1G and, as "
		"multi-size THP, 16K to 1M (default: 4K, and thp where it is available)"},
	{0},
};

const struct command loaded_command = {
	.name = "loaded",
	.summary = "latency of memory while other CPUs make traffic",
	.about = "Measures how the latency of memory rises with traffic: one CPU follows a chain "
		 "while the others read and write memory at set rates. A law of latency against "
		 "bandwidth is fitted to each curve.",
	.notes = "The bandwidth is that of all traffic, as it was achieved. Where memory's own "
		 "counters "
		 "can be read, they stand beside it; that takes kernel.perf_event_paranoid 0, or "
		 "CAP_PERFMON. docs/loaded.md says how it is measured, and what the law is.",
	.examples = "fathom loaded\n"
		    "fathom loaded --traffic reads,1:1 --budget 30s\n"
		    "fathom loaded --cpu 4 --threads 8 --page thp -o loaded.json\n"
		    "fathom report loaded.json -o loaded.svg\n",
	.options = COMMAND_OPTIONS(table, options_measurement, options_node, options_cpu,
				   options_memory_node, options_dry_run, options_target,
				   options_strict, options_all, options_no_y, options_result_format,
				   options_answer, options_machine),
	.experiment = FATHOM_LOADED,
	COMMAND_MEASURES,
};
