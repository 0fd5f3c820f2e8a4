/* What the computer is. */
#include "base/names.h"
#include "document/table.h"

#define CACHE(member, type, unit, doc, ...) FIELD(cache, member, type, unit, doc, ##__VA_ARGS__)

static const struct field cache_table_fields[] = {
	CACHE(level, COUNT, NULL, "level of the cache; 1 is nearest to the core",
	      .flags = FIELD_ZERO),
	CACHE(kind, NAME, NULL, "what the cache holds", .name_of = cache_kind_name,
	      .unknown = FATHOM_CACHE_UNIFIED),
	CACHE(size_bytes, BYTES, "bytes", "size of the cache"),
	CACHE(line_bytes, COUNT, "bytes", "size of a line"),
	CACHE(ways, COUNT, NULL, "lines in a set (associativity)"),
	CACHE(shared_cpus, COUNT, NULL, "number of logical CPUs that share the cache"),
};
static TABLE(cache_table, cache, "cache", "a cache, as the OS reports it");

static const struct field cpu_kind_table_fields[] = {
	FIELD(cpu_kind, name, TEXT, NULL, "name of the kind: performance, efficiency, or kind 0"),
	FIELD(cpu_kind, cpus, TEXT, NULL, "as in 0-3,8"),
	FIELD(cpu_kind, relative_speed, NUMBER, "share",
	      "speed relative to the fastest kind, as the OS ranks them; null: not ranked"),
	LIST(cpu_kind, caches, cache_count, cache_table,
	     "caches, as the OS reports them for its first CPU; missing: the machine has one kind",
	     .flags = FIELD_LATER | FIELD_LEFT_OUT),
};
static TABLE(cpu_kind_table, cpu_kind, "cpu_kind", "group of CPUs of the same kind");

static const struct field node_table_fields[] = {
	FIELD(node, id, COUNT, NULL, "number of the node in the OS", .flags = FIELD_ZERO),
	FIELD(node, memory_bytes, BYTES, "bytes", "memory of the node", .flags = FIELD_ZERO),
	FIELD(node, cpus, TEXT, NULL, "as in 0-3,8"),
};
static TABLE(node_table, node, "node", "a NUMA node");

static const struct field thp_size_table_fields[] = {
	FIELD(thp_size, page_bytes, BYTES, "bytes", "size of a page", .flags = FIELD_ZERO),
	FIELD(thp_size, state, TEXT, NULL, "always, madvise, never, or inherit: as thp_state says"),
};
static TABLE(thp_size_table, thp_size, "thp_size",
	     "a size of transparent huge pages that the kernel supports");

static const struct field page_pool_table_fields[] = {
	FIELD(page_pool, page_bytes, BYTES, "bytes", "size of a page", .flags = FIELD_ZERO),
	FIELD(page_pool, total_pages, BYTES, "pages", "number of pages in the pool",
	      .flags = FIELD_ZERO),
	FIELD(page_pool, free_pages, BYTES, "pages", "number of unused pages in the pool",
	      .flags = FIELD_ZERO),
};
static TABLE(page_pool_table, page_pool, "page_pool", "a pool of hugetlb pages");

#define OF(member, type, unit, doc, ...) FIELD(machine, member, type, unit, doc, ##__VA_ARGS__)

WHEN(has_waited, machine, it->waited_s > 0)

static const struct field machine_table_fields[] = {
	OF(description, TEXT, NULL, "description of a simulated machine; null: a real machine"),
	OF(hostname, TEXT, NULL, "host name"),
	OF(cpu_model, TEXT, NULL, "model name of the CPU"),
	OF(cpu_signature, TEXT, NULL,
	   "family, model and stepping of the CPU, or what its architecture has in their place",
	   .flags = FIELD_LATER | FIELD_LEFT_OUT),
	OF(microcode, TEXT, NULL, "revision of the microcode",
	   .flags = FIELD_LATER | FIELD_LEFT_OUT),
	OF(memory_modules, TEXT, NULL, "memory modules, where the kernel shows them (EDAC)",
	   .flags = FIELD_LATER | FIELD_LEFT_OUT),
	OF(architecture, TEXT, NULL, "instruction set: x86_64, aarch64 or riscv64"),
	OF(kernel, TEXT, NULL, "name and version of the kernel"),
	OF(hypervisor, TEXT, NULL, "name of the hypervisor; null: none detected"),
	OF(container, TEXT, NULL, "kind of container; null: none detected"),
	OF(allowed_cpus, TEXT, NULL, "as in 0-3,8"),
	OF(online_cpus, COUNT, NULL, "number of logical CPUs online"),
	OF(smt_threads, COUNT, NULL, "hardware threads per core"),
	LIST(machine, cpu_kinds, cpu_kind_count, cpu_kind_table, "kinds of CPUs"),
	LIST(machine, caches, cache_count, cache_table,
	     "caches, as the OS reports them for the default CPU"),
	LIST(machine, nodes, node_count, node_table, "of NUMA"),
	OF(default_cpu, INTEGER, NULL,
	   "CPU that is measured by default: the first allowed one of the fastest kind; -1: none",
	   .unknown = -1, .flags = FIELD_ZERO),
	OF(base_page_bytes, BYTES, "bytes", "size of the smallest page"),
	OF(thp_page_bytes, BYTES, "bytes", "size of transparent huge pages; null: there are none"),
	OF(thp_state, TEXT, NULL, "transparent huge pages: always, madvise or never"),
	LIST(machine, thp_sizes, thp_size_count, thp_size_table,
	     "sizes of transparent huge pages, multi-size THP included; empty before Linux 6.8",
	     .flags = FIELD_LATER),
	LIST(machine, pools, pool_count, page_pool_table, "pools of hugetlb pages"),
	OF(governor, TEXT, NULL, "frequency governor; null: no cpufreq"),
	OF(clock_driver, TEXT, NULL, "cpufreq driver, like intel_pstate; null: none"),
	OF(boost, SWITCH, NULL, "whether clocks above the nominal one are allowed (turbo)"),
	OF(memory_bytes, BYTES, "bytes", "total memory"),
	OF(available_bytes, BYTES, "bytes", "memory available now, as the kernel estimates it"),
	OF(limit_bytes, BYTES, "bytes", "largest memory that one measurement may map",
	   .unknown = -1),
	OF(limit_reason, TEXT, NULL, "what sets limit_bytes"),
	OF(waited_s, NUMBER, "s",
	   "how long a run looked at other programs, and waited for them to end, before it began",
	   .range = RANGE_NOT_NEGATIVE, .when = has_waited, .flags = FIELD_LATER | FIELD_LEFT_OUT),
	OF(has_pmu, BOOLEAN, NULL, "whether there are hardware counters"),
	OF(counters_missing, TEXT, NULL,
	   "why hardware counters cannot be used; null: they can, or it is not known",
	   .flags = FIELD_LATER),
	LIST_AS("conditions", machine, conditions.items, conditions.count, warning_table,
		"what limits or disturbs measurements on this machine"),
};
TABLE(machine_table, machine, "machine", "the machine, as the OS describes it");

static const struct field machine_document_table_fields[] = {
	HEAD("machine"),
	PART("fathom", version_table, "program that wrote the document"),
	PART("machine", machine_table, "the machine"),
};
TABLE(machine_document_table, machine, "machine_document",
      "description of a machine, printed by fathom info --json");
