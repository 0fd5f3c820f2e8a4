#include <math.h>
#include <stdbool.h>

#include "baselines.h"

#define SPAN_OCTAVES 0.5 /* of a difference: closer points show their noise */
#define LEAST_SLOPE  0.5 /* of ln latency over ln size; a plateau has less */
#define VALLEY       0.5 /* of the lower peak: what parts two */

struct slope {
	double at; /* log2 of bytes, the middle */
	double value;
};

static size_t find_slopes(const struct baseline_curve *curve, struct slope slopes[BASELINE_POINTS])
{
	size_t count = 0;
	for (size_t i = 0, k = 0; i < curve->count; i++) {
		while (k + 1 < curve->count &&
		       (k == i || curve->log_size[k] - curve->log_size[i] < SPAN_OCTAVES))
			k++;
		double octaves = curve->log_size[k] - curve->log_size[i];
		if (octaves < SPAN_OCTAVES)
			break;
		slopes[count++] = (struct slope){
			.at = curve->log_size[i] + octaves / 2,
			.value = (curve->log_latency[k] - curve->log_latency[i]) / octaves / M_LN2};
	}
	return count;
}

size_t baseline_slope_peaks(const struct baseline_curve *curve, double ends[BASELINE_ENDS])
{
	struct slope slopes[BASELINE_POINTS];
	size_t slope_count = find_slopes(curve, slopes), count = 0;
	const struct slope *peak = NULL; /* of the rise that is passed */
	double valley = 0;               /* the least slope since it */
	for (size_t i = 0; i < slope_count; i++) {
		const struct slope *at = &slopes[i];
		bool parted = peak && valley < VALLEY * fmin(peak->value, at->value);
		if (at->value >= LEAST_SLOPE && parted && count < BASELINE_ENDS - 1) {
			ends[count++] = exp2(peak->at);
			peak = NULL;
		}
		if (at->value >= LEAST_SLOPE && (!peak || at->value > peak->value)) {
			peak = at;
			valley = at->value;
		}
		valley = fmin(valley, at->value);
	}
	if (peak)
		ends[count++] = exp2(peak->at);
	return count;
}
