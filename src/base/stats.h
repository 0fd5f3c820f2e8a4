/* Order statistics. None of these changes its input unless it says so. */
#pragma once

#include <stddef.h>

/* Of a normal distribution: half its central 95 %, in standard deviations; the deviation over the
 * median absolute one; the standard error of a median over that of a mean. */
#define STATS_NORMAL_95    1.96
#define STATS_MAD_TO_SIGMA 1.4826
#define STATS_MEDIAN_ERROR 1.2533

/* Sorts ascending, in place. No NAN. */
void stats_sort(double *values, size_t count);
/* Of sorted values; the mean of the middle two for an even count; NAN for none. */
double stats_median_sorted(const double *sorted, size_t count);
/* Sorts `values` in place. */
double stats_median(double *values, size_t count);

struct stats_interval {
	double low, high; /* NAN: too few values */
};

/* The narrowest symmetric pair of order statistics that holds the median with at least 95 %,
 * whatever the distribution: P = 1 - 2 P(Binomial(n, 1/2) < r). Six values give 96.9 %; fewer
 * give none. Source: David and Nagaraja, Order Statistics (2003), section 7.1. */
struct stats_interval stats_median_interval(const double *sorted, size_t count);
/* The rank r >= 1 of that pair (the r-th smallest and the r-th largest); 0: too few. */
size_t stats_interval_rank(size_t count);

/* The shortest interval that holds half of the values (rounded up). Whatever disturbs fewer than
 * half of them leaves it where the undisturbed ones lie densest. Source: the "shorth", Andrews et
 * al., Robust Estimates of Location (1972). */
struct stats_shorth {
	double center;    /* mean of the values in it; NAN: no values */
	double low, high; /* its ends */
};

struct stats_shorth stats_shorth(const double *sorted, size_t count);

/* In place, the values that never fall and are nearest to these by least squares: what falls is
 * pooled with what is before it (Ayer et al. 1955). */
void stats_isotonic(double *values, size_t count);

struct stats_spread {
	double between, within; /* standard deviations; NAN: too few values */
};

/* The spread of what the values of a group have in common (0 where it is lost in the noise), apart
 * from that of the values inside the groups. `groups`: the group of each value; those of a group
 * stand together. At least two groups, and one of two values or more. Source: one-way analysis of
 * variance with unequal groups, Searle, Casella and McCulloch, Variance Components (1992), 3.6. */
struct stats_spread stats_spread(const double *values, const size_t *groups, size_t count);
