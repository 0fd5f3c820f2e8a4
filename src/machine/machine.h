/* What this computer is: read once, as data. */
#pragma once

#include "fathom.h"

/* Where the facts come from; tests hand in recorded trees. */
struct machine_source {
	const char *root;     /* prefix of /proc and /sys, "" for the real ones */
	const char *topology; /* NULL: this machine; else an hwloc XML file, or an hwloc synthetic
			       * description ("pack:1 l3:1 core:2 pu:1") */
};

/* fathom_machine_find for the real machine, or for a recorded one. */
int machine_find(const struct machine_source *source, struct fathom_machine **machine,
		 struct fathom_error *error);
/* Gives back the handle and the CPUs, which no document has; what else there is fathom_machine_free
 * frees. */
void machine_close(struct fathom_machine *machine);
/* The largest cache that the OS reports; 0: it reports none. */
uint64_t machine_largest_cache_bytes(const struct fathom_machine *machine);
/* NUMA nodes that have memory. */
size_t machine_memory_nodes(const struct fathom_machine *machine);
