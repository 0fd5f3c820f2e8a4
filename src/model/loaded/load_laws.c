#include "model/loaded/load_laws.h"

#include <math.h>
#include <stdlib.h>

#include "base/error.h"
#include "base/list.h"
#include "base/warnings.h"
#include "document/table.h"
#include "model/loaded/load_law.h"

#define TOO_FEW "too-few-loads"

static void take(const struct load_law *law, struct fathom_load_law *made)
{
	made->idle_latency_ns = law->idle_ns.value;
	made->idle_latency_low_ns = law->idle_ns.low;
	made->idle_latency_high_ns = law->idle_ns.high;
	made->rise_ns = law->rise_ns;
	made->peak_bytes_per_second = law->peak.value;
	made->peak_low_bytes_per_second = law->peak.low;
	made->peak_high_bytes_per_second = law->peak.high;
	made->knee_bytes_per_second = law->knee.value;
	made->knee_low_bytes_per_second = law->knee.low;
	made->knee_high_bytes_per_second = law->knee.high;
	made->exponent = law->exponent.value;
	made->exponent_low = law->exponent.low;
	made->exponent_high = law->exponent.high;
	made->bends_back = law->bends_back;
	made->bent_share = law->bent_share;
	made->median_error = law->median_error;
}

static const struct fathom_load *find_greatest(const struct fathom_curve *curve)
{
	const struct fathom_load *greatest = &curve->loads[0];
	for (size_t i = 1; i < curve->load_count; i++)
		if (curve->loads[i].bandwidth_bytes_per_second >
		    greatest->bandwidth_bytes_per_second)
			greatest = &curve->loads[i];
	return greatest;
}

static bool is_saturated(const struct fathom_load *none, const struct fathom_load *all,
			 const struct fathom_load *most)
{
	return isnan(all->wanted_bytes_per_second) &&
	       isfinite(most->bandwidth_low_bytes_per_second) &&
	       load_law_is_saturated(all->latency_ns / none->latency_ns,
				     all->bandwidth_bytes_per_second /
					     most->bandwidth_bytes_per_second);
}

/* The visits to one rate say how well that one is known; another rate may get a little more
 * through, and the greatest of several is too great by what they scatter. */
static struct load_estimate peak_of(const struct fathom_load *most)
{
	double bytes = most->bandwidth_bytes_per_second;
	return (struct load_estimate){
		bytes,
		fmin(most->bandwidth_low_bytes_per_second, LOAD_LAW_AT_PEAK * bytes),
		fmax(most->bandwidth_high_bytes_per_second, bytes / LOAD_LAW_AT_PEAK),
	};
}

/* Of a curve that this program measured: its loads begin without traffic and end with all that the
 * threads can make. */
static struct load_known find_known(const struct fathom_curve *curve)
{
	struct load_known known = LOAD_NOTHING_KNOWN;
	const struct fathom_load *none = &curve->loads[0];
	const struct fathom_load *most = find_greatest(curve);
	if (curve->traffic == FATHOM_TRAFFIC_UNKNOWN || !(none->wanted_bytes_per_second <= 0))
		return known;
	if (isfinite(none->latency_low_ns))
		known.idle_ns = (struct load_estimate){none->latency_ns, none->latency_low_ns,
						       none->latency_high_ns};
	if (is_saturated(none, &curve->loads[curve->load_count - 1], most))
		known.peak = peak_of(most);
	return known;
}

/* The law says nothing of where the knee is between two rates that were measured: it may be
 * anywhere there. */
static void widen_knee(const double *bandwidth, size_t count, struct fathom_load_law *made)
{
	double knee = made->knee_bytes_per_second, below = 0, above = INFINITY;
	for (size_t i = 0; i < count; i++)
		if (bandwidth[i] < knee)
			below = fmax(below, bandwidth[i]);
		else
			above = fmin(above, bandwidth[i]);
	if (isnan(knee) || isinf(above))
		return;
	made->knee_low_bytes_per_second = fmin(made->knee_low_bytes_per_second, below);
	made->knee_high_bytes_per_second = fmax(made->knee_high_bytes_per_second, above);
}

/* `bandwidth` and `latency_ns` have room for all loads of the curve. */
static int fit(const struct fathom_curve *curve, double *bandwidth, double *latency_ns,
	       struct fathom_load_law *made)
{
	const struct load_known known = find_known(curve);
	struct load_law law;
	for (size_t i = 0; i < curve->load_count; i++) {
		bandwidth[i] = curve->loads[i].bandwidth_bytes_per_second;
		latency_ns[i] = curve->loads[i].latency_ns;
	}
	made->greatest_bytes_per_second = fmax(0, find_greatest(curve)->bandwidth_bytes_per_second);
	made->read_share = curve->loads[0].read_share;
	if (load_law_fit(bandwidth, latency_ns, curve->load_count, &known, &law))
		return -1;
	take(&law, made);
	widen_knee(bandwidth, curve->load_count, made);
	return 0;
}

static int add_law(struct fathom_result *result, size_t which, struct fathom_error *error)
{
	const struct fathom_curve *curve = &result->curves[which];
	struct fathom_load_law made;
	double *values = malloc(2 * curve->load_count * sizeof(*values));
	table_unknown(&load_law_table, &made);
	made.curve = which;
	bool failed = !values || fit(curve, values, values + curve->load_count, &made) ||
		      LIST_APPEND(&result->load_laws, &result->load_law_count, &made);
	free(values);
	return failed ? error_no_memory(error) : 0;
}

int load_laws_find(struct fathom_result *result, struct fathom_error *error)
{
	table_free_items(&load_law_table, result->load_laws, result->load_law_count);
	result->load_laws = NULL;
	result->load_law_count = 0;
	warnings_remove(&result->warnings, TOO_FEW);
	for (size_t i = 0; i < result->curve_count; i++) {
		const struct fathom_curve *curve = &result->curves[i];
		if (!curve->load_count)
			continue;
		int failed = curve->load_count < LOAD_LAW_FEWEST
				     ? warnings_add(&result->warnings, TOO_FEW, NULL,
						    "measure at more rates of traffic",
						    "curve %zu has %zu of the %d loads that a law "
						    "of latency under load needs",
						    i + 1, curve->load_count, LOAD_LAW_FEWEST)
				     : add_law(result, i, error);
		if (failed)
			return error_no_memory(error);
	}
	return 0;
}
