#include "model/distribution/distributions.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/list.h"
#include "base/stats.h"
#include "base/warnings.h"
#include "document/table.h"
#include "model/distribution/bins.h"
#include "model/distribution/modes.h"
#include "model/distribution/quantiles.h"
#include "model/distribution/refresh.h"
#include "model/distribution/served.h"
#include "model/distribution/slices.h"

#define TOO_FEW "too-few-accesses"
/* Bins as an HdrHistogram of two digits has them. None is wider than 1 %. */
#define BINS_AN_OCTAVE 128
/* A clock's step is seen where values repeat, on average so often: those of a fine clock do so by
 * chance alone. */
#define REPEATED     4
#define LONGER_TIMES 1.1 /* than the median: an access that waits */

/* ---- modes ---- */

/* The least difference of two values, where values repeat; 0: they do not. */
static double step_of(const double *sorted, size_t count)
{
	double least = INFINITY;
	size_t values = 1;
	for (size_t i = 1; i < count; i++)
		if (sorted[i] > sorted[i - 1]) {
			least = fmin(least, sorted[i] - sorted[i - 1]);
			values++;
		}
	return values > 1 && count / values >= REPEATED ? least : 0;
}

/* Whether most of its accesses began when memory was refreshed. */
static bool is_refresh(const struct fathom_curve *curve, const struct mode *mode,
		       const struct refresh *refresh)
{
	size_t all = 0, waiting = 0;
	for (size_t i = 0; i < curve->access_count && curve->times_ns[i] <= refresh->until_ns;
	     i++) {
		double ns = curve->latencies_ns[i];
		if (ns < mode->from_ns || ns >= mode->below_ns)
			continue;
		all++;
		waiting += refresh_has(refresh, curve->times_ns[i]);
	}
	return 2 * waiting > all;
}

static int add_modes(struct fathom_distribution *made, const struct fathom_curve *curve,
		     const double *sorted, const struct refresh *refresh)
{
	struct mode *modes;
	size_t count;
	int failed = 0;
	/* What timing took off too much of is not in steps any more. */
	double step_ns = made->counter ? made->counter_step_ns / made->run_accesses
				       : step_of(sorted, curve->access_count);
	if (modes_find(sorted, curve->access_count, step_ns, &modes, &count))
		return -1;
	double usual_ns = stats_median_sorted(sorted, curve->access_count);
	for (size_t i = 0; i < count && !failed; i++) {
		struct fathom_mode one = {
			.kind = FATHOM_MODE_UNKNOWN,
			.share = modes[i].share,
			.latency_ns = modes[i].ns,
			.low_ns = modes[i].low_ns,
			.high_ns = modes[i].high_ns,
			.without_ns = NAN,
		};
		if (curve->warmth == FATHOM_UNTOUCHED) /* the kernel's work takes long, too */
			one.kind = FATHOM_MODE_UNKNOWN;
		else if (modes[i].ns > usual_ns + REFRESH_MOST_WAIT_NS)
			one.kind = FATHOM_MODE_INTERRUPTION;
		else if (refresh && modes[i].ns > usual_ns && is_refresh(curve, &modes[i], refresh))
			one.kind = FATHOM_MODE_REFRESH;
		failed = LIST_APPEND(&made->modes, &made->mode_count, &one);
	}
	free(modes);
	return failed;
}

/* ---- one curve ---- */

static bool has_times(const struct fathom_curve *curve)
{
	for (size_t i = 0; i < curve->access_count; i++)
		if (isnan(curve->times_ns[i]) || (i && curve->times_ns[i] < curve->times_ns[i - 1]))
			return false;
	return true;
}

/* Accesses that take longer than usual and began around a refresh, without as many as there would
 * be at other times. */
static double share_waiting(const struct fathom_curve *curve, const struct refresh *refresh,
			    double usual_ns)
{
	struct refresh around = *refresh;
	double count[2] = {0}, slow[2] = {0};
	around.first_phase -= refresh->phases / 2;
	around.phases = fmin(0.75, 2 * refresh->phases);
	for (size_t i = 0; i < curve->access_count && curve->times_ns[i] <= refresh->until_ns;
	     i++) {
		bool inside = refresh_has(&around, curve->times_ns[i]);
		count[inside]++;
		slow[inside] += curve->latencies_ns[i] > LONGER_TIMES * usual_ns;
	}
	double otherwise = count[0] > 0 ? count[1] * slow[0] / count[0] : 0;
	return fmax(0, slow[1] - otherwise) / (count[0] + count[1]);
}

