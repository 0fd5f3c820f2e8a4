#include <math.h>
#include <stdbool.h>

#include "baselines.h"

#define ERROR       0.3 /* by which a part may bend, relative: far above the noise */
#define ONE_OCTAVES 1.0 /* nearer changes are one rise, read at the largest */

/* begins[end]: where the last part of the best partition of the first `end` points begins. Each
 * part costs its scatter, its share of -ln of the criterion, and each change 3/2 ln n. */
static void find_parts(const struct baseline_curve *curve, size_t begins[BASELINE_POINTS + 1])
{
	double n = (double)curve->count, best[BASELINE_POINTS + 1] = {-1.5 * log(n)};
	for (size_t end = 1; end <= curve->count; end++) {
		double sum = 0, squares = 0;
		best[end] = INFINITY;
		for (size_t begin = end; begin-- > 0;) {
			double value = curve->log_latency[begin], length = (double)(end - begin);
			sum += value;
			squares += value * value;
			double scatter = squares - sum * sum / length;
			double cost = best[begin] + scatter / (2 * ERROR * ERROR) + 1.5 * log(n) +
				      log(length / n) / 2;
			if (cost < best[end]) {
				best[end] = cost;
				begins[end] = begin;
			}
		}
	}
}

size_t baseline_change_points(const struct baseline_curve *curve, double ends[BASELINE_ENDS])
{
	size_t begins[BASELINE_POINTS + 1] = {0}, count = 0;
	bool is_begin[BASELINE_POINTS + 1] = {false};
	double last_at = -INFINITY, last_rise = 0;
	find_parts(curve, begins);
	for (size_t end = curve->count; end > 0; end = begins[end])
		is_begin[begins[end]] = true;
	for (size_t i = 1; i < curve->count; i++) {
		double at = (curve->log_size[i - 1] + curve->log_size[i]) / 2;
		double rise = curve->log_latency[i] - curve->log_latency[i - 1];
		bool same = at - last_at <= ONE_OCTAVES;
		if (!is_begin[i] || rise <= (same ? last_rise : 0) ||
		    (!same && count == BASELINE_ENDS))
			continue;
		count += !same;
		ends[count - 1] = exp2(at);
		last_at = at;
		last_rise = rise;
	}
	return count;
}
