#include "model/predict/costs.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/stats.h"

/* Times the last cache: of a random cycle so long 2 % hit under random replacement, less under
 * others. */
#define PAST_CACHES 4
#define OWN_CACHES  2 /* of a core: their sets follow from addresses */
/* Of what neighbours take: half, and as little as noise is. Neither decides: with 0.2 and 0.8, and
 * with a tenth and ten times as much, as many predictions to 0.7 points were within 20 % in five
 * runs of 'make predict-check' (Zen 4 guest, 2026-11-29). */
#define HALF_TAKEN  0.5
#define LEAST_TAKEN 1e-3

/* ---- curves ---- */

int costs_curve_make(size_t count, struct costs_curve *curve, struct fathom_error *error)
{
	curve->ln_x = calloc(count + 1, sizeof(*curve->ln_x));
	curve->values = calloc(count + 1, sizeof(*curve->values));
	curve->count = 0;
	return curve->ln_x && curve->values ? 0 : error_no_memory(error);
}

void costs_curve_add(struct costs_curve *curve, double x, struct fathom_cost value)
{
	if (!(x > 0) || !isfinite(value.ns))
		return;
	if (!isfinite(value.low_ns) || !isfinite(value.high_ns))
		value.low_ns = value.high_ns = value.ns;
	size_t at = curve->count;
	for (; at > 0 && curve->ln_x[at - 1] > log(x); at--) {
		curve->ln_x[at] = curve->ln_x[at - 1];
		curve->values[at] = curve->values[at - 1];
	}
	curve->ln_x[at] = log(x);
	curve->values[at] = value;
	curve->count++;
}

static double bound_of(struct fathom_cost cost, int bound)
{
	return bound < 0 ? cost.low_ns : bound > 0 ? cost.high_ns : cost.ns;
}

double costs_at(const struct costs_curve *curve, double x, int bound)
{
	double ln_x = log(fmax(x, 1e-300));
	size_t low = 0, high = curve->count - 1;
	if (ln_x <= curve->ln_x[low])
		return bound_of(curve->values[low], bound);
	if (ln_x >= curve->ln_x[high])
		return bound_of(curve->values[high], bound);
	while (high - low > 1) {
		size_t middle = (low + high) / 2;
		if (curve->ln_x[middle] <= ln_x)
			low = middle;
		else
			high = middle;
	}
	double share = (ln_x - curve->ln_x[low]) / (curve->ln_x[high] - curve->ln_x[low]);
	return (1 - share) * bound_of(curve->values[low], bound) +
	       share * bound_of(curve->values[high], bound);
}
void costs_close(struct fathom_cost *cost)
{
	if (!isfinite(cost->low_ns))
		cost->low_ns = cost->ns;
	if (!isfinite(cost->high_ns))
		cost->high_ns = cost->ns;
}

/* ---- what follows ---- */

double costs_input(const struct costs *costs, enum costs_input input,
		   const struct costs_state *state)
{
	return bound_of(costs->inputs[input], state->at[input]);
}

double costs_packed_ns(const struct costs *costs, double lines)
{
	double ns = costs_at(&costs->latency, lines, 0);
	return costs->settled.count ? fmax(ns, costs_at(&costs->settled, lines, 0)) : ns;
}

bool costs_take_time(const struct costs *costs)
{
	return costs->settled.count || isfinite(costs->kept_pages);
}

/* Page tables that leave the caches do so as time goes by. A chain of as many pages goes to each of
 * them once for each of its lines in a lap. */
double costs_page_ns(const struct costs *costs, double pages, double apart_ns,
		     const struct costs_state *state)
{
	const struct costs_curve *translation = &costs->translation;
	int bound = state->at[COSTS_TRANSLATION];
	if (!translation->count)
		return 0;
	double ns = costs_at(translation, pages, bound);
	if (pages <= costs->kept_pages)
		return ns;
	double kept_ns = costs_at(translation, costs->kept_pages, bound);
	double lines = pages * costs->page_bytes / costs->line_bytes;
	double chain_ns = pages * costs_packed_ns(costs, lines);
	return kept_ns + fmin(1, apart_ns / chain_ns) * (ns - kept_ns);
}

