#include "measure/sampling/trials.h"

#include <math.h>
#include <string.h>

#include "base/stats.h"

#define STEPS    10
#define ROUNDING 1e-9 /* of a mean of equal values */
#define FEWEST   16   /* sets: what lasts for a few of them is not what most say */

/* Of those that are at most so far from it. */
static double mean_near(const double *values, size_t count, double center, double off)
{
	double sum = 0;
	size_t near = 0;
	for (size_t i = 0; i < count; i++)
		if (fabs(values[i] - center) <= off) {
			sum += values[i];
			near++;
		}
	return sum / (double)near;
}

double trials_find(double *values, size_t count, double step)
{
	size_t quarter = count / 4 + 1, best = 0;
	if (count == 0)
		return NAN;
	stats_sort(values, count);
	for (size_t i = 1; i + quarter <= count; i++)
		if (values[i + quarter - 1] - values[i] < values[best + quarter - 1] - values[best])
			best = i;
	double low = values[best], high = values[best + quarter - 1];
	double center = (low + high) / 2, before = NAN;
	double off = (high - low) / 2 + fmax(step, 2 * (high - low)) + ROUNDING * fabs(center);
	for (int i = 0; i < STEPS && center != before; i++) {
		before = center;
		center = mean_near(values, count, center, off);
	}
	return center;
}

struct trials_center trials_of_sets(const struct trials_sets *sets)
{
	double values[TRIALS_SETS];
	memcpy(values, sets->values, sets->count * sizeof(*values));
	double median = stats_median(values, sets->count);
	struct stats_interval interval = stats_median_interval(values, sets->count);
	return (struct trials_center){median, (interval.high - interval.low) / 2};
}

bool trials_go_on(const struct trials_sets *sets, double half_width)
{
	return sets->count < FEWEST ||
	       (sets->count < TRIALS_SETS && !(trials_of_sets(sets).half_width <= half_width));
}
