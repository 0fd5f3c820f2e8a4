#include "simulate/simulated_machine.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/list.h"
#include "base/text.h"
#include "simulate/simulated_cpus.h"

#define PAGE_2M_BYTES ((uint64_t)2 << 20)
#define PAGE_1G_BYTES ((uint64_t)1 << 30)

static struct fathom_cache claimed_cache(const struct simulated_spec *spec, unsigned level)
{
	const struct simulated_shape *truth = &spec->caches[level];
	const struct simulated_topology *topology =
		spec->os_topology.sockets ? &spec->os_topology : &spec->topology;
	bool shared = level > 0 && level + 1 == spec->cache_count;
	bool true_size = spec->os_size_bytes[level] == truth->size_bytes;
	return (struct fathom_cache){
		.level = level + 1,
		.kind = level ? FATHOM_CACHE_UNIFIED : FATHOM_CACHE_DATA,
		.size_bytes = spec->os_size_bytes[level],
		.line_bytes = (uint32_t)spec->os_line_bytes,
		.ways = true_size ? (uint32_t)truth->ways : 0,
		.shared_cpus = (uint32_t)(topology->threads * (shared ? topology->cores : 1)),
	};
}

/* Online CPUs of a node; -1: of all. */
static char *cpu_list(const struct fathom_machine *machine, int node)
{
	struct text list = {0};
	int *cpus = calloc(machine->cpu_count + 1, sizeof(*cpus));
	size_t count = 0;
	for (size_t i = 0; cpus && i < machine->cpu_count; i++)
		if (node < 0 || machine->cpus[i].node == node)
			cpus[count++] = machine->cpus[i].cpu;
	if (cpus)
		cpu_list_add(&list, cpus, count);
	list.failed |= !cpus;
	free(cpus);
	return text_take(&list);
}

static bool fill_cpus(struct fathom_machine *machine, const struct simulated_spec *spec)
{
	machine->cpus = calloc(spec->cpus, sizeof(*machine->cpus));
	for (unsigned cpu = 0; machine->cpus && cpu < spec->cpus; cpu++)
		if (simulated_cpus_usable(spec, cpu, 0))
			machine->cpus[machine->cpu_count++] = simulated_cpus_claimed(spec, cpu);
	machine->online_cpus = (uint32_t)machine->cpu_count;
	machine->default_cpu = machine->cpus ? machine->cpus[0].cpu : -1;
	return machine->cpus;
}

static bool fill_caches(const struct simulated_spec *spec, struct fathom_cache **caches,
			size_t *count)
{
	*caches = calloc(SIMULATED_LEVELS, sizeof(**caches));
	for (unsigned level = 0; *caches && level < SIMULATED_LEVELS; level++)
		if (spec->os_size_bytes[level])
			(*caches)[(*count)++] = claimed_cache(spec, level);
	return *caches;
}

/* ---- kinds of cores ---- */

/* The online CPUs of the first kind are those of no other. Returns the first; -1: there is none. */
static int kind_cpus(const struct fathom_machine *machine, const struct simulated_spec *spec,
		     const struct simulated_kind *kind, struct text *list)
{
	int *cpus = calloc(machine->cpu_count, sizeof(*cpus)), first = -1;
	size_t count = 0;
	list->failed |= !cpus;
	for (size_t i = 0; cpus && i < machine->cpu_count; i++)
		if (simulated_kind_of(spec, (uint64_t)machine->cpus[i].cpu) == kind)
			cpus[count++] = machine->cpus[i].cpu;
	if (count) {
		first = cpus[0];
		cpu_list_add(list, cpus, count);
	}
	free(cpus);
	return first;
}

/* As a real machine's are named. */
static char *kind_name(const double *clocks_hz, size_t count, size_t which)
{
	size_t slower = 0, faster = 0;
	for (size_t i = 0; i < count; i++) {
		slower += clocks_hz[i] < clocks_hz[which];
		faster += clocks_hz[i] > clocks_hz[which];
	}
	return slower + 1 == count   ? strdup("performance")
	       : faster + 1 == count ? strdup("efficiency")
				     : text_format("kind %zu", which);
}

/* Returns its clock; 0: out of memory. */
static double fill_kind(const struct fathom_machine *machine, int cpu, struct fathom_cpu_kind *kind)
{
	struct simulated_spec there;
	return simulated_spec_parse_at(machine->description, cpu, -1, &there, NULL) ||
			       !fill_caches(&there, &kind->caches, &kind->cache_count)
		       ? 0
		       : there.clock_hz;
}

