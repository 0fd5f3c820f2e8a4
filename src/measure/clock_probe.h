/* The core's clock by two chains of arithmetic: how long additions take that wait for each other,
 * and whether a multiplication takes a whole number of them. */
#ifndef MEASURE_CLOCK_PROBE_H
#define MEASURE_CLOCK_PROBE_H

#include <stdint.h>

#include "measure/meter.h"

struct clock_probe {
	const char *missing; /* why it cannot tell the clock; NULL: it can */
	uint64_t count;      /* of additions, and of multiplications */
	double ratio;        /* how many cycles a multiplication takes */
};

/* Learns what a probe takes on the CPU that it runs on. */
struct clock_probe clock_probe_make(void);
/* The clock now; NAN: not known, or not to be trusted this time. */
struct meter_clock clock_probe_read(const struct clock_probe *probe);

#endif
