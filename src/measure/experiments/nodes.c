/* Memory of NUMA nodes: latency, reading, writing and copying at one size past the caches, of which
 * a CPU of each node is the one to begin on. */
#include <stdlib.h>

#include "base/error.h"
#include "base/list.h"
#include "base/patterns.h"
#include "base/text.h"
#include "kernels/kernels.h"
#include "machine/machine.h"
#include "measure/experiments/experiments.h"
#include "measure/experiments/specs.h"

#define LEAST_BYTES     (64ull << 20)
#define TIMES_CACHE     4 /* the last one: little of that is still in it */
#define TIMES_OWN_CACHE 4 /* of each thread, in the caches of its core */
#define SPECS           4

static const enum fathom_pattern streams[] = {FATHOM_READ, FATHOM_WRITE, FATHOM_COPY};

static const struct fathom_cpu *find_cpu(const struct fathom_machine *machine, int cpu)
{
	for (size_t i = 0; i < machine->cpu_count; i++)
		if (machine->cpus[i].cpu == cpu)
			return &machine->cpus[i];
	return NULL;
}

static bool may_use(const struct fathom_machine *machine, const struct fathom_cpu *cpu)
{
	return cpu_list_has(machine->allowed_cpus, cpu->cpu);
}

/* Cores of the CPU's node, of which a CPU may be used. */
static uint32_t cores_beside(const struct fathom_machine *machine, int cpu)
{
	const struct fathom_cpu *own = find_cpu(machine, cpu);
	uint32_t count = 0;
	for (size_t i = 0; own && i < machine->cpu_count; i++) {
		const struct fathom_cpu *one = &machine->cpus[i];
		bool counted = one->node != own->node || !may_use(machine, one);
		for (size_t k = 0; !counted && k < i; k++)
			counted = machine->cpus[k].core == one->core && one->core >= 0 &&
				  may_use(machine, &machine->cpus[k]);
		count += !counted;
	}
	return count ? count : 1;
}

/* The largest that a core has for itself, as the OS tells; 0: it tells of none. */
static uint64_t own_cache_bytes(const struct fathom_machine *machine)
{
	uint64_t largest = 0;
	for (size_t i = 0; i < machine->cache_count; i++) {
		const struct fathom_cache *cache = &machine->caches[i];
		if (cache->shared_cpus <= machine->smt_threads && cache->size_bytes > largest)
			largest = cache->size_bytes;
	}
	return largest;
}

void nodes_take_threads(struct fathom_plan *plan, const struct fathom_machine *machine)
{
	uint32_t threads = cores_beside(machine, plan->cpu);
	uint64_t own_bytes = TIMES_OWN_CACHE * own_cache_bytes(machine);
	for (size_t i = 0; i < plan->spec_count; i++) {
		struct fathom_spec *spec = &plan->specs[i];
		if (!pattern_streams(spec->pattern))
			continue;
		uint64_t bytes = spec->threads * spec->size_bytes / threads;
		spec->threads = threads;
		spec->size_bytes = bytes > own_bytes ? bytes : own_bytes;
		spec->size_bytes -= spec->size_bytes % spec->node_bytes;
	}
}

/* A CPU of each node that has one, which may be used: the default CPU's node first. */
static int list_cpus(const struct fathom_machine *machine, struct fathom_plan *plan,
		     struct fathom_error *error)
{
	const struct fathom_cpu *first = find_cpu(machine, machine->default_cpu);
	struct text list = {0};
	text_add(&list, "%d", machine->default_cpu);
	for (size_t i = 0; first && i < machine->cpu_count; i++) {
		const struct fathom_cpu *cpu = &machine->cpus[i];
		bool listed = cpu->node == first->node || cpu->node < 0 || !may_use(machine, cpu);
		for (size_t k = 0; !listed && k < i; k++)
			listed = machine->cpus[k].node == cpu->node &&
				 may_use(machine, &machine->cpus[k]);
		if (!listed)
			text_add(&list, ",%d", cpu->cpu);
	}
	free(plan->cpus);
	plan->cpu = machine->default_cpu;
	plan->cpus = text_take(&list);
	return plan->cpus ? 0 : error_no_memory(error);
}

size_t nodes_count_pairs(const struct fathom_machine *machine)
{
	size_t rows = 0;
	for (size_t i = 0; i < machine->cpu_count; i++) {
		bool counted = !may_use(machine, &machine->cpus[i]);
		for (size_t k = 0; !counted && k < i; k++)
			counted = machine->cpus[k].node == machine->cpus[i].node &&
				  may_use(machine, &machine->cpus[k]);
		rows += !counted;
	}
	return rows * machine_memory_nodes(machine);
}

static int check(const struct fathom_request *request, const struct fathom_machine *machine,
		 struct fathom_error *error)
{
	if (machine_memory_nodes(machine) < 2)
		return error_set(
			error, FATHOM_UNABLE,
			"'fathom latency' and 'fathom bandwidth' measure its memory",
			"one NUMA node has all the memory: there is none to hold it against");
	if (request->size_count > 1)
		return error_set(error, FATHOM_USAGE, "name one with --size",
				 "NUMA nodes are measured at one size");
	return 0;
}

int nodes_specs(const struct fathom_request *request, const struct fathom_machine *machine,
		struct fathom_plan *plan, struct fathom_error *error)
{
	uint64_t usual_bytes = TIMES_CACHE * machine_largest_cache_bytes(machine);
	struct fathom_spec spec = request->spec;
	if (usual_bytes < LEAST_BYTES)
		usual_bytes = LEAST_BYTES;
	usual_bytes = specs_usual_bytes(machine, usual_bytes);
	if (check(request, machine, error) || list_cpus(machine, plan, error) ||
	    specs_open(plan, request, SPECS, usual_bytes, error))
		return -1;
	spec.pattern = FATHOM_RANDOM_CYCLE;
	specs_add(plan, request, &spec, usual_bytes);
	spec.node_bytes = KERNEL_LINE_BYTES;
	spec.link = FATHOM_LINK_POINTER;
	for (size_t i = 0; i < sizeof(streams) / sizeof(*streams); i++) {
		spec.pattern = streams[i];
		specs_add(plan, request, &spec, usual_bytes);
	}
	nodes_take_threads(plan, machine);
	plan->asked = true; /* all of them are wanted */
	return 0;
}
