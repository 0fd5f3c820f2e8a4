#include "measure/sampling/sibling_probe.h"

#include <math.h>

/* Of the additions that tell the clock: at eight a cycle still enough steps of the timer. */
#define SHARE 2
/* Some 10 ms: three quarters of the time that such a program ran were in shorter turns. */
#define LEARN_READINGS 500
/* A reading of the clock may be wrong: of 18,750 on an Emerald Rapids guest up to 20 were, each by
 * another amount of 10 to 30 %, while looks without such a program were within 2 % of another. */
#define ENOUGH       8     /* looks in two bins side by side, each by another reading, ... */
#define LEAST_SHARE  0.001 /* ... and of all looks: more than wrong readings put there */
#define BIN_LN       0.01
#define MOST_A_CYCLE 16.0 /* additions: the first bin; no core issues as many */
/* A 40 KiB chain on an Emerald Rapids guest, laps of 10 us between two probes: of those whose
 * slower probe took up to 1.15 times the least 1 % were slowed down by over 3 %, of those from 1.25
 * times on 70 to 99 % (two runs of 0.5 million). */
#define BUSY 1.2

static double time_now(const struct sibling_probe *probe)
{
	return probe->time(probe->context, CLOCK_APART, probe->count);
}

static void note(struct sibling_probe *probe, double cycles, double hz)
{
	if (hz == probe->hz || !(cycles > 0))
		return;
	probe->hz = hz;
	double bin = floor(log(cycles * MOST_A_CYCLE / (double)probe->count) / BIN_LN);
	if (!(bin >= 0 && bin < SIBLING_PROBE_BINS - 1))
		return;
	probe->looks[(size_t)bin]++;
	double enough = fmax(ENOUGH, LEAST_SHARE * ++probe->look_count);
	for (size_t i = 0; i + 1 < SIBLING_PROBE_BINS; i++)
		if (probe->looks[i] + probe->looks[i + 1] >= enough) {
			probe->alone =
				exp((double)(i + 1) * BIN_LN) * (double)probe->count / MOST_A_CYCLE;
			return;
		}
}

struct sibling_probe sibling_probe_make(struct clock_probe *clock)
{
	struct sibling_probe probe = {.alone = INFINITY};
	if (clock->missing)
		return probe;
	probe.time = clock->time;
	probe.context = clock->context;
	probe.count = clock->count / SHARE / CLOCK_CHAIN_UNIT * CLOCK_CHAIN_UNIT;
	if (probe.count == 0)
		probe.count = CLOCK_CHAIN_UNIT;
	for (int i = 0; i < LEARN_READINGS; i++) {
		double hz = clock_probe_read(clock).hz;
		note(&probe, time_now(&probe) * hz * 1e-9, hz);
	}
	return probe;
}

bool sibling_probe_is_busy(struct sibling_probe *probe, double hz)
{
	if (!probe->time || isnan(hz))
		return false;
	double cycles = time_now(probe) * hz * 1e-9;
	note(probe, cycles, hz);
	return cycles > BUSY * probe->alone;
}
