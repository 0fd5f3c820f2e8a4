/* What the files of src/machine share: each fills its own part of a fathom_machine. */
#pragma once

#include <hwloc.h>

#include "fathom.h"
#include "machine/counters/counter_access.h"
#include "machine/machine.h"

struct fathom_machine_private {
	hwloc_topology_t topology;
	hwloc_bitmap_t allowed;          /* the CPUs that this process may use */
	struct counter_refusal counters; /* what an event would meet */
};

/* topology.c: CPUs, kinds, caches, nodes, the default CPU, the CPU's model, the handle.
 * Errors: FAILED (no topology to be had, no CPU allowed). */
int topology_open(const char *description, struct fathom_machine *machine,
		  struct fathom_error *error);
/* Accepts NULL and half-opened ones. */
void topology_close(struct fathom_machine_private *handle);
/* The other online threads of the CPU's core, in list format; NULL: it has none. */
char *topology_siblings(const struct fathom_machine *machine, int cpu);
/* Does the list, in list format, name the CPU? */
bool topology_lists(const char *list, int cpu);

/* system.c: names, pages, pools, clock control. `root` as in tree.h. */
void system_find(const char *root, struct fathom_machine *machine);
/* limits.c: memory, and how much of it one buffer may take. After topology_open. */
void limits_find(const char *root, struct fathom_machine *machine);
/* What the node could give now without reclaiming what is in use. false: not known. */
bool limits_node_free(const char *root, unsigned node, uint64_t *bytes);

/* "" is the real machine: only then may the running process itself be asked. */
static inline bool machine_is_live(const char *root)
{
	return root && !*root;
}
