#include "model/distribution/quantiles.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/list.h"
#include "base/stats.h"

/* The series is cut into so many stretches, which show how far a percentile wanders. */
#define STRETCHES  8
#define STUDENT_95 2.365 /* of 7 degrees of freedom */
#define LEAST_LEFT 5     /* accesses beyond a percentile in each */

static const double shares[] = {0, 0.5, 0.9, 0.99, 0.999, 0.9999, 1};

/* Of the value of that rank, from 1; NAN: there is none. */
static double ranked(const double *sorted, size_t count, double rank)
{
	return rank >= 1 && rank <= (double)count ? sorted[(size_t)rank - 1] : NAN;
}

/* Order statistics whose ranks are a normal's 95 % of the binomial's about the quantile's (David
 * and Nagaraja, Order Statistics, 2003, 7.1). The least and the greatest have none. */
static struct fathom_quantile quantile_of(const double *sorted, size_t count, double share)
{
	double n = (double)count;
	double off = STATS_NORMAL_95 * sqrt(n * share * (1 - share));
	bool end = share <= 0 || share >= 1;
	return (struct fathom_quantile){
		.share = share,
		.latency_ns = ranked(sorted, count, fmax(1, ceil(n * share))),
		.latency_low_ns = end ? NAN : ranked(sorted, count, floor(n * share - off)),
		.latency_high_ns = end ? NAN : ranked(sorted, count, ceil(n * share + off) + 1),
	};
}

/* Accesses near each other are alike where disturbances come in bursts: then percentiles of
 * stretches differ by more than those of independent accesses would. Never narrower. */
static void widen(struct fathom_quantile *quantile, double *const *stretches, size_t length)
{
	double beyond = (double)length * fmin(quantile->share, 1 - quantile->share);
	double sum = 0, squares = 0;
	if (isnan(quantile->latency_low_ns) || isnan(quantile->latency_high_ns) ||
	    beyond < LEAST_LEFT)
		return;
	for (int i = 0; i < STRETCHES; i++) {
		double ln =
			log(ranked(stretches[i], length, ceil((double)length * quantile->share)));
		sum += ln;
		squares += ln * ln;
	}
	double variance = (squares - sum * sum / STRETCHES) / (STRETCHES - 1);
	double times = exp(STUDENT_95 * sqrt(fmax(0, variance) / STRETCHES));
	quantile->latency_low_ns = fmin(quantile->latency_low_ns, quantile->latency_ns / times);
	quantile->latency_high_ns = fmax(quantile->latency_high_ns, quantile->latency_ns * times);
}

int quantiles_find(struct fathom_distribution *made, const double *ns, const double *sorted_ns,
		   size_t count)
{
	size_t length = count / STRETCHES;
	double *copy = malloc((count + 1) * sizeof(*copy)), *stretches[STRETCHES];
	int failed = copy ? 0 : -1;
	if (copy)
		memcpy(copy, ns, count * sizeof(*copy));
	for (size_t i = 0; copy && i < STRETCHES; i++) {
		stretches[i] = copy + i * length;
		stats_sort(stretches[i], length);
	}
	for (size_t i = 0; i < sizeof(shares) / sizeof(*shares) && !failed; i++) {
		/* Fewer than one access beyond it: the greatest says it. */
		if (shares[i] < 1 && (double)count * (1 - shares[i]) < 1)
			continue;
		struct fathom_quantile one = quantile_of(sorted_ns, count, shares[i]);
		widen(&one, stretches, length);
		failed = LIST_APPEND(&made->quantiles, &made->quantile_count, &one);
	}
	free(copy);
	return failed;
}