static bool fill_kinds(struct fathom_machine *machine, const struct simulated_spec *spec)
{
	double clocks_hz[SIMULATED_MOST_KINDS + 1], fastest_hz = 0;
	machine->cpu_kinds = calloc(SIMULATED_MOST_KINDS + 1, sizeof(*machine->cpu_kinds));
	if (!machine->cpu_kinds)
		return false;
	for (size_t i = 0; spec->kind_count && i <= spec->kind_count; i++) {
		struct text cpus = {0};
		int cpu = kind_cpus(machine, spec, i ? &spec->kinds[i - 1] : NULL, &cpus);
		if (cpu < 0 && !cpus.failed)
			continue; /* it is offline */
		struct fathom_cpu_kind *kind = &machine->cpu_kinds[machine->cpu_kind_count];
		double clock_hz = fill_kind(machine, cpu, kind);
		clocks_hz[machine->cpu_kind_count++] = clock_hz;
		kind->cpus = text_take(&cpus);
		if (!kind->cpus || !(clock_hz > 0))
			return false;
		if (clock_hz > fastest_hz) {
			fastest_hz = clock_hz;
			machine->default_cpu = cpu;
		}
	}
	for (size_t i = 0; i < machine->cpu_kind_count; i++) {
		machine->cpu_kinds[i].name = kind_name(clocks_hz, machine->cpu_kind_count, i);
		machine->cpu_kinds[i].relative_speed = clocks_hz[i] / fastest_hz;
		if (!machine->cpu_kinds[i].name)
			return false;
	}
	return true;
}

/* ---- the rest ---- */

static bool fill_nodes(struct fathom_machine *machine, const struct simulated_spec *spec)
{
	machine->nodes = calloc(spec->all_nodes, sizeof(*machine->nodes));
	for (uint64_t i = 0; machine->nodes && i < spec->all_nodes; i++) {
		struct fathom_node *node = &machine->nodes[machine->node_count++];
		*node = (struct fathom_node){
			.id = (uint32_t)i,
			.memory_bytes = i < SIMULATED_MOST_NODES ? spec->node_bytes[i]
								 : spec->memory_bytes / spec->nodes,
			.cpus = cpu_list(machine, (int)i)};
		if (!node->cpus)
			return false;
	}
	return machine->nodes;
}

static bool fill_lists(struct fathom_machine *machine, const struct simulated_spec *spec)
{
	machine->pools = calloc(2, sizeof(*machine->pools));
	machine->thp_sizes = calloc(1, sizeof(*machine->thp_sizes));
	if (!machine->pools || !machine->thp_sizes || !fill_kinds(machine, spec) ||
	    !fill_nodes(machine, spec))
		return false;
	struct simulated_spec first; /* that the default CPU sees */
	if (simulated_spec_parse_at(machine->description, machine->default_cpu, -1, &first, NULL) ||
	    !fill_caches(&first, &machine->caches, &machine->cache_count))
		return false;
	machine->pools[0] =
		(struct fathom_page_pool){PAGE_2M_BYTES, spec->pool_2m_pages, spec->pool_2m_pages};
	machine->pools[1] =
		(struct fathom_page_pool){PAGE_1G_BYTES, spec->pool_1g_pages, spec->pool_1g_pages};
	machine->pool_count = 2;
	if (!spec->multi_size_bytes)
		return true;
	machine->thp_sizes[machine->thp_size_count++] =
		(struct fathom_thp_size){spec->multi_size_bytes, strdup("madvise")};
	return machine->thp_sizes[0].state;
}

static bool fill_texts(struct fathom_machine *machine, const char *description,
		       const struct simulated_spec *spec)
{
	machine->description = strdup(description);
	machine->hostname = strdup("simulated");
	machine->cpu_model = strdup("simulated");
	machine->architecture = strdup("simulated");
	machine->kernel = strdup("simulated");
	machine->allowed_cpus = cpu_list(machine, -1);
	machine->thp_state = strdup(spec->huge_pages ? "madvise" : "never");
	machine->limit_reason = strdup("free memory");
	machine->hypervisor = spec->host_page_bytes ? strdup("simulated") : NULL;
	return machine->description && machine->hostname && machine->cpu_model &&
	       machine->architecture && machine->kernel && machine->allowed_cpus &&
	       machine->thp_state && machine->limit_reason &&
	       !spec->host_page_bytes == !machine->hypervisor;
}

int meter_simulated_machine(const char *description, struct fathom_machine **machine,
			    struct fathom_error *error)
{
	struct simulated_spec spec;
	if (simulated_spec_parse(description, &spec, error))
		return -1;
	struct fathom_machine *made = calloc(1, sizeof(*made));
	if (!made)
		return error_no_memory(error);
	made->smt_threads =
		(uint32_t)(spec.os_topology.sockets ? spec.os_topology : spec.topology).threads;
	made->base_page_bytes = spec.base_page_bytes;
	made->thp_page_bytes = spec.huge_pages ? PAGE_2M_BYTES : 0;
	made->boost = -1;
	made->memory_bytes = spec.memory_bytes;
	made->available_bytes = spec.memory_bytes;
	made->limit_bytes = spec.memory_bytes;
	if (!fill_cpus(made, &spec) || !fill_texts(made, description, &spec) ||
	    !fill_lists(made, &spec)) {
		fathom_machine_free(made);
		return error_no_memory(error);
	}
	*machine = made;
	return 0;
}
