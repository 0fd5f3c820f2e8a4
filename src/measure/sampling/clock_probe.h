/* The core's clock by two chains of arithmetic: how long multiplications take that wait for each
 * other, of how many cycles each is by as many additions. */
#pragma once

#include <stdint.h>

#include "measure/meter.h"

enum clock_chain {
	CLOCK_ADDITIONS,
	CLOCK_MULTIPLICATIONS,
	CLOCK_APART /* additions that do not wait for each other: see sibling_probe.h */
};

/* What a chain of so many takes, reading the timer included, in ns. `count`: a multiple of
 * CLOCK_CHAIN_UNIT; 0: what reading the timer twice takes. */
typedef double clock_chain_ns(void *context, enum clock_chain chain, uint64_t count);
#define CLOCK_CHAIN_UNIT 64

struct clock_probe {
	clock_chain_ns *time; /* NULL: there are no such chains */
	void *context;
	const char *missing; /* why it cannot tell the clock; NULL: it can */
	uint64_t count;      /* of additions; of multiplications half as many */
	double step_ns;      /* of the timer, or what reading it takes, whichever is more */
	double cost_ns;      /* of reading the timer, as far as it adds to a chain's time */
	double ratio;        /* how many cycles a multiplication takes: a whole number */
	unsigned refused;    /* readings in a row that were not to be trusted */
	uint64_t missed;     /* readings while the clock was missing */
	uint64_t retry_at;   /* of these: it is learnt again */
};

/* Learns what a probe takes on the CPU that it runs on, each number from repeated trials of which a
 * third may be disturbed by any amount. */
struct clock_probe clock_probe_make(clock_chain_ns *time, void *context);
/* That of the CPU that it runs on; none where its kernels have no such chains. */
struct clock_probe clock_probe_hardware(void);
/* One that never tells a clock, for that reason. */
struct clock_probe clock_probe_none(const char *missing);
/* The clock now; NAN: not known, or not to be trusted this time. Where many readings in a row are
 * not, the probe is learnt again; so it is now and then while the clock is missing. */
struct meter_clock clock_probe_read(struct clock_probe *probe);
