#include "model/checks/withhold.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/names.h"
#include "base/point.h"
#include "base/stats.h"
#include "base/text.h"
#include "base/units.h"
#include "base/warnings.h"
#include "model/checks/intervals.h"
#include "model/checks/invariants.h"
#include "model/checks/quality.h"

/* Of a core: no first cache answers within one cycle, and all in whole ones. */
#define FEWEST_CYCLES 2.0
#define WHOLE_SHARE   0.02
#define USUAL_TARGET  0.01
#define CLOCK_SHARE   0.02 /* two clocks that are each known to 1 % */
/* From the size before to the size after: on a plateau at most 1.2 (corpus/documents). */
#define CLIFF_TIMES 1.5

/* ---- parts ---- */

/* Where a cache ends, pages at random keep other lines than large pages do, so that the difference
 * of the two is no translation. */
static bool is_in_cliff(const struct fathom_result *result, size_t which)
{
	const struct fathom_decomposition *all = result->decompositions;
	size_t before = which ? which - 1 : which;
	size_t after = which + 1 < result->decomposition_count ? which + 1 : which;
	return all[after].total.ns > CLIFF_TIMES * all[before].total.ns;
}

/* In the same words at each size, so that one line tells several. */
static int tell_parts(struct fathom_result *result, size_t which, struct fathom_error *error)
{
	const struct fathom_decomposition *made = &result->decompositions[which];
	char size[UNITS_TEXT_BYTES];
	units_format_size(made->size_bytes, size);
	if (!is_in_cliff(result, which))
		return warnings_add(&result->warnings, "parts-doubtful", size, WITHHOLD_HINT,
				    "the parts of an access are left out: they miss the total by "
				    "more than %.0f %% of it",
				    100 * INVARIANTS_RESIDUAL)
			       ? error_no_memory(error)
			       : 0;
	char *where = text_format(WITHHOLD_PARTS_AT "%s", size);
	int failed = !where || warnings_note(&result->warnings, "parts-at-cliff", where, NULL,
					     "a cache ends there, and large pages keep other lines "
					     "in it than small ones");
	free(where);
	return failed ? error_no_memory(error) : 0;
}

static int withhold_parts(struct fathom_result *result, struct fathom_error *error)
{
	for (size_t i = 0; i < result->decomposition_count; i++) {
		struct fathom_decomposition *made = &result->decompositions[i];
		double sum = 0, residual_ns = made->parts[FATHOM_PART_RESIDUAL].ns;
		for (int part = 0; part < FATHOM_PART_COUNT; part++)
			sum += made->parts[part].ns;
		if (!(isfinite(sum) && fabs(residual_ns) > INVARIANTS_RESIDUAL * made->total.ns))
			continue;
		for (int part = 0; part < FATHOM_PART_COUNT; part++)
			made->parts[part] = (struct fathom_cost){NAN, NAN, NAN};
		if (tell_parts(result, i, error))
			return -1;
	}
	return 0;
}

/* ---- cycles ---- */

static double nearest_whole(double cycles)
{
	return fmax(FEWEST_CYCLES, round(cycles));
}

/* The first cache, as exact as was wanted and in no whole number of cycles; NULL: it is not so. */
static const struct fathom_level *find_broken_first(const struct fathom_result *result)
{
	for (size_t i = 0; i < result->level_count; i++) {
		const struct fathom_level *level = &result->levels[i];
		const struct fathom_curve *curve = &result->curves[level->curve];
		if (!level->name || strcmp(level->name, "L1") != 0 || curve->tool ||
		    curve->point_count == 0 || level->kind != FATHOM_LEVEL_CACHE)
			continue;
		double target = curve->points->target > 0 ? curve->points->target : USUAL_TARGET;
		double half = (level->latency_high_cycles - level->latency_low_cycles) / 2;
		double whole = nearest_whole(level->latency_cycles);
		if (half <= target * level->latency_cycles &&
		    fabs(level->latency_cycles - whole) > WHOLE_SHARE * whole)
			return level;
	}
	return NULL;
}

static void clear_points(struct fathom_result *result)
{
	for (size_t i = 0; i < result->curve_count; i++)
		for (size_t k = 0; !result->curves[i].tool && k < result->curves[i].point_count;
		     k++) {
			struct fathom_point *at = &result->curves[i].points[k];
			at->latency_cycles = at->latency_low_cycles = at->latency_high_cycles = NAN;
			at->cycles_per_access = at->low_cycles_per_access = NAN;
			at->high_cycles_per_access = at->clock_hz = NAN;
		}
}

static void clear_cycles(struct fathom_result *result)
{
	clear_points(result);
	for (size_t i = 0; i < result->level_count; i++) {
		struct fathom_level *level = &result->levels[i];
		if (result->curves[level->curve].tool)
			continue;
		level->latency_cycles = level->latency_low_cycles = NAN;
		level->latency_high_cycles = level->penalty_cycles = NAN;
	}
	for (size_t i = 0; i < result->translation_count; i++) {
		struct fathom_translation *one = &result->translations[i];
		for (size_t k = 0; k < one->tlb_count; k++)
			one->tlbs[k].penalty_cycles = one->tlbs[k].penalty_low_cycles =
				one->tlbs[k].penalty_high_cycles = NAN;
		for (size_t k = 0; k < one->walk_count; k++)
			one->walks[k].cycles = one->walks[k].low_cycles =
				one->walks[k].high_cycles = NAN;
	}
	result->clock_min_hz = result->clock_median_hz = result->clock_max_hz =
		result->clock_drift = NAN;
}

