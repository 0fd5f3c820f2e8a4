#include "measure/sampling/trials.h"

#include <math.h>

#include "base/stats.h"

#define STEPS    10
#define ROUNDING 1e-9 /* of a mean of equal values */

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

struct trials_center trials_find(double *values, size_t count, double step)
{
	size_t quarter = count / 4 + 1, best = 0;
	if (count == 0)
		return (struct trials_center){NAN, NAN};
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
	return (struct trials_center){center, (high - low) / 2};
}
