/* What a verdict by levels does not see, and what makes it less sure. */
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/units.h"
#include "base/warnings.h"
#include "model/compare/compare_parts.h"
#include "model/compare/compare_points.h"
#include "model/plateau.h"

#define FAR        1.25 /* times: a cache that ends elsewhere moves latencies by as much or more */
#define FEWEST_FAR 2    /* sizes: one alone may be a neighbour's doing */

static bool is_inside(const struct fathom_result *result, const struct fathom_compared_point *point)
{
	double bytes = (double)point->spec.size_bytes, low, high;
	for (size_t i = 0; i < result->level_count; i++)
		if (result->levels[i].curve == point->curve &&
		    plateau_range(result, &result->levels[i], &low, &high) && bytes >= low &&
		    bytes <= high)
			return true;
	return false;
}

/* With all of its interval, where it has one. */
static bool is_far(const struct fathom_compared_point *point)
{
	bool known = isfinite(point->speedup_low);
	double low = known ? point->speedup_low : point->speedup;
	double high = known ? point->speedup_high : point->speedup;
	return low > FAR || high < 1 / FAR;
}

/* Where caches end, latencies spread too far from run to run for a verdict; but one that ends
 * elsewhere shows there and nowhere else. */
static int between_levels(const struct compare_set *set, const struct fathom_compared_run *run,
			  struct fathom_warnings *warnings)
{
	const struct fathom_result *baseline = set->runs[0][0].result;
	const struct fathom_compared_point *worst = NULL;
	char size[UNITS_TEXT_BYTES];
	size_t count = 0;
	for (size_t i = 0; i < run->point_count; i++) {
		const struct fathom_compared_point *point = &run->points[i];
		if (point->spec.axis != FATHOM_AXIS_SIZE || !is_far(point) ||
		    !plateau_has_levels(baseline, point->curve) || is_inside(baseline, point))
			continue;
		count++;
		if (!worst || fabs(log(point->speedup)) > fabs(log(worst->speedup)))
			worst = point;
	}
	if (count < FEWEST_FAR)
		return 0;
	return warnings_add(
		warnings, "between-levels", run->name,
		"'fathom fit' shows the cache sizes of each run",
		"%zu sizes between the levels differ by a factor of %.3g or more, %s most, %.3g "
		"times as %s: the size of a cache may have changed, which no verdict covers",
		count, FAR, units_format_size(worst->spec.size_bytes, size),
		worst->speedup < 1 ? 1 / worst->speedup : worst->speedup,
		worst->speedup < 1 ? "slow" : "fast");
}

/* What the runs themselves warn of that moves a verdict. */
static int quality(const struct fathom_run *run, struct fathom_warnings *warnings)
{
	static const char *const telling[] = {"clock-wandered", "disturbed", "search-cut"};
	const struct fathom_warnings *own = &run->result->warnings;
	if (run->result->interrupted &&
	    warnings_add(warnings, "interrupted", run->name, NULL, "the run was interrupted"))
		return -1;
	for (size_t i = 0; i < own->count; i++)
		for (size_t k = 0; k < sizeof(telling) / sizeof(*telling); k++)
			if (own->items[i].id && strcmp(own->items[i].id, telling[k]) == 0 &&
			    warnings_add(warnings, telling[k], run->name, NULL, "%s",
					 own->items[i].text ? own->items[i].text : telling[k]))
				return -1;
	return 0;
}

static int undecided(const struct fathom_compared_run *run, struct fathom_warnings *warnings)
{
	size_t unknown = 0;
	for (size_t i = 0; i < run->part_count; i++)
		unknown += run->parts[i].verdict == FATHOM_VERDICT_UNKNOWN;
	if (!unknown)
		return 0;
	return warnings_add(warnings, "undecided", run->name,
			    "use a longer --budget, or give several runs with --baseline",
			    "no verdict for %zu of %zu parts: too little data", unknown,
			    run->part_count);
}

int compare_warnings(const struct compare_set *set, const struct fathom_compared_run *run,
		     struct fathom_warnings *warnings, struct fathom_error *error)
{
	int failed = between_levels(set, run, warnings) || undecided(run, warnings);
	for (size_t i = 0; i < compare_set_count(set) && !failed; i++)
		failed = quality(compare_set_run(set, i), warnings);
	return failed ? error_no_memory(error) : 0;
}
