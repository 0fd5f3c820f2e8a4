/* Hardware threads of a simulated machine that go for words again and again: their accesses in the
 * order of their times, through its coherent lines. */
#pragma once

#include "measure/crew.h"
#include "simulate/simulated_coherence.h"

/* For `ns`, from now_ns on, by these CPUs: the mean of each one's accesses in op_ns, NAN where it
 * made none. Errors: FAILED (memory). */
int simulated_contenders_run(const struct simulated_coherence *coherence, const unsigned *cpus,
			     uint32_t count, const struct crew_contention *what, uint64_t key,
			     double now_ns, double *op_ns, struct fathom_error *error);
