/* Which CPU each of several threads gets. */
#pragma once

#include "fathom.h"

/* The CPUs that may be used, in the order in which threads take them: one of each core first, and
 * only then the other CPUs of these cores. `cpu` and its core lead, then the cores of its kind,
 * the nearest first, then the other kinds. */
struct cores {
	int *cpus;
	uint32_t cpu_count;
	uint32_t count; /* the first so many have a core of their own */
};

/* `cpu` is one that may be used. Errors: FAILED (memory). */
int cores_find(const struct fathom_machine *machine, int cpu, struct cores *cores,
	       struct fathom_error *error);
void cores_free(struct cores *cores);

/* The other threads of the CPU's core that may be used, of which there is room for `most`. Returns
 * how many there are. */
size_t cores_siblings(const struct fathom_machine *machine, int cpu, int *siblings, size_t most);

/* Are there CPUs for so many threads? Errors: USAGE, with their number in the hint. */
int cores_check(const struct fathom_machine *machine, int cpu, uint32_t threads,
		struct fathom_error *error);
