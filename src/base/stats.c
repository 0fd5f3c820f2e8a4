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

struct stats_shorth stats_shorth(const double *sorted, size_t count)
{
	size_t half = (count + 1) / 2, best = 0;
	if (count == 0)
		return (struct stats_shorth){NAN, NAN, NAN};
	for (size_t i = 1; i + half <= count; i++)
		if (sorted[i + half - 1] - sorted[i] < sorted[best + half - 1] - sorted[best])
			best = i;
	return (struct stats_shorth){mean(sorted + best, half), sorted[best],
				     sorted[best + half - 1]};
}

void stats_isotonic(double *values, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		double sum = values[i];
		size_t first = i;
		while (first && values[first - 1] > sum / (double)(i - first + 1))
			sum += values[--first];
		for (size_t k = first; k <= i; k++)
			values[k] = sum / (double)(i - first + 1);
	}
}

struct stats_spread stats_spread(const double *values, const size_t *groups, size_t count)
{
	double inside = 0, outside = 0, all = mean(values, count), squares = 0,
	       total = (double)count;
	size_t group_count = 0;
	for (size_t first = 0, end; first < count; first = end) {
		for (end = first; end < count && groups[end] == groups[first];)
			end++;
		double own = mean(values + first, end - first), size = (double)(end - first);
		outside += size * (own - all) * (own - all);
		squares += size * size;
		for (size_t i = first; i < end; i++)
			inside += (values[i] - own) * (values[i] - own);
		group_count++;
	}
	if (group_count < 2 || group_count == count)
		return (struct stats_spread){NAN, NAN};
	inside /= (double)(count - group_count);
	outside /= (double)(group_count - 1);
	double size = (total - squares / total) / (double)(group_count - 1);
	return (struct stats_spread){sqrt(fmax(0, (outside - inside) / size)), sqrt(inside)};
}
