/* At which clock each of several runs was, and how far these are apart. */
#pragma once

#include "model/frequency/clock_grid.h"

/* Latencies are divided by the difference of the clocks: a per cent of it is no more than what a
 * probe is trusted to. */
#define CLOCKS_LEAST_RATIO 1.01

/* Fills `clocks`, one a run in the order of the runs, their curves and the slowest's bounds left
 * out: relative is to the slowest run. `given_hz`: NULL, or NAN or 0 where none was given.
 * Afterwards the latencies of runs in cycles are in ns. Errors: BAD_INPUT (cycles without a clock,
 * nothing to recover it from, clocks that are too close: those that were given are USAGE),
 * FAILED. */
int clocks_find(struct clock_grid *grid, const double *given_hz, const struct clock_range *ranges,
		size_t range_count, struct fathom_clock *clocks, struct fathom_error *error);

/* Of `count` values, which are sorted: the median and its 95 % interval. From six values on that of
 * order statistics (base/stats.h), of fewer Student's; one has none. */
struct clocks_median {
	double value, low, high;
};
struct clocks_median clocks_median(double *values, size_t count);
