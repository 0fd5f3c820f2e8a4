/* What other programs run meanwhile. */
#pragma once

#include "fathom.h"

/* CPU time that they have used, in seconds, `after_s` after a measurement of that machine began:
 * only differences mean anything. NAN: not known. */
double load_others_at(const struct fathom_machine *machine, double after_s);
/* How many CPUs they kept busy since it was `before_s`, which was `elapsed_s` ago. */
double load_busy_cpus(const struct fathom_machine *machine, double before_s, double elapsed_s);
