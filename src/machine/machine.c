#include "machine/machine.h"

#include <stdlib.h>

#include "base/error.h"
#include "base/warnings.h"
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

uint64_t machine_line_bytes(const struct fathom_machine *machine)
{
	for (size_t i = 0; i < machine->cache_count; i++)
		if (machine->caches[i].line_bytes &&
		    machine->caches[i].kind != FATHOM_CACHE_INSTRUCTION)
			return machine->caches[i].line_bytes;
	return 0;
}

void fathom_machine_free(struct fathom_machine *machine)
{
	if (!machine)
		return;
	if (machine->handle)
		counter_refusal_free(&machine->handle->counters);
	topology_close(machine->handle);
	warnings_free(&machine->conditions);
	for (size_t i = 0; i < machine->cpu_kind_count; i++) {
		free(machine->cpu_kinds[i].name);
		free(machine->cpu_kinds[i].cpus);
	}
	for (size_t i = 0; i < machine->node_count; i++)
		free(machine->nodes[i].cpus);
	for (size_t i = 0; i < machine->thp_size_count; i++)
		free(machine->thp_sizes[i].state);
	char *const texts[] = {
		machine->description,      machine->hostname,      machine->cpu_model,
		machine->architecture,     machine->kernel,        machine->hypervisor,
		machine->container,        machine->allowed_cpus,  machine->thp_state,
		machine->governor,         machine->clock_driver,  machine->limit_reason,
		machine->counters_missing, machine->cpu_signature, machine->microcode,
		machine->memory_modules,
	};
	for (size_t i = 0; i < sizeof(texts) / sizeof(*texts); i++)
		free(texts[i]);
	free(machine->cpu_kinds);
	free(machine->caches);
	free(machine->nodes);
	free(machine->thp_sizes);
	free(machine->pools);
	free(machine);
}

uint64_t machine_largest_cache_bytes(const struct fathom_machine *machine)
{
	uint64_t largest = 0;
	for (size_t i = 0; i < machine->cache_count; i++)
		if (machine->caches[i].size_bytes > largest)
			largest = machine->caches[i].size_bytes;
	return largest;
}
