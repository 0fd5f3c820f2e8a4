#include <math.h>
#include <string.h>

#include "base/text.h"
#include "model/compare/compare_parts.h"

struct range {
	double low_hz, high_hz, ln_median; /* of several runs: of all of them, and the mean */
};

static bool known(const struct fathom_result *result)
{
	return result->clock_min_hz > 0 && result->clock_median_hz > 0 &&
	       result->clock_max_hz >= result->clock_min_hz;
}

static bool find_range(const struct fathom_run *runs, size_t count, struct range *range)
{
	*range = (struct range){INFINITY, 0, 0};
	for (size_t i = 0; i < count; i++) {
		const struct fathom_result *result = runs[i].result;
		if (!known(result))
			return false;
		range->low_hz = fmin(range->low_hz, result->clock_min_hz);
		range->high_hz = fmax(range->high_hz, result->clock_max_hz);
		range->ln_median += log(result->clock_median_hz) / (double)count;
	}
	return true;
}

/* How a clock moves from run to run is no matter of normal errors: it stays in one state for a
 * whole run, or hops. Only what no probe of the one saw in the other is a difference. */
int compare_clock(const struct compare_set *set, double threshold, struct fathom_compared_run *run,
		  struct fathom_error *error)
{
	struct range before, now;
	if (!find_range(set->runs[0], set->baseline_count, &before) ||
	    !find_range(set->runs[1], 1, &now))
		return 0;
	double log_speedup = now.ln_median - before.ln_median;
	bool apart = now.low_hz > before.high_hz || now.high_hz < before.low_hz;
	struct fathom_compared_part part = {
		.quantity = FATHOM_QUANTITY_HZ,
		.baseline = exp(before.ln_median),
		.value = exp(now.ln_median),
		.speedup = exp(log_speedup),
		.speedup_low = now.low_hz / before.high_hz,
		.speedup_high = now.high_hz / before.low_hz,
		.error = NAN,
		.freedom = NAN,
		.probability = NAN,
		.visible = NAN,
		.name = strdup("core clock"),
		.evidence = text_format("probes read %.3g to %.3g GHz against %.3g to %.3g GHz",
					now.low_hz * 1e-9, now.high_hz * 1e-9, before.low_hz * 1e-9,
					before.high_hz * 1e-9),
	};
	if (fabs(log_speedup) <= log1p(threshold))
		part.verdict = FATHOM_SAME;
	else if (!apart)
		part.verdict = FATHOM_VERDICT_UNKNOWN;
	else
		part.verdict = log_speedup > 0 ? FATHOM_FASTER : FATHOM_SLOWER;
	return compare_add_part(run, &part, error);
}