/* Of packed lines. Beyond what is known a miss costs as much as of the last. */
static double translation_ns(const struct costs *costs, double pages,
			     const struct costs_state *state)
{
	const struct costs_curve *packed = &costs->packed;
	int bound = state->at[COSTS_TRANSLATION];
	if (!packed->count)
		return 0;
	double last = exp(packed->ln_x[packed->count - 1]), ns = costs_at(packed, pages, bound);
	double miss_ns = costs_at(&costs->translation, last, bound);
	return ns + fmax(0, 1 - last / pages) * (miss_ns - ns);
}

/* Index of the cache; cache_count: memory. */
static size_t cache_of(const struct costs *costs, double lines, const struct costs_state *state)
{
	size_t i = 0;
	while (i < costs->cache_count &&
	       lines > bound_of(costs->caches[i].lines, -state->at[COSTS_REACH]))
		i++;
	return i;
}

double costs_hit_ns(const struct costs *costs, const struct costs_state *state)
{
	if (!costs->cache_count)
		return 0;
	return bound_of(costs->caches[costs->cache_count - 1].ns, state->at[COSTS_LATENCY]);
}

double costs_own_lines(const struct costs *costs)
{
	size_t count = costs->cache_count < OWN_CACHES ? costs->cache_count : OWN_CACHES;
	while (count && !isfinite(costs->caches[count - 1].lines.ns))
		count--;
	return count ? costs->caches[count - 1].lines.ns : 0;
}

bool costs_is_shared(const struct costs *costs, double lines)
{
	double own = costs_own_lines(costs);
	return costs->cache_count > OWN_CACHES && own > 0 && lines > own;
}

/* Without the translation of packed lines: of no more than were measured, as `ns` is. */
static double after_translation(const struct costs *costs, double lines, double ns,
				const struct costs_state *state)
{
	const struct costs_curve *latency = &costs->latency;
	double measured = fmin(lines, exp(latency->ln_x[latency->count - 1]));
	double pages = measured * costs->line_bytes / costs->page_bytes;
	return fmax(costs->latency.values[0].ns, ns - translation_ns(costs, pages, state));
}

static double filled_ns(const struct costs *costs, double lines, const struct costs_state *state)
{
	double ns = costs_at(&costs->latency, lines, state->at[COSTS_LATENCY]);
	return after_translation(costs, lines, ns, state);
}

double costs_cycle_ns(const struct costs *costs, double lines, const struct costs_state *state)
{
	const struct costs_curve *settled = &costs->settled;
	double ns = costs_at(&costs->latency, lines, state->at[COSTS_LATENCY]);
	if (settled->count && log(lines) >= settled->ln_x[0]) {
		bool beyond = log(lines) > settled->ln_x[settled->count - 1];
		double settled_ns = costs_at(settled, lines, state->at[COSTS_LATENCY]);
		ns = beyond ? fmax(ns, settled_ns) : settled_ns;
	}
	return after_translation(costs, lines, ns, state);
}

/* Past all caches. */
static double memory_ns(const struct costs *costs, double lines, const struct costs_state *state)
{
	double reach = costs->cache_count ? costs->caches[costs->cache_count - 1].lines.ns : 0;
	return costs_cycle_ns(costs, fmax(lines, isfinite(reach) ? PAST_CACHES * reach : 0), state);
}

/* Before the first lap that was measured, and after the last, as from the first to the last. */
static double taken_in(const struct costs *costs, double ns)
{
	const struct costs_curve *taken = &costs->taken;
	if (!taken->count || !(ns > 0))
		return 0;
	size_t last = taken->count - 1;
	double ln_ns = log(ns), width = taken->ln_x[last] - taken->ln_x[0];
	double rise = taken->values[last].ns - taken->values[0].ns;
	double slope = width > 0 ? fmax(1, rise / width) : 1; /* 1: always as many of those left */
	double outside = fmin(0, ln_ns - taken->ln_x[0]) + fmax(0, ln_ns - taken->ln_x[last]);
	return -expm1(-exp(costs_at(taken, ns, 0) + slope * outside));
}

double costs_line_ns(const struct costs *costs, double lines, double apart_ns,
		     const struct costs_state *state)
{
	size_t cache = cache_of(costs, lines, state);
	bool own = cache < OWN_CACHES && cache < costs->cache_count;
	double hit_ns = cache < costs->cache_count
				? bound_of(costs->caches[cache].ns, state->at[COSTS_LATENCY])
				: 0;
	if (own || (!costs->settled.count && hit_ns > 0))
		return hit_ns;
	if (!costs->settled.count)
		return memory_ns(costs, lines, state);
	/* A part of a cycle hits nearer caches, too. */
	double kept_ns = fmax(hit_ns, filled_ns(costs, lines, state));
	return kept_ns +
	       taken_in(costs, apart_ns) * fmax(0, memory_ns(costs, lines, state) - kept_ns);
}

