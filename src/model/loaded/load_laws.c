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

/* Threads that make all they can, and an access that waits for them longer than at the knee: then
 * memory gives no more. */
static double over_ln(const struct fathom_curve *curve)
{
	const struct fathom_load *none = &curve->loads[0];
	const struct fathom_load *all = &curve->loads[curve->load_count - 1];
	bool known = curve->traffic != FATHOM_TRAFFIC_UNKNOWN &&
		     none->wanted_bytes_per_second <= 0 && isnan(all->wanted_bytes_per_second);
	return known && all->latency_ns > LOAD_LAW_KNEE * none->latency_ns ? LOAD_LAW_SATURATED
									   : LOAD_LAW_OVER;
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
	struct load_law law;
	made->greatest_bytes_per_second = 0;
	for (size_t i = 0; i < curve->load_count; i++) {
		bandwidth[i] = curve->loads[i].bandwidth_bytes_per_second;
		latency_ns[i] = curve->loads[i].latency_ns;
		made->greatest_bytes_per_second =
			fmax(made->greatest_bytes_per_second, bandwidth[i]);
	}
	made->read_share = curve->loads[0].read_share;
	if (load_law_fit(bandwidth, latency_ns, curve->load_count, over_ln(curve), &law))
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