static int withhold_cycles(struct fathom_result *result, struct fathom_error *error)
{
	const struct fathom_level *first = find_broken_first(result);
	if (!first)
		return 0;
	char *missing = text_format("L1 would take %.3g cycles, which is not a whole number: "
				    "something else uses the core (a guest on its other thread), "
				    "or the clock is measured wrong",
				    first->latency_cycles);
	if (!missing || warnings_add(&result->warnings, "cycles-doubtful", NULL, WITHHOLD_HINT,
				     "there are no cycles: %s", missing)) {
		free(missing);
		return error_no_memory(error);
	}
	free(result->clock_missing);
	result->clock_missing = missing;
	clear_cycles(result);
	return 0;
}

/* Where medians of few blocks of cycles and of ns are of other blocks: cycles are what the ns are
 * at the point's clock. */
static bool compute_cycles(const struct fathom_point *at, const double *ns[3], double *cycles[3])
{
	double by_clock = at->clock_hz * 1e-9;
	if (invariants_is_product(at, *cycles[0], *ns[0]) ||
	    !invariants_is_of_blocks(at, *cycles[0] / by_clock))
		return false;
	for (int i = 0; i < 3; i++)
		*cycles[i] = *ns[i] * by_clock;
	return true;
}

static int withhold_products(struct fathom_result *result, struct fathom_error *error)
{
	size_t count = 0;
	for (size_t i = 0; i < result->curve_count; i++)
		for (size_t k = 0; !result->curves[i].tool && k < result->curves[i].point_count;
		     k++) {
			struct fathom_point *at = &result->curves[i].points[k];
			count += compute_cycles(
				at,
				(const double *[]){&at->latency_ns, &at->latency_low_ns,
						   &at->latency_high_ns},
				(double *[]){&at->latency_cycles, &at->latency_low_cycles,
					     &at->latency_high_cycles});
			count += compute_cycles(
				at,
				(const double *[]){&at->ns_per_access, &at->low_ns_per_access,
						   &at->high_ns_per_access},
				(double *[]){&at->cycles_per_access, &at->low_cycles_per_access,
					     &at->high_cycles_per_access});
		}
	if (count && warnings_add(&result->warnings, "cycles-computed", NULL, NULL,
				  "the cycles of %zu point%s came from other blocks than the ns: "
				  "they are recomputed from the ns",
				  count, count == 1 ? "" : "s"))
		return error_no_memory(error);
	return 0;
}

/* ---- clocks ---- */

/* The median over the points of an experiment; NAN: none has a clock. Or memory ran out: *failed.
 */
static double clock_of(const struct fathom_result *result, int experiment, bool *failed)
{
	size_t count = 0;
	double *hz = calloc(point_count_of(result) + 1, sizeof(*hz));
	for (size_t i = 0; hz && i < result->curve_count; i++) {
		const struct fathom_curve *curve = &result->curves[i];
		for (size_t k = 0; k < curve->point_count; k++)
			if ((int)curve->experiment == experiment && !curve->tool &&
			    isfinite(curve->points[k].clock_hz))
				hz[count++] = curve->points[k].clock_hz;
	}
	double median = hz ? stats_median(hz, count) : NAN;
	*failed |= !hz;
	free(hz);
	return median;
}

static int tell_clocks(struct fathom_result *result, struct fathom_error *error)
{
	double slow_hz = NAN, fast_hz = NAN;
	int slow = 0, fast = 0;
	bool failed = false;
	for (int i = 0; i < FATHOM_FREQUENCY; i++) {
		double hz = clock_of(result, i, &failed);
		if (isnan(hz))
			continue;
		if (!(hz >= slow_hz)) {
			slow_hz = hz;
			slow = i;
		}
		if (!(hz <= fast_hz)) {
			fast_hz = hz;
			fast = i;
		}
	}
	if (!failed && fast_hz > (1 + CLOCK_SHARE) * slow_hz)
		failed = warnings_add(&result->warnings, "clock-differs", NULL,
				      "fix the frequency, or compare cycles, which are unaffected",
				      "the core clock was %.3g GHz during '%s' and %.3g GHz during "
				      "'%s': times in ns differ accordingly",
				      fast_hz * 1e-9, experiment_name(fast), slow_hz * 1e-9,
				      experiment_name(slow));
	return failed ? error_no_memory(error) : 0;
}

/* ---- intervals ---- */

struct outside {
	struct fathom_warnings *warnings;
	bool failed;
};

static bool clear_outside(void *context, const struct interval_place *place, const char *field,
			  double *value, double *low, double *high)
{
	struct outside *outside = context;
	if (!(*value < *low || *value > *high || *low > *high))
		return false;
	char *path = intervals_path(place, field);
	outside->failed |=
		!path ||
		warnings_add(outside->warnings, "contradiction", path,
			     "please report this as a bug",
			     "a value lies outside its own interval: the interval is left out");
	free(path);
	*low = *high = NAN;
	return outside->failed;
}

int withhold_outside(struct fathom_result *result, struct fathom_error *error)
{
	struct outside outside = {&result->warnings, false};
	intervals_each(result, clear_outside, &outside);
	return outside.failed ? error_no_memory(error) : 0;
}

/* ---- all ---- */

int withhold_doubtful(struct fathom_result *result, struct fathom_error *error)
{
	if (withhold_one_lane(result, error))
		return -1;
	withhold_overlaps(result);
	withhold_floors(result);
	return withhold_parts(result, error) || withhold_wide(result, error) ||
			       withhold_slower_pages(result, error) ||
			       withhold_products(result, error) || withhold_cycles(result, error) ||
			       tell_clocks(result, error) || quality_explain_l1(result, error)
		       ? -1
		       : 0;
}