void costs_mixture(const struct costs *costs, double lines, double ns,
		   const struct costs_state *state, double *variance, double *third)
{
	*variance = *third = 0;
	if (!costs_is_shared(costs, lines))
		return;
	double hit_ns = costs_hit_ns(costs, state);
	double more_ns = memory_ns(costs, lines, state) - hit_ns;
	double share = more_ns > 0 ? fmin(1, fmax(0, (ns - hit_ns) / more_ns)) : 0;
	*variance = share * (1 - share) * pow(more_ns / ns, 2);
	*third = share * (1 - share) * (1 - 2 * share) * pow(more_ns / ns, 3);
}

enum fathom_predict_part costs_level(const struct costs *costs, double lines,
				     const struct costs_state *state)
{
	size_t cache = cache_of(costs, lines, state);
	if (cache == costs->cache_count)
		return FATHOM_PREDICT_MEMORY;
	return cache < FATHOM_PREDICT_MEMORY ? (enum fathom_predict_part)cache : FATHOM_PREDICT_L3;
}

/* What a visit says of it, as a share; NAN: nothing, as half of the chain does not fit. */
static double taken_of(const struct costs *costs, double lines, double ns)
{
	static const struct costs_state as_is = {0};
	double kept_ns = filled_ns(costs, lines, &as_is), past_ns = memory_ns(costs, lines, &as_is);
	double l1_ns = costs->latency.values[0].ns;
	if (kept_ns - l1_ns > (past_ns - l1_ns) / 2)
		return NAN;
	return (after_translation(costs, lines, ns, &as_is) - kept_ns) / (past_ns - kept_ns);
}

int costs_find_taken(struct costs *costs, struct fathom_error *error)
{
	const struct costs_curve *visits = &costs->visits;
	struct costs_curve *taken = &costs->taken;
	double *shares = calloc(visits->count + 1, sizeof(*shares));
	costs_curve_free(taken);
	if (!shares || costs_curve_make(visits->count, taken, error)) {
		free(shares);
		return error_no_memory(error);
	}
	for (size_t i = 0; i < visits->count; i++) {
		double lines = exp(visits->ln_x[i]), ns = visits->values[i].ns;
		costs_curve_add(taken, lines * ns,
				(struct fathom_cost){taken_of(costs, lines, ns), NAN, NAN});
	}
	for (size_t i = 0; i < taken->count; i++)
		shares[i] = taken->values[i].ns;
	stats_isotonic(shares, taken->count);
	if (taken->count && shares[taken->count - 1] <= LEAST_TAKEN)
		taken->count = 0; /* nobody takes any */
	for (size_t i = 0; i < taken->count; i++) {
		double share = fmin(1 - LEAST_TAKEN, fmax(LEAST_TAKEN, shares[i]));
		double value = log(-log1p(-share));
		taken->values[i] = (struct fathom_cost){value, value, value};
	}
	free(shares);
	return 0;
}

size_t costs_kept_translation(const struct costs *costs)
{
	const struct costs_curve *translation = &costs->translation;
	size_t kept = 1;
	for (; kept < translation->count; kept++) {
		double pages = exp(translation->ln_x[kept]);
		double ns = translation->values[kept].ns + costs_at(&costs->latency, pages, 0);
		if (taken_in(costs, pages * ns) > HALF_TAKEN)
			break;
	}
	return kept;
}

void costs_curve_free(struct costs_curve *curve)
{
	free(curve->ln_x);
	free(curve->values);
	memset(curve, 0, sizeof(*curve));
}

void costs_free(struct costs *costs)
{
	struct costs_curve *curves[] = {&costs->latency,     &costs->settled, &costs->visits,
					&costs->taken,       &costs->packed,  &costs->lanes,
					&costs->translation, &costs->reading, &costs->writing};
	for (size_t i = 0; i < sizeof(curves) / sizeof(*curves); i++)
		costs_curve_free(curves[i]);
	memset(costs, 0, sizeof(*costs));
}
