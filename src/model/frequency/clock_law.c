#include "model/frequency/clock_law.h"

#include <math.h>

#define LEAST_APART 1e-6 /* clocks, as a share */

struct sums {
	double one, x, y, xx, xy;
};

static struct sums add_up(const struct clock_law_point *points, size_t count, bool weighted)
{
	struct sums sums = {0};
	for (size_t i = 0; i < count; i++) {
		double x = 1 / points[i].relative, y = points[i].ns;
		double weight = weighted ? 1 / (points[i].error_ns * points[i].error_ns) : 1;
		sums.one += weight;
		sums.x += weight * x;
		sums.y += weight * y;
		sums.xx += weight * x * x;
		sums.xy += weight * x * y;
	}
	return sums;
}

/* By how much the points scatter more than their errors say; 1: they do not. */
static double excess(const struct clock_law_point *points, size_t count,
		     const struct clock_law *law)
{
	double squares = 0;
	if (count <= 2)
		return 1;
	for (size_t i = 0; i < count; i++) {
		double fitted = law->core_ns / points[i].relative + law->outside_ns;
		double off = (points[i].ns - fitted) / points[i].error_ns;
		squares += off * off;
	}
	return fmax(1, sqrt(squares / (double)(count - 2)));
}

bool clock_law_fit(const struct clock_law_point *points, size_t count, struct clock_law *law)
{
	bool weighted = true;
	for (size_t i = 0; i < count; i++)
		weighted &= points[i].error_ns > 0;
	struct sums sums = add_up(points, count, weighted);
	double spread = sums.one * sums.xx - sums.x * sums.x;
	if (count < 2 || spread <= LEAST_APART * LEAST_APART * sums.one * sums.xx)
		return false;
	*law = (struct clock_law){
		.core_ns = (sums.one * sums.xy - sums.x * sums.y) / spread,
		.outside_ns = (sums.xx * sums.y - sums.x * sums.xy) / spread,
		.core_error_ns = NAN,
		.outside_error_ns = NAN,
	};
	if (!weighted)
		return true;
	double times = excess(points, count, law);
	law->core_error_ns = times * sqrt(sums.one / spread);
	law->outside_error_ns = times * sqrt(sums.xx / spread);
	return true;
}
