/* One process measures on a node at a time: a lock that ends with the process, whatever ends it. */
#pragma once

#include "fathom.h"
#include "options.h"

/* Where a launcher or --alone asks for it, and the machine (NULL: that of the options) is none that
 * is simulated. Does nothing where this process has it already. Errors: UNABLE (another process has
 * it: its PID); FAILED
 * (--alone, but no lock can be had). */
int alone_take(const struct options *options, const struct fathom_machine *machine,
	       struct fathom_error *error);
