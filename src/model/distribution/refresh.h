/* Refresh in the times of single accesses: does memory rest in regular intervals? */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/* The periods that are looked for. A rank of DDR4 or DDR5 refreshes each 7.8 or 3.9 us, when hot
 * each half of that (JESD79-4, JESD79-5: tREFI). */
#define REFRESH_LEAST_NS 1500.0
#define REFRESH_MOST_NS  16000.0
/* No access waits longer for it: twice the longest of DDR4 (JESD79-4: tRFC of 16 Gbit, 550 ns).
 * What takes longer was an interrupt, or the host. */
#define REFRESH_MOST_WAIT_NS 1100.0

struct refresh {
	double period_ns, low_ns, high_ns; /* interval of 95 % */
	/* Accesses that begin in this part of the period wait, in shares of it. */
	double first_phase, phases;
	double until_ns; /* later the period is not known well enough to tell the phase */
};

/* `time_ns`: when each of the `count` accesses began, ascending. *found says whether there is one;
 * else `refresh` is left alone. -1: no memory. */
int refresh_find(const double *time_ns, const double *latency_ns, size_t count,
		 struct refresh *refresh, bool *found);
/* Does an access that begins then, before until_ns, wait for it? */
bool refresh_has(const struct refresh *refresh, double time_ns);
