#include "machine/pinning.h"

#include <errno.h>
#include <math.h>
#include <sched.h>
#include <stdlib.h>

#include "base/error.h"
#include "base/text.h"
#include "base/units.h"
#include "machine/private.h"

/* No CPU is numbered higher; keeps a typing error from becoming a huge bitmap. */
#define HIGHEST_CPU 1000000
/* Of memory that is not all on one node, what is looked at at a time. */
#define SHARE_STEP_BYTES 65536u

int pinning_check(const struct fathom_machine *machine, int cpu, struct fathom_error *error)
{
	const char *allowed = machine->allowed_cpus ? machine->allowed_cpus : "";
	hwloc_bitmap_t cpus = hwloc_bitmap_alloc();
	if (!cpus)
		return error_no_memory(error);
	bool may = cpu >= 0 && cpu <= HIGHEST_CPU && !hwloc_bitmap_list_sscanf(cpus, allowed) &&
		   hwloc_bitmap_isset(cpus, (unsigned)cpu);
	hwloc_bitmap_free(cpus);
	if (may)
		return 0;
	char *hint = text_format("this process may use the CPUs %s", allowed);
	error_set(error, FATHOM_USAGE, hint, "cpu '%d' is not available to this process", cpu);
	free(hint);
	return -1;
}

int pinning_bind(const struct fathom_machine *machine, int cpu, struct fathom_error *error)
{
	if (pinning_check(machine, cpu, error))
		return -1;
	if (!machine->handle || !hwloc_topology_is_thissystem(machine->handle->topology))
		return error_set(error, FATHOM_FAILED, NULL,
				 "cannot bind to a CPU of a recorded machine");
	hwloc_bitmap_t only = hwloc_bitmap_alloc();
	if (!only || hwloc_bitmap_only(only, (unsigned)cpu)) {
		hwloc_bitmap_free(only);
		return error_no_memory(error);
	}
	int failed = hwloc_set_cpubind(machine->handle->topology, only,
				       HWLOC_CPUBIND_THREAD | HWLOC_CPUBIND_STRICT);
	hwloc_bitmap_free(only);
	return failed ? error_set_errno(
				error, FATHOM_FAILED,
				"allow sched_setaffinity (containers: the seccomp profile), "
				"or bind fathom from outside with taskset",
				"cannot bind the measuring thread to cpu %d", cpu)
		      : 0;
}

void pinning_release(const struct fathom_machine *machine)
{
	const struct fathom_machine_private *handle = machine->handle;
	if (handle && hwloc_topology_is_thissystem(handle->topology))
		hwloc_set_cpubind(handle->topology, handle->allowed, HWLOC_CPUBIND_THREAD);
}

/* ---- nodes ---- */

int pinning_check_node(const struct fathom_machine *machine, int node, struct fathom_error *error)
{
	struct text hint = {0};
	for (size_t i = 0; i < machine->node_count; i++) {
		const struct fathom_node *one = &machine->nodes[i];
		if (one->memory_bytes && (int)one->id == node)
			return text_free(&hint), 0;
		if (one->memory_bytes)
			text_add(&hint, "%s%u",
				 hint.length ? ", " : "nodes with memory: ", one->id);
	}
	char *known = text_take(&hint);
	error_set(error, FATHOM_USAGE, known, "there is no NUMA node %d with memory", node);
	free(known);
	return -1;
}

/* The node that is named, or the lowest of the CPU that has memory; special memory is numbered
 * behind the DRAM. */
static hwloc_obj_t find_node(hwloc_topology_t topology, struct pinning_place place)
{
	hwloc_obj_t best = NULL;
	if (place.node >= 0)
		return hwloc_get_numanode_obj_by_os_index(topology, (unsigned)place.node);
	for (hwloc_obj_t node = NULL;
	     (node = hwloc_get_next_obj_by_type(topology, HWLOC_OBJ_NUMANODE, node));)
		if (hwloc_bitmap_isset(node->cpuset, (unsigned)place.cpu) &&
		    node->attr->numanode.local_memory && (!best || node->os_index < best->os_index))
			best = node;
	return best;
}

