/* What limits or disturbs a measurement on this machine, as `fathom info` lists it. */
#pragma once

#include "fathom.h"

struct conditions_context {
	const char *root; /* as in tree.h */
	const struct fathom_machine *machine;
	struct fathom_warnings *list;
};

/* Appends what limits or disturbs a measurement on this machine: no PMU, THP off, steal, busy SMT
 * sibling, governor, NUMA balancing, reclaim daemons, few CPUs, ... each with the command that
 * lifts it. `root` as in machine.h. */
void conditions_find(const char *root, const struct fathom_machine *machine,
		     struct fathom_warnings *conditions);

/* conditions_memory.c: what samples, merges, moves or reclaims pages behind a program's back, and
 * what makes the kernel do so. */
void conditions_find_memory(const struct conditions_context *at);
