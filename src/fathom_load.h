/* What other programs run meanwhile. */
#pragma once

#include "fathom.h"

/* When one began to look, and what CPU time they had used by then, in seconds; NAN: not known. */
struct load_since {
	double others_s;
	uint64_t at_ns;
};

struct load_since load_begin(const struct fathom_machine *machine);
/* How many CPUs they kept busy since then: on a simulated machine for `elapsed_s`. */
double load_busy_cpus(const struct fathom_machine *machine, const struct load_since *since,
		      double elapsed_s);