/* A node that is bound to and has no memory left gets the process killed. */
static int check_room(unsigned node, uint64_t bytes, struct fathom_error *error)
{
	char wanted[UNITS_TEXT_BYTES];
	char had[UNITS_TEXT_BYTES];
	uint64_t free_bytes;
	if (!limits_node_free("", node, &free_bytes) || bytes <= free_bytes)
		return 0;
	return error_set(error, FATHOM_FAILED,
			 "request less memory with --size or --max-size, or use a CPU of another "
			 "node with --cpu",
			 "NUMA node %u has %s free, but %s are needed", node,
			 units_format_size(free_bytes, had), units_format_size(bytes, wanted));
}

/* `own`: the CPU's own node. */
static int refuse_binding(hwloc_obj_t node, hwloc_obj_t own, struct fathom_error *error)
{
	static const char hint[] = "allow mbind (containers: the seccomp profile, or CAP_SYS_NICE)";
	bool forbidden = errno == EPERM || errno == ENOSYS;
	/* Containers forbid the call. What a thread on that CPU touches first comes from the same
	 * node by the default policy, and there is room. */
	if (forbidden && node == own)
		return 0;
	if (forbidden)
		return error_set_errno(error, FATHOM_UNABLE, hint,
				       "cannot bind memory to another NUMA node");
	return error_set_errno(error, FATHOM_FAILED, hint, "cannot bind memory to NUMA node %u",
			       node->os_index);
}

int pinning_bind_memory(const struct fathom_machine *machine, struct pinning_place place,
			void *memory, uint64_t bytes, struct fathom_error *error)
{
	if (machine->node_count <= 1 || (place.cpu < 0 && place.node < 0) || !machine->handle)
		return 0;
	hwloc_topology_t topology = machine->handle->topology;
	struct pinning_place own = {.cpu = place.cpu, .node = -1};
	hwloc_obj_t node = find_node(topology, place);
	if (!node || !hwloc_topology_is_thissystem(topology))
		return 0;
	if (check_room(node->os_index, bytes, error))
		return -1;
	return hwloc_set_area_membind(topology, memory, bytes, node->nodeset, HWLOC_MEMBIND_BIND,
				      HWLOC_MEMBIND_BYNODESET | HWLOC_MEMBIND_STRICT)
		       ? refuse_binding(node, find_node(topology, own), error)
		       : 0;
}

/* Are all pages there on that node alone? -1: the kernel does not say. */
static int lies_on(hwloc_topology_t topology, hwloc_const_nodeset_t node, const void *memory,
		   uint64_t bytes, hwloc_nodeset_t found)
{
	if (hwloc_get_area_memlocation(topology, memory, bytes, found, HWLOC_MEMBIND_BYNODESET))
		return -1;
	return hwloc_bitmap_iszero(found) ? -1 : hwloc_bitmap_isequal(found, node);
}

double pinning_node_share(const struct fathom_machine *machine, int node, const void *memory,
			  uint64_t bytes)
{
	hwloc_topology_t topology = machine->handle ? machine->handle->topology : NULL;
	hwloc_obj_t asked =
		topology ? hwloc_get_numanode_obj_by_os_index(topology, (unsigned)node) : NULL;
	hwloc_nodeset_t found = hwloc_bitmap_alloc();
	if (!asked || !found || !bytes) {
		hwloc_bitmap_free(found);
		return NAN;
	}
	int all = lies_on(topology, asked->nodeset, memory, bytes, found);
	double there_bytes = all > 0 ? (double)bytes : 0;
	for (uint64_t at = 0; all == 0 && at < bytes; at += SHARE_STEP_BYTES) {
		uint64_t part = bytes - at < SHARE_STEP_BYTES ? bytes - at : SHARE_STEP_BYTES;
		if (lies_on(topology, asked->nodeset, (const char *)memory + at, part, found) > 0)
			there_bytes += (double)part;
	}
	hwloc_bitmap_free(found);
	return all < 0 ? NAN : there_bytes / (double)bytes;
}

int pinning_current_cpu(void)
{
	return sched_getcpu();
}
