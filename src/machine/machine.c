#include "machine/machine.h"

#include <stdlib.h>

#include "base/error.h"
#include "machine/conditions.h"
#include "machine/private.h"

int machine_find(const struct machine_source *source, struct fathom_machine **machine,
		 struct fathom_error *error)
{
	const char *root = source->root;
	if (root && *root && !source->topology)
		return error_set(error, FATHOM_USAGE, NULL,
				 "'%s' is a recorded machine and needs a recorded topology", root);
	if (root && !*root && source->topology) /* a topology alone: nothing of this machine */
		root = NULL;
	struct fathom_machine *found = calloc(1, sizeof(*found));
	if (!found)
		return error_no_memory(error);
	found->default_cpu = -1;
	found->boost = -1;
	if (topology_open(source->topology, found, error)) {
		fathom_machine_free(found);
		return -1;
	}
	system_find(root, found);
	limits_find(root, found);
	counter_access_find(root, found);
	conditions_find(root, found, &found->conditions);
	*machine = found;
	return 0;
}

void machine_close(struct fathom_machine *machine)
{
	if (machine->handle)
		counter_refusal_free(&machine->handle->counters);
	topology_close(machine->handle);
	machine->handle = NULL;
	free(machine->cpus);
	machine->cpus = NULL;
	machine->cpu_count = 0;
}

size_t machine_memory_nodes(const struct fathom_machine *machine)
{
	size_t count = 0;
	for (size_t i = 0; i < machine->node_count; i++)
		count += machine->nodes[i].memory_bytes > 0;
	return count;
}

uint64_t machine_largest_cache_bytes(const struct fathom_machine *machine)
{
	uint64_t largest = 0;
	for (size_t i = 0; i < machine->cache_count; i++)
		if (machine->caches[i].size_bytes > largest)
			largest = machine->caches[i].size_bytes;
	return largest;
}