static int add_refresh(struct fathom_distribution *made, const struct fathom_curve *curve,
		       const double *sorted, struct refresh *refresh, bool *found)
{
	*found = false;
	if (!has_times(curve) || curve->warmth == FATHOM_UNTOUCHED)
		return 0;
	made->refresh_looked_for = true;
	if (refresh_find(curve->times_ns, curve->latencies_ns, curve->access_count, refresh, found))
		return -1;
	if (*found) {
		made->refresh_period_ns = refresh->period_ns;
		made->refresh_period_low_ns = refresh->low_ns;
		made->refresh_period_high_ns = refresh->high_ns;
		made->refresh_share = share_waiting(
			curve, refresh, stats_median_sorted(sorted, curve->access_count));
	}
	return 0;
}

static int fill(struct fathom_distribution *made, const struct fathom_curve *curve,
		const double *sorted)
{
	struct refresh refresh;
	bool found;
	double sum = 0;
	for (size_t i = 0; i < curve->access_count; i++)
		sum += sorted[i];
	made->accesses = curve->access_count;
	made->mean_ns = sum / (double)curve->access_count;
	return add_refresh(made, curve, sorted, &refresh, &found) ||
	       quantiles_find(made, curve->latencies_ns, sorted, curve->access_count) ||
	       bins_add(&made->bins, &made->bin_count, sorted, curve->access_count,
			BINS_AN_OCTAVE) ||
	       add_modes(made, curve, sorted, found ? &refresh : NULL);
}

/* The entry of those that fathom measured is there, and says how. NULL: no memory. */
static struct fathom_distribution *find_entry(struct fathom_result *result, size_t which)
{
	struct fathom_distribution made;
	for (size_t i = 0; i < result->distribution_count; i++)
		if (result->distributions[i].curve == which)
			return &result->distributions[i];
	table_unknown(&distribution_table, &made);
	made.curve = which;
	if (LIST_APPEND(&result->distributions, &result->distribution_count, &made))
		return NULL;
	return &result->distributions[result->distribution_count - 1];
}

static int add_distribution(struct fathom_result *result, size_t which, struct fathom_error *error)
{
	const struct fathom_curve *curve = &result->curves[which];
	struct fathom_distribution *made = find_entry(result, which);
	double *sorted = malloc(curve->access_count * sizeof(*sorted));
	bool failed = !made || !sorted;
	if (!failed) {
		memcpy(sorted, curve->latencies_ns, curve->access_count * sizeof(*sorted));
		stats_sort(sorted, curve->access_count);
		failed = fill(made, curve, sorted) || slices_find(made, curve);
	}
	free(sorted);
	return failed ? error_no_memory(error) : 0;
}

static void drop(struct fathom_curve *curve)
{
	free(curve->times_ns);
	free(curve->latencies_ns);
	curve->times_ns = curve->latencies_ns = NULL;
	curve->access_count = 0;
}

int distributions_find(struct fathom_result *result, struct fathom_error *error)
{
	for (size_t i = 0; i < result->curve_count; i++) {
		struct fathom_curve *curve = &result->curves[i];
		if (!curve->access_count)
			continue;
		int failed = curve->access_count < DISTRIBUTION_FEWEST
				     ? warnings_add(&result->warnings, TOO_FEW, NULL,
						    "measure more accesses",
						    "curve %zu has %zu of the %d accesses that a "
						    "distribution needs",
						    i + 1, curve->access_count, DISTRIBUTION_FEWEST)
				     : add_distribution(result, i, error);
		if (failed)
			return error_no_memory(error);
	}
	if (served_find(result, error))
		return -1;
	for (size_t i = 0; i < result->curve_count; i++)
		drop(&result->curves[i]);
	return 0;
}
