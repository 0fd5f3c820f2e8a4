/* Does a program run on the core's other hardware thread? Both threads share what issues
 * instructions, so additions that do not wait for each other take longer then. No counter tells of
 * that, least of all in a guest, whose other thread may be another guest's; such a program takes
 * lines of the caches that the measurement needs. */
#pragma once

#include "measure/sampling/clock_probe.h"

#define SIBLING_PROBE_BINS 512

struct sibling_probe {
	clock_chain_ns *time; /* NULL: it never tells */
	void *context;
	uint64_t count; /* of additions */
	double hz;      /* of the last look; each reading of the clock counts one look */
	uint32_t looks[SIBLING_PROBE_BINS]; /* by the logarithm of the cycles that one took */
	uint32_t look_count;
	double alone; /* cycles without such a program; INFINITY: not known */
};

/* Learns what the additions take alone, for some milliseconds; goes on learning later. None where
 * the clock is missing. */
struct sibling_probe sibling_probe_make(struct clock_probe *clock);
/* A program that waits for memory most of the time may go unseen. `hz`: the core clock; NAN: not
 * known, and false. */
bool sibling_probe_is_busy(struct sibling_probe *probe, double hz);
