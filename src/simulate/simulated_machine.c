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

static bool fill_nodes(struct fathom_machine *machine, const struct simulated_spec *spec)
{
	machine->nodes = calloc(spec->nodes, sizeof(*machine->nodes));
	for (uint64_t i = 0; machine->nodes && i < spec->nodes; i++) {
		struct fathom_node *node = &machine->nodes[machine->node_count++];
		*node = (struct fathom_node){.id = (uint32_t)i,
					     .memory_bytes = spec->memory_bytes / spec->nodes,
					     .cpus = cpu_list(machine, (int)i)};
		if (!node->cpus)
			return false;
	}
	return machine->nodes;
}

static bool fill_lists(struct fathom_machine *machine, const struct simulated_spec *spec)
{
	machine->caches = calloc(SIMULATED_LEVELS, sizeof(*machine->caches));
	machine->pools = calloc(2, sizeof(*machine->pools));
	machine->thp_sizes = calloc(1, sizeof(*machine->thp_sizes));
	if (!machine->caches || !machine->pools || !machine->thp_sizes ||
	    !fill_nodes(machine, spec))
		return false;
	for (unsigned level = 0; level < SIMULATED_LEVELS; level++)
		if (spec->os_size_bytes[level])
			machine->caches[machine->cache_count++] = claimed_cache(spec, level);
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
