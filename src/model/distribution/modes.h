/* The modes of a distribution: places where latencies gather, and what share gathers there. */
#pragma once

#include <stddef.h>

struct mode {
	double share;           /* of all values */
	double ns;              /* where it is densest */
	double low_ns, high_ns; /* between them lie nine tenths of it */
	double from_ns,
		below_ns; /* what lies between is more likely of this mode than of another */
};

/* `sorted_ns`: `count` values > 0, ascending, of a clock with steps of `step_ns` (0: none that can
 * be seen). *modes is the caller's to free; ascending. What is of no mode is the rest of the
 * shares. -1: no memory. */
int modes_find(const double *sorted_ns, size_t count, double step_ns, struct mode **modes,
	       size_t *mode_count);
