#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/point.h"
#include "base/units.h"
#include "base/warnings.h"
#include "model/checks/intervals.h"
#include "model/checks/withhold.h"
#include "model/plateau.h"

#define MOST_TIMES  2.0  /* where the curve may end in a cliff */
#define MOST_SLOWER 0.05 /* of what an access takes: the noise of two runs of one machine */

/* ---- intervals ---- */

/* Of what is quoted. A point may lie in a cliff, where blocks truly differ by more; so may the end
 * of a cache, and the fewest lanes that are enough. What other tools tell may be relative to L1. */
static bool is_quoted(const struct fathom_result *result, const struct interval_place *place,
		      const char *field)
{
	if (place && strcmp(place->name, "levels") == 0)
		return !result->curves[result->levels[place->index].curve].tool &&
		       strcmp(field, "size_bytes") != 0;
	return place && strcmp(place->name, "parallelism") == 0 && strcmp(field, "knee_lanes") != 0;
}

struct wide {
	struct fathom_result *result;
	bool failed;
};

static const char *name_of(const struct fathom_result *result, const struct interval_place *place)
{
	if (strcmp(place->name, "levels") == 0)
		return result->levels[place->index].name;
	return result->parallelism[place->index].level;
}

static bool clear_wide(void *context, const struct interval_place *place, const char *field,
		       double *value, double *low, double *high)
{
	struct wide *wide = context;
	if (!is_quoted(wide->result, place, field) || !isfinite(*value) ||
	    !(*low <= 0 || (*high - *low) / 2 >= *value))
		return false;
	wide->failed |= warnings_add(&wide->result->warnings, "interval-doubtful",
				     name_of(wide->result, place), WITHHOLD_HINT,
				     "a number is left out: its interval is wider than itself");
	*value = *low = *high = NAN;
	return wide->failed;
}

int withhold_wide(struct fathom_result *result, struct fathom_error *error)
{
	struct wide wide = {result, false};
	intervals_each(result, clear_wide, &wide);
	for (size_t i = 0; i < result->level_count; i++) {
		struct fathom_level *level = &result->levels[i];
		if (isnan(level->latency_ns) && !result->curves[level->curve].tool)
			level->latency_cycles = level->latency_low_cycles =
				level->latency_high_cycles = NAN;
	}
	return wide.failed ? error_no_memory(error) : 0;
}

/* ---- large pages ---- */

/* What an access on the base pages takes there; NAN: not measured. */
static double small_ns(const struct fathom_result *result, const struct fathom_page_difference *one)
{
	const struct fathom_point *point =
		point_at_size(&result->curves[one->small], one->size_bytes);
	return point ? point_ns(point) : NAN;
}

/* Where a cache ends, random frames may keep what one run of frames loses. */
static bool is_on_plateau(const struct fathom_result *result, double bytes)
{
	double low, high;
	for (size_t i = 0; i < result->level_count; i++)
		if (plateau_range(result, &result->levels[i], &low, &high) && bytes >= low &&
		    bytes <= high)
			return true;
	return false;
}

/* By how much large pages may be slower. Where a cache ends, or may end, an access on them is no
 * slower than any on small ones. */
static double most_slower_ns(const struct fathom_result *result,
			     const struct fathom_page_difference *one)
{
	const struct fathom_curve *curve = &result->curves[one->small];
	double ns = small_ns(result, one), slowest_ns = MOST_TIMES * ns;
	if (is_on_plateau(result, (double)one->size_bytes))
		return MOST_SLOWER * ns;
	for (size_t i = 0; i < curve->point_count; i++)
		slowest_ns = fmax(slowest_ns, point_ns(&curve->points[i]));
	return (1 + MOST_SLOWER) * slowest_ns - ns;
}

static bool is_impossible(const struct fathom_result *result,
			  const struct fathom_page_difference *one)
{
	bool sure = isfinite(one->high_ns) ? one->high_ns < 0 : -one->ns > small_ns(result, one);
	return sure && -one->ns > most_slower_ns(result, one);
}

int withhold_slower_pages(struct fathom_result *result, struct fathom_error *error)
{
	for (size_t i = 0; i < result->page_difference_count; i++) {
		struct fathom_page_difference *one = &result->page_differences[i];
		char size[UNITS_TEXT_BYTES];
		if (!is_impossible(result, one))
			continue;
		if (warnings_add(&result->warnings, "large-pages-slower",
				 units_format_size(one->size_bytes, size), WITHHOLD_HINT,
				 "large pages would be %.3g ns slower than small ones, which they "
				 "cannot be: the difference is left out",
				 -one->ns))
			return error_no_memory(error);
		one->ns = one->low_ns = one->high_ns = NAN;
	}
	return 0;
}
