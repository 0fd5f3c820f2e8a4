/* What the computer is. */
#include "base/names.h"
#include "document/table.h"

static const struct field cpu_kind_table_fields[] = {
	FIELD(cpu_kind, name, TEXT, NULL, "performance, efficiency, or kind 0"),
	FIELD(cpu_kind, cpus, TEXT, NULL, "as in 0-3,8"),
	FIELD(cpu_kind, relative_speed, NUMBER, "share", "by the OS's ranking; null: not ranked"),
};
static TABLE(cpu_kind_table, cpu_kind, "cpu_kind", "CPUs that are alike");

#define CACHE(member, type, unit, doc, ...) FIELD(cache, member, type, unit, doc, ##__VA_ARGS__)

static const struct field cache_table_fields[] = {
	CACHE(level, COUNT, NULL, "1: the nearest", .flags = FIELD_ZERO),
	CACHE(kind, NAME, NULL, "what it holds", .name_of = cache_kind_name,
	      .unknown = FATHOM_CACHE_UNIFIED),
	CACHE(size_bytes, BYTES, "bytes", "of the cache"),
	CACHE(line_bytes, COUNT, "bytes", "of a line"),
	CACHE(ways, COUNT, NULL, "of a set"),
	CACHE(shared_cpus, COUNT, NULL, "logical CPUs that share it"),
};
static TABLE(cache_table, cache, "cache", "as the OS reports it for the default CPU");

static const struct field node_table_fields[] = {
	FIELD(node, id, COUNT, NULL, "as the OS numbers them", .flags = FIELD_ZERO),
	FIELD(node, memory_bytes, BYTES, "bytes", "of the node", .flags = FIELD_ZERO),
	FIELD(node, cpus, TEXT, NULL, "as in 0-3,8"),
};
static TABLE(node_table, node, "node", "a NUMA node");

static const struct field thp_size_table_fields[] = {
	FIELD(thp_size, page_bytes, BYTES, "bytes", "of a page", .flags = FIELD_ZERO),
	FIELD(thp_size, state, TEXT, NULL, "always, inherit (thp_state holds), madvise or never"),
};
static TABLE(thp_size_table, thp_size, "thp_size",
	     "a size of transparent huge pages that the kernel lists");

static const struct field page_pool_table_fields[] = {
	FIELD(page_pool, page_bytes, BYTES, "bytes", "of a page", .flags = FIELD_ZERO),
	FIELD(page_pool, total_pages, BYTES, "pages", "in the pool", .flags = FIELD_ZERO),
	FIELD(page_pool, free_pages, BYTES, "pages", "that nobody has", .flags = FIELD_ZERO),
};
static TABLE(page_pool_table, page_pool, "page_pool", "a pool of hugetlb pages");

#define OF(member, type, unit, doc, ...) FIELD(machine, member, type, unit, doc, ##__VA_ARGS__)

static const struct field machine_table_fields[] = {
	OF(description, TEXT, NULL, "of a simulated machine; null: a real one"),
	OF(hostname, TEXT, NULL, "what it calls itself"),
	OF(cpu_model, TEXT, NULL, "the name of its CPU"),
	OF(architecture, TEXT, NULL, "x86_64, aarch64, riscv64"),
	OF(kernel, TEXT, NULL, "with its version"),
	OF(hypervisor, TEXT, NULL, "null: none seen"),
	OF(container, TEXT, NULL, "null: none seen"),
	OF(allowed_cpus, TEXT, NULL, "as in 0-3,8"),
	OF(online_cpus, COUNT, NULL, "logical CPUs"),
	OF(smt_threads, COUNT, NULL, "threads a core"),
	LIST(machine, cpu_kinds, cpu_kind_count, cpu_kind_table, "CPUs that are alike"),
	LIST(machine, caches, cache_count, cache_table,
	     "as the OS reports them for the default CPU"),
	LIST(machine, nodes, node_count, node_table, "of NUMA"),
	OF(default_cpu, INTEGER, NULL, "the first allowed CPU of the fastest kind; -1: none",
	   .unknown = -1, .flags = FIELD_ZERO),
	OF(base_page_bytes, BYTES, "bytes", "the smallest pages"),
	OF(thp_page_bytes, BYTES, "bytes", "of transparent huge pages; null: there are none"),
	OF(thp_state, TEXT, NULL, "always, madvise or never"),
	LIST(machine, thp_sizes, thp_size_count, thp_size_table,
	     "that the kernel lists, multi-size THP and the usual; none before Linux 6.8",
	     .flags = FIELD_LATER),
	LIST(machine, pools, pool_count, page_pool_table, "of hugetlb pages"),
	OF(governor, TEXT, NULL, "of the clock; null: no cpufreq"),
	OF(clock_driver, TEXT, NULL, "as in intel_pstate; null: none"),
	OF(boost, SWITCH, NULL, "clocks above the nominal one are allowed"),
	OF(memory_bytes, BYTES, "bytes", "in all"),
	OF(available_bytes, BYTES, "bytes", "what the kernel says could be had"),
	OF(limit_bytes, BYTES, "bytes", "the most that one measurement may map", .unknown = -1),
	OF(limit_reason, TEXT, NULL, "whose limit that is"),
	OF(has_pmu, BOOLEAN, NULL, "there are hardware counters"),
	OF(counters_missing, TEXT, NULL,
	   "why they cannot be used; null: they can, or it is not known", .flags = FIELD_LATER),
	LIST_AS("conditions", machine, conditions.items, conditions.count, warning_table,
		"what limits or disturbs a measurement here"),
};
TABLE(machine_table, machine, "machine", "the computer, as the OS describes it");

static const struct field machine_document_table_fields[] = {
	HEAD("machine"),
	PART("fathom", version_table, "what wrote it"),
	PART("machine", machine_table, "the computer"),
};
TABLE(machine_document_table, machine, "machine_document", "a machine: fathom info --json");
