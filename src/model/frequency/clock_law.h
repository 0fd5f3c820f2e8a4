/* A latency as a part that follows the core's clock and one that does not. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

struct clock_law_point {
	double relative; /* the clock, over that of the slowest run */
	double ns;
	double error_ns; /* standard; NAN: not known */
};

/* ns = core_ns / relative + outside_ns. */
struct clock_law {
	double core_ns, core_error_ns; /* standard errors; NAN: not known */
	double outside_ns, outside_error_ns;
};

/* Least squares, each point by its error where all are known: two points are met exactly. Errors
 * are propagated from those of the points, and where three or more points scatter by more than
 * that, enlarged by as much (Bevington and Robinson, Data Reduction and Error Analysis, 3rd ed.,
 * chapter 6). False: fewer than two clocks. */
bool clock_law_fit(const struct clock_law_point *points, size_t count, struct clock_law *law);
