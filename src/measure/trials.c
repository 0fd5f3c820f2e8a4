#include "measure/trials.h"

#include <math.h>

#include "base/stats.h"

struct trials_center trials_find(double *values, size_t count, double step)
{
	size_t quarter = count / 4 + 1, best = 0, near = 0;
	double sum = 0;
	if (count == 0)
		return (struct trials_center){NAN, NAN};
	stats_sort(values, count);
	for (size_t i = 1; i + quarter <= count; i++)
		if (values[i + quarter - 1] - values[i] < values[best + quarter - 1] - values[best])
			best = i;
	double low = values[best], high = values[best + quarter - 1];
	double slack = fmax(step, 2 * (high - low));
	for (size_t i = 0; i < count; i++)
		if (values[i] >= low - slack && values[i] <= high + slack) {
			sum += values[i];
			near++;
		}
	return (struct trials_center){sum / (double)near, (high - low) / 2};
}
