/* Order statistics. None of these changes its input unless it says so. */
#ifndef BASE_STATS_H
#define BASE_STATS_H

#include <stddef.h>

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

struct stats_spread {
	double between, within; /* standard deviations; NAN: too few values */
};

/* `groups` groups of `each` values, one after the other: the spread of what the values of a group
 * have in common, apart from that of the values inside the groups (one-way analysis of variance);
 * 0 where it is lost in that. Two groups of two values at least. */
struct stats_spread stats_spread(const double *values, size_t groups, size_t each);

#endif
