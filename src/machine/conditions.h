/* What the files of conditions share: each finds some of what `fathom info` names. */
#ifndef MACHINE_CONDITIONS_H
#define MACHINE_CONDITIONS_H

#include "fathom.h"

struct conditions_place {
	const char *root; /* as in tree.h */
	const struct fathom_machine *machine;
	struct fathom_warnings *list;
};

/* conditions_memory.c: what samples, merges, moves or reclaims pages behind a program's back, and
 * what makes the kernel do so. */
void conditions_of_memory(const struct conditions_place *at);

#endif
