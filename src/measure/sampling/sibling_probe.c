#include "measure/sampling/sibling_probe.h"

#include <math.h>

/* Of the additions that tell the clock: at eight a cycle still enough steps of the timer. */
#define SHARE 2
/* Three quarters of the time that such a program ran were in shorter turns. */
#define LEARN_NS 1e7
#define FRESH    16 /* readings that one of the clock serves */
/* A 40 KiB chain on an Emerald Rapids guest, laps of 10 us between two probes: of those whose
 * slower probe took up to 1.15 times the least 1 % were slowed down by over 3 %, of those from 1.25
 * times on 70 to 99 % (two runs of 0.5 million). */
#define BUSY 1.2

static double time_now(const struct sibling_probe *probe)
{
	return probe->time(probe->context, CLOCK_APART, probe->count);
}

/* One may be wrong by any amount, if the clock was. */
static void note(struct sibling_probe *probe, double cycles)
{
	if (!(cycles < probe->second))
		return;
	probe->second = fmax(cycles, probe->least);
	probe->least = fmin(cycles, probe->least);
}

struct sibling_probe sibling_probe_make(struct clock_probe *clock)
{
	struct sibling_probe probe = {.least = INFINITY, .second = INFINITY};
	if (clock->missing)
		return probe;
	probe.time = clock->time;
	probe.context = clock->context;
	probe.count = clock->count / SHARE / CLOCK_CHAIN_UNIT * CLOCK_CHAIN_UNIT;
	if (probe.count == 0)
		probe.count = CLOCK_CHAIN_UNIT;
	double spent_ns = 0;
	while (spent_ns < LEARN_NS) {
		double hz = clock_probe_read(clock).hz;
		for (int i = 0; i < FRESH; i++) {
			double ns = time_now(&probe);
			note(&probe, ns * hz * 1e-9);
			spent_ns += fmax(ns, 1);
		}
	}
	return probe;
}

bool sibling_probe_is_busy(struct sibling_probe *probe, double hz)
{
	if (!probe->time || isnan(hz))
		return false;
	double cycles = time_now(probe) * hz * 1e-9;
	note(probe, cycles);
	return cycles > BUSY * probe->second;
}
