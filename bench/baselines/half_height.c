#include <math.h>
#include <stdbool.h>

#include "baselines.h"

#define FLAT_SLOPE 0.3 /* of ln latency over ln size, at most, between the points of a plateau */
#define LEAST_STEP 1.6 /* of two plateaus; nearer ones are one */

struct plateau {
	size_t first, last;
	double latency; /* the mean of its points */
};

/* The plateau that begins with `first`; a single point is one, too. */
static struct plateau take_plateau(const struct baseline_curve *curve, size_t first)
{
	struct plateau taken = {first, first, exp(curve->log_latency[first])};
	double sum = taken.latency;
	for (size_t i = first + 1; i < curve->count; i++) {
		double octaves = curve->log_size[i] - curve->log_size[first];
		double rise = curve->log_latency[i] - curve->log_latency[first];
		if (fabs(rise) > fmax(FLAT_SLOPE * octaves * M_LN2, log(LEAST_STEP) / 2))
			break;
		sum += exp(curve->log_latency[i]);
		taken.last = i;
	}
	taken.latency = sum / (double)(taken.last - first + 1);
	return taken;
}

/* log2 of the size between the plateaus where the latency is the mean of theirs. */
static double crossing(const struct baseline_curve *curve, const struct plateau *low,
		       const struct plateau *high)
{
	double half = (low->latency + high->latency) / 2;
	size_t i = low->last;
	while (i + 1 < high->first && exp(curve->log_latency[i + 1]) < half)
		i++;
	double below = exp(curve->log_latency[i]), above = exp(curve->log_latency[i + 1]);
	double share = above > below ? (half - below) / (above - below) : 0.5;
	return curve->log_size[i] +
	       fmin(1, fmax(0, share)) * (curve->log_size[i + 1] - curve->log_size[i]);
}

size_t baseline_half_height(const struct baseline_curve *curve, double ends[BASELINE_ENDS])
{
	size_t count = 0;
	struct plateau low = take_plateau(curve, 0);
	for (size_t i = low.last + 1; i < curve->count && count < BASELINE_ENDS;) {
		struct plateau next = take_plateau(curve, i);
		bool is_end = next.last + 1 == curve->count;
		i = next.last + 1;
		if ((next.first == next.last && !is_end) || next.latency < LEAST_STEP * low.latency)
			continue;
		ends[count++] = exp2(crossing(curve, &low, &next));
		low = next;
	}
	return count;
}
