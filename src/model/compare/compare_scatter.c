#include "model/compare/compare_scatter.h"

#include <math.h>

#include "model/compare/compare_judge.h"

#define NORMAL_MEDIAN    1.2533 /* the standard error of a median over that of a mean */
#define MOST_CORRELATION 0.8
#define NO_SCATTER       1e-20 /* squared: what logarithms of the same ratio are off */
#define LEAST_EFFECTIVE  2.0   /* one degree of freedom */
#define LEAST_STEP       1e-6  /* finer ones do not matter */
#define SAME_MULTIPLE    1e-6  /* of a step: what binary fractions of decimal ones are off */

static double mean_of(const double *values, size_t count)
{
	double sum = 0;
	for (size_t i = 0; i < count; i++)
		sum += values[i];
	return sum / (double)count;
}

/* Products of each with the one `apart` behind it, off the mean. */
static double products(const double *values, size_t count, size_t apart)
{
	double mean = mean_of(values, count), sum = 0;
	for (size_t i = apart; i < count; i++)
		sum += (values[i] - mean) * (values[i - apart] - mean);
	return sum;
}

struct compare_scatter compare_scatter_of(const double *ln_ratios, size_t count)
{
	if (count < 2)
		return (struct compare_scatter){0, 0};
	return (struct compare_scatter){products(ln_ratios, count, 0), (double)count - 1};
}

/* How many of so many ratios would tell as much, did neighbours tell nothing of each other: by the
 * correlation of neighbours r, count (1 - r) / (1 + r) (as of a first-order autoregression; Bayley
 * and Hammersley 1946). Few values show too little of r: 1 / count is added (Kendall 1954). */
static double effective_count(const double *ln_ratios, size_t count)
{
	double squares = products(ln_ratios, count, 0);
	if (squares < NO_SCATTER * (double)count)
		return (double)count;
	double correlation = products(ln_ratios, count, 1) / squares + 1 / (double)count;
	correlation = fmax(0, fmin(MOST_CORRELATION, correlation));
	return fmax(LEAST_EFFECTIVE, (double)count * (1 - correlation) / (1 + correlation));
}

/* Is there scatter to hold so many sizes against: their own, or else that of all levels? */
static bool is_known(size_t count, const struct compare_scatter *all)
{
	return count >= COMPARE_SCATTER_FEWEST || all->freedom >= COMPARE_SCATTER_FEWEST - 1;
}

void compare_scatter_estimate(const struct compare_scatter_sample *sample, double log_speedup,
			      struct fathom_compared_part *part)
{
	bool few = sample->count < COMPARE_SCATTER_FEWEST;
	struct compare_scatter scatter =
		few ? sample->all : compare_scatter_of(sample->ln_ratios, sample->count);
	double effective =
		few ? (double)sample->count : effective_count(sample->ln_ratios, sample->count);
	double variance = scatter.squares / scatter.freedom; /* NAN: there is none */
	double error = hypot(NORMAL_MEDIAN * sqrt(variance / effective), sample->rounding);
	compare_set_log_speedup(log_speedup, error, few ? scatter.freedom : effective - 1, part);
	if (!is_known(sample->count, &sample->all))
		part->probability = part->speedup_low = part->speedup_high = NAN;
}

double compare_rounding_error(double value, double step)
{
	return step / sqrt(12) / value;
}

static bool are_multiples(const double *values, size_t count, double step)
{
	for (size_t i = 0; i < count; i++)
		if (fabs(values[i] / step - round(values[i] / step)) > SAME_MULTIPLE)
			return false;
	return true;
}

double compare_rounding_step(const double *values, size_t count)
{
	for (double step = 1; step >= LEAST_STEP; step /= 10)
		if (are_multiples(values, count, step))
			return step;
	return 0;
}
