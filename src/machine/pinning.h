/* Which CPU a thread runs on, and which node its memory comes from. */
#pragma once

#include "fathom.h"

/* Is the CPU one that this process may use? Errors: USAGE, with the allowed ones in the hint. */
int pinning_check(const struct fathom_machine *machine, int cpu, struct fathom_error *error);
/* Binds the calling thread to one CPU. Errors: FAILED (no permission). */
int pinning_bind(const struct fathom_machine *machine, int cpu, struct fathom_error *error);
/* The calling thread may be on every CPU again that this process may use. */
void pinning_release(const struct fathom_machine *machine);
/* Binds memory that was mapped and not yet touched to the CPU's own node. A machine with one
 * node needs nothing and gets nothing. Errors: FAILED. */
int pinning_bind_memory(const struct fathom_machine *machine, int cpu, void *memory, uint64_t bytes,
			struct fathom_error *error);
/* The CPU that the calling thread is on now; -1: not known. */
int pinning_current_cpu(void);
