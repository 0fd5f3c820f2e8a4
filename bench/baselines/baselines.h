/* Where caches end, read off a curve without a model of them. Each reader writes the ends that it
 * finds, in bytes and ascending, and returns how many. */
#ifndef BENCH_BASELINES_BASELINES_H
#define BENCH_BASELINES_BASELINES_H

#include <stddef.h>

#define BASELINE_POINTS 512
#define BASELINE_ENDS   16

struct baseline_curve {
	size_t count;
	double log_size[BASELINE_POINTS];    /* log2 of bytes, ascending, no two alike */
	double log_latency[BASELINE_POINTS]; /* natural logarithm */
};

/* The middle of each steepest place. Peaks between which the slope does not halve are one. */
size_t baseline_slope_peaks(const struct baseline_curve *curve, double ends[BASELINE_ENDS]);

/* Where the latency passes the mean of two neighbouring plateaus. */
size_t baseline_half_height(const struct baseline_curve *curve, double ends[BASELINE_ENDS]);

/* Between the parts of the partition into constants that the modified Bayes information criterion
 * prefers. Source: N. R. Zhang and D. O. Siegmund, Biometrics 63 (2007), 22-32. */
size_t baseline_change_points(const struct baseline_curve *curve, double ends[BASELINE_ENDS]);

#endif
