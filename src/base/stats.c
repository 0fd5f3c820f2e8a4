#include "base/stats.h"

#include <math.h>
#include <stdlib.h>

static int compare(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;
	return (x > y) - (x < y);
}

void stats_sort(double *values, size_t count)
{
	if (count > 0) /* qsort may not be given NULL */
		qsort(values, count, sizeof(*values), compare);
}

double stats_median_sorted(const double *sorted, size_t count)
{
	if (count == 0)
		return NAN;
	return (sorted[(count - 1) / 2] + sorted[count / 2]) / 2;
}

double stats_median(double *values, size_t count)
{
	stats_sort(values, count);
	return stats_median_sorted(values, count);
}

size_t stats_interval_rank(size_t count)
{
	double tail = 0;                             /* P(Binomial(count, 1/2) <= rank - 1) */
	double log_term = -(double)count * log(2.0); /* 2^-count itself is 0 from 1075 on */
	size_t rank = 0;
	while (rank < count / 2) {
		tail += exp(log_term);
		if (2 * tail > 0.05)
			break;
		log_term += log((double)(count - rank) / (double)(rank + 1));
		rank++;
	}
	return rank;
}

struct stats_interval stats_median_interval(const double *sorted, size_t count)
{
	size_t rank = stats_interval_rank(count);
	if (rank == 0)
		return (struct stats_interval){NAN, NAN};
	return (struct stats_interval){sorted[rank - 1], sorted[count - rank]};
}

static double mean(const double *values, size_t count)
{
	double sum = 0;
	for (size_t i = 0; i < count; i++)
		sum += values[i];
	return sum / (double)count;
}

struct stats_spread stats_spread(const double *values, size_t groups, size_t each)
{
	double inside = 0, outside = 0, all = mean(values, groups * each);
	if (groups < 2 || each < 2)
		return (struct stats_spread){NAN, NAN};
	for (size_t group = 0; group < groups; group++) {
		double own = mean(values + group * each, each);
		outside += (own - all) * (own - all);
		for (size_t i = 0; i < each; i++) {
			double off = values[group * each + i] - own;
			inside += off * off;
		}
	}
	inside /= (double)(groups * (each - 1));
	outside /= (double)(groups - 1);
	return (struct stats_spread){sqrt(fmax(0, outside - inside / (double)each)), sqrt(inside)};
}
