/* Which CPU a thread runs on, and which node its memory comes from. */
#pragma once

#include "fathom.h"

/* Where a thread runs, which NUMA node its memory comes from, and what is beside it. */
struct pinning_place {
	int cpu;  /* -1: wherever it is */
	int node; /* -1: the CPU's own; or anywhere, where it is wherever it is */
	enum fathom_sibling sibling; /* of a meter: what its core's other threads do */
};
#define PINNING_ANYWHERE ((struct pinning_place){.cpu = -1, .node = -1})

/* Is the CPU one that this process may use? Errors: USAGE, with the allowed ones in the hint. */
int pinning_check(const struct fathom_machine *machine, int cpu, struct fathom_error *error);
/* Binds the calling thread to one CPU. Errors: FAILED (no permission). */
int pinning_bind(const struct fathom_machine *machine, int cpu, struct fathom_error *error);
/* The calling thread may be on every CPU again that this process may use. */
void pinning_release(const struct fathom_machine *machine);
/* Is the node one with memory? Errors: USAGE, with those that are in the hint. */
int pinning_check_node(const struct fathom_machine *machine, int node, struct fathom_error *error);
/* Binds memory that was mapped and not yet touched to the node. A machine with one node needs
 * nothing and gets nothing. Errors: FAILED; UNABLE (binding to a node that is not the CPU's own is
 * not allowed).
 */
int pinning_bind_memory(const struct fathom_machine *machine, struct pinning_place place,
			void *memory, uint64_t bytes, struct fathom_error *error);
/* Which share of its pages, all touched, the kernel says is on the node; NAN: it does not say. */
double pinning_node_share(const struct fathom_machine *machine, int node, const void *memory,
			  uint64_t bytes);
/* The CPU that the calling thread is on now; -1: not known. */
int pinning_current_cpu(void);
