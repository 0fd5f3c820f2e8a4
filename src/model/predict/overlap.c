#include "model/predict/overlap.h"

#include <math.h>

#define ALIKE 1e-6 /* as a share: times that differ less are equal */

/* Where a share q takes C, and the others nothing, the n - 1 after one that takes C overlap with
 * it: of 1 / q + n - 1 loads one counts (Karkhanis and Smith 2004). Where the others take c, 1 / n
 * of c comes to that from each. Other times are taken for the two that have their mean, variance
 * and skewness, which is Gauss's quadrature with two nodes: both lie among the times themselves. */
double overlap_of(double mean, double variance, double third, double window)
{
	double deviation = sqrt(fmax(0, variance));
	if (!(deviation > ALIKE * mean))
		return window;
	double skewness = third / (variance * deviation), whole = hypot(2, skewness);
	double rarer = 2 / (whole * (whole + fabs(skewness)));
	double slow = skewness > 0 ? rarer : 1 - rarer;
	double fast_ns = mean - deviation * sqrt(slow / (1 - slow));
	if (fast_ns < 0) { /* moments of a sum of less than a load */
		fast_ns = 0;
		slow = mean * mean / (mean * mean + variance);
	}
	double more_ns = mean - fast_ns;
	return mean / (fast_ns / window + more_ns / (1 + (window - 1) * slow));
}
