#include "machine/cores.h"

#include <stdlib.h>

#include "base/error.h"
#include "base/list.h"
#include "base/text.h"
#include "machine/private.h"

/* A CPU, and what its place in the order follows from. */
struct cpu_rank {
	int cpu;
	hwloc_obj_t core;    /* NULL: not known; it is one of its own then */
	unsigned sibling;    /* how many CPUs of the core stand before it */
	bool other_kind;     /* than the measuring one's */
	unsigned far_levels; /* of the tree that are not shared with the measuring one */
	unsigned number;     /* in the order of the topology */
};

static int compare_unsigned(unsigned a, unsigned b)
{
	return (a > b) - (a < b);
}

/* For qsort. */
static int compare_ranks(const void *a, const void *b)
{
	const struct cpu_rank *left = a, *right = b;
	int order = compare_unsigned(left->sibling, right->sibling);
	if (!order)
		order = compare_unsigned(left->other_kind, right->other_kind);
	if (!order)
		order = compare_unsigned(left->far_levels, right->far_levels);
	return order ? order : compare_unsigned(left->number, right->number);
}

static hwloc_obj_t find_pu(hwloc_topology_t topology, int cpu)
{
	return topology ? hwloc_get_pu_obj_by_os_index(topology, (unsigned)cpu) : NULL;
}

static int kind_of(hwloc_topology_t topology, hwloc_obj_t pu)
{
	return hwloc_cpukinds_get_by_cpuset(topology, pu->cpuset, 0);
}

/* The measuring CPU stands before its siblings, whatever their numbers. */
static struct cpu_rank rank_of_cpu(hwloc_topology_t topology, int cpu, int measuring,
				   unsigned number)
{
	struct cpu_rank rank = {.cpu = cpu, .number = cpu == measuring ? 0 : number + 1};
	hwloc_obj_t pu = find_pu(topology, cpu), first = find_pu(topology, measuring);
	if (!pu || !first)
		return rank;
	rank.core = hwloc_get_ancestor_obj_by_type(topology, HWLOC_OBJ_CORE, pu);
	rank.other_kind = kind_of(topology, pu) != kind_of(topology, first);
	hwloc_obj_t common = hwloc_get_common_ancestor_obj(topology, pu, first);
	rank.far_levels = (unsigned)(first->depth - common->depth);
	return rank;
}

static void count_siblings(struct cpu_rank *ranks, uint32_t count)
{
	for (uint32_t i = 0; i < count; i++)
		for (uint32_t k = 0; k < count; k++)
			ranks[i].sibling += ranks[i].core && ranks[i].core == ranks[k].core &&
					    ranks[k].number < ranks[i].number;
}

static int fill(hwloc_topology_t topology, hwloc_const_bitmap_t allowed, int measuring,
		struct cores *cores)
{
	uint32_t count = (uint32_t)hwloc_bitmap_weight(allowed), at = 0;
	struct cpu_rank *ranks = calloc(count, sizeof(*ranks));
	int *cpus = calloc(count, sizeof(*cpus)), cpu;
	if (!ranks || !cpus) {
		free(ranks);
		free(cpus);
		return -1;
	}
	hwloc_bitmap_foreach_begin(cpu, allowed) ranks[at] =
		rank_of_cpu(topology, cpu, measuring, at);
	at++;
	hwloc_bitmap_foreach_end();
	count_siblings(ranks, count);
	qsort(ranks, count, sizeof(*ranks), compare_ranks);
	*cores = (struct cores){.cpus = cpus, .cpu_count = count};
	for (uint32_t i = 0; i < count; i++) {
		cpus[i] = ranks[i].cpu;
		cores->count += ranks[i].sibling == 0;
	}
	free(ranks);
	return 0;
}

int cores_find(const struct fathom_machine *machine, int cpu, struct cores *cores,
	       struct fathom_error *error)
{
	hwloc_topology_t topology = machine->handle ? machine->handle->topology : NULL;
	hwloc_bitmap_t allowed = hwloc_bitmap_alloc();
	int failed = !allowed || hwloc_bitmap_list_sscanf(allowed, machine->allowed_cpus) ||
		     fill(topology, allowed, cpu, cores);
	hwloc_bitmap_free(allowed);
	return failed ? error_no_memory(error) : 0;
}

size_t cores_siblings(const struct fathom_machine *machine, int cpu, int *siblings, size_t most)
{
	int core = -1;
	size_t count = 0;
	for (size_t i = 0; i < machine->cpu_count; i++)
		if (machine->cpus[i].cpu == cpu)
			core = machine->cpus[i].core;
	for (size_t i = 0; i < machine->cpu_count && core >= 0; i++) {
		const struct fathom_cpu *one = &machine->cpus[i];
		if (one->core == core && one->cpu != cpu && count < most &&
		    cpu_list_has(machine->allowed_cpus, one->cpu))
			siblings[count++] = one->cpu;
	}
	return count;
}

void cores_free(struct cores *cores)
{
	free(cores->cpus);
	*cores = (struct cores){0};
}

int cores_check(const struct fathom_machine *machine, int cpu, uint32_t threads,
		struct fathom_error *error)
{
	struct cores cores;
	if (cores_find(machine, cpu, &cores, error))
		return -1;
	uint32_t cpus = cores.cpu_count;
	cores_free(&cores);
	if (threads <= cpus)
		return 0;
	char *hint = text_format("%u %s allowed here: %s", cpus, cpus == 1 ? "CPU is" : "CPUs are",
				 machine->allowed_cpus);
	error_set(error, FATHOM_USAGE, hint, "too few CPUs for %u threads: each needs its own",
		  threads);
	free(hint);
	return -1;
}
