#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "base/text.h"
#include "machine/cgroup.h"
#include "machine/private.h"
#include "machine/tree.h"

/* Left to everybody else: a tenth, but not so little that the desktop dies. */
#define REST_SHARE 10
#define REST_BYTES ((uint64_t)64 << 20)
/* Heap, page tables, the models: beside what is measured. Without it latency and survey were killed
 * in groups of 4 and 6 MiB; with it none is, and they measure from 8 MiB on. */
#define OWN_BYTES ((uint64_t)4 << 20)

static void lower(struct fathom_machine *machine, uint64_t bytes, const char *reason)
{
	char *text = machine->limit_reason && bytes >= machine->limit_bytes ? NULL : strdup(reason);
	if (!text)
		return;
	free(machine->limit_reason);
	machine->limit_reason = text;
	machine->limit_bytes = bytes;
}

/* vm.overcommit_memory = 2: what was promised counts, touched or not. */
static void lower_to_commit(const char *root, const char *meminfo, struct fathom_machine *machine)
{
	uint64_t mode;
	uint64_t limit;
	uint64_t promised;
	if (tree_read_number(&mode, root, "/proc/sys/vm/overcommit_memory") && mode == 2 &&
	    tree_field(meminfo, "CommitLimit", &limit) &&
	    tree_field(meminfo, "Committed_AS", &promised))
		lower(machine, limit > promised ? limit - promised : 0, "vm.overcommit_memory = 2");
}

static void lower_to_cgroup(const char *root, struct fathom_machine *machine)
{
	struct cgroup_memory memory;
	if (!cgroup_find_memory(root, &memory))
		return;
	uint64_t left_bytes = memory.left_bytes;
	lower(machine, left_bytes > OWN_BYTES ? left_bytes - OWN_BYTES : 0, "cgroup memory limit");
	free(memory.file);
}

static void lower_to_ulimits(const char *root, struct fathom_machine *machine)
{
	static const struct {
		int resource;
		const char *used_key;
		const char *reason;
	} ulimits[] = {{RLIMIT_AS, "VmSize", "ulimit -v"}, {RLIMIT_DATA, "VmData", "ulimit -d"}};
	struct rlimit limit;
	if (!machine_is_live(root))
		return;
	char *status = tree_read(root, "/proc/self/status");
	for (size_t i = 0; i < sizeof(ulimits) / sizeof(*ulimits); i++) {
		uint64_t used = 0;
		if (getrlimit(ulimits[i].resource, &limit) || limit.rlim_cur == RLIM_INFINITY)
			continue;
		tree_field(status, ulimits[i].used_key, &used);
		lower(machine, limit.rlim_cur > used ? limit.rlim_cur - used : 0,
		      ulimits[i].reason);
	}
	free(status);
}

bool limits_node_free(const char *root, unsigned node, uint64_t *bytes)
{
	char *meminfo = tree_read(root, "/sys/devices/system/node/node%u/meminfo", node);
	char *free_key = text_format("Node %u MemFree", node);
	char *file_key = text_format("Node %u Inactive(file)", node);
	uint64_t free_bytes;
	uint64_t file_bytes = 0;
	bool known = free_key && file_key && tree_field(meminfo, free_key, &free_bytes);
	if (known) {
		tree_field(meminfo, file_key, &file_bytes);
		*bytes = free_bytes + file_bytes;
	}
	free(meminfo);
	free(free_key);
	free(file_key);
	return known;
}

/* Memory comes from the CPU's own node alone. */
static void lower_to_node(const char *root, struct fathom_machine *machine)
{
	uint64_t bytes;
	for (size_t i = 0; machine->node_count > 1 && i < machine->node_count; i++) {
		const struct fathom_node *node = &machine->nodes[i];
		if (!topology_lists(node->cpus, machine->default_cpu))
			continue;
		if (node->memory_bytes && limits_node_free(root, node->id, &bytes))
			lower(machine, bytes, "free memory of the NUMA node");
		return;
	}
}

/* For want of something better: the topology may know what /proc does not tell. */
static void lower_to_all_nodes(struct fathom_machine *machine)
{
	uint64_t bytes = 0;
	for (size_t i = 0; i < machine->node_count; i++)
		bytes += machine->nodes[i].memory_bytes;
	if (bytes)
		lower(machine, bytes, "memory of the machine");
}

static uint64_t without_rest(uint64_t bytes)
{
	uint64_t rest = bytes / REST_SHARE;
	if (rest < REST_BYTES)
		rest = bytes / 2 < REST_BYTES ? bytes / 2 : REST_BYTES;
	return bytes - rest;
}

void limits_find(const char *root, struct fathom_machine *machine)
{
	char *meminfo = tree_read(root, "/proc/meminfo");
	tree_field(meminfo, "MemTotal", &machine->memory_bytes);
	if (tree_field(meminfo, "MemAvailable", &machine->available_bytes))
		lower(machine, machine->available_bytes, "free memory");
	else
		lower_to_all_nodes(machine);
	lower_to_node(root, machine);
	lower_to_commit(root, meminfo, machine);
	lower_to_cgroup(root, machine);
	lower_to_ulimits(root, machine);
	machine->limit_bytes =
		machine->limit_reason ? without_rest(machine->limit_bytes) : UINT64_MAX;
	/* Some kernels count late memory here and not yet in the node. */
	if (machine->node_count == 1 && machine->memory_bytes)
		machine->nodes[0].memory_bytes = machine->memory_bytes;
	free(meminfo);
}
