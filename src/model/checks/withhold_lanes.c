#include <math.h>
#include <stdlib.h>

#include "base/error.h"
#include "base/names.h"
#include "base/point.h"
#include "base/stats.h"
#include "base/text.h"
#include "base/units.h"
#include "base/warnings.h"
#include "model/checks/withhold.h"

/* Lanes that all overlap are as fast as there are lanes: by 95 %, or whatever the interval. */
#define SURE_TIMES  1.05
#define SEEN_TIMES  1.25
#define FIRST_LANES 4 /* points that overlap well nigh whole wherever accesses do at all */

/* How many times faster the lanes are, at least: block by block, each on one placement. NAN: there
 * are too few blocks, or not as many of both. */
static double least_speedup(const struct fathom_point *one, const struct fathom_point *lanes,
			    double *scratch)
{
	size_t count = one->block_count == lanes->block_count ? one->block_count : 0;
	for (size_t i = 0; i < count; i++)
		scratch[i] = one->blocks_ns[i] / lanes->blocks_ns[i];
	stats_sort(scratch, count);
	return stats_median_interval(scratch, count).low;
}

/* Are so many lanes faster than as many times one lane? */
static bool is_over(const struct fathom_curve *curve, size_t point, double *scratch)
{
	const struct fathom_point *lanes = &curve->points[point];
	double seen = point_ns(curve->points) / point_ns(lanes);
	return least_speedup(curve->points, lanes, scratch) > SURE_TIMES * lanes->spec.lanes ||
	       seen > SEEN_TIMES * lanes->spec.lanes;
}

static bool has_one_lane(const struct fathom_curve *curve)
{
	return curve->axis == FATHOM_AXIS_LANES && !curve->tool && curve->point_count > 1 &&
	       curve->points->spec.lanes == 1;
}

char *withhold_lanes_where(const struct fathom_curve *curve)
{
	const struct fathom_spec *one = &curve->points->spec;
	char size[UNITS_TEXT_BYTES];
	const char *page = page_name((int)one->page);
	return text_format("%s, %s pages", units_format_size(one->size_bytes, size),
			   page ? page : "unknown");
}

static int tell_lanes(struct fathom_result *result, const struct fathom_curve *curve, bool all,
		      struct fathom_error *error)
{
	char *where = withhold_lanes_where(curve);
	int failed = !where ||
		     warnings_add(&result->warnings, all ? "one-lane-disturbed" : "lanes-disturbed",
				  where, WITHHOLD_HINT, "%s",
				  all ? "the speed-up of several lanes exceeds their number: one "
					"of the two was disturbed, so MLP is left out"
				      : "the speed-up of some points exceeds their number of "
					"lanes: these are left out");
	free(where);
	return failed ? error_no_memory(error) : 0;
}

static void clear_point(struct fathom_point *point)
{
	point->latency_ns = point->latency_low_ns = point->latency_high_ns = NAN;
	point->latency_cycles = point->latency_low_cycles = point->latency_high_cycles = NAN;
	point->ns_per_access = point->low_ns_per_access = point->high_ns_per_access = NAN;
	point->cycles_per_access = point->low_cycles_per_access = NAN;
	point->high_cycles_per_access = NAN;
	point->within_target = false;
}

/* Where the fewest lanes are mostly too fast, it is the one lane that was too slow. */
static int withhold_lanes(struct fathom_result *result, struct fathom_curve *curve, double *scratch,
			  struct fathom_error *error)
{
	size_t last = curve->point_count - 1, over_first = 0, over = 0;
	size_t first = last < FIRST_LANES ? last : FIRST_LANES;
	bool together = false;
	for (size_t i = 1; i <= last; i++) {
		bool is = is_over(curve, i, scratch);
		over += is;
		over_first += is && i <= first;
		together |= is && i == last;
	}
	bool all = 2 * over_first >= first || together;
	for (size_t i = 1; i <= last && !all; i++)
		if (is_over(curve, i, scratch))
			clear_point(&curve->points[i]);
	if (all && over)
		clear_point(curve->points);
	return over ? tell_lanes(result, curve, all, error) : 0;
}

int withhold_one_lane(struct fathom_result *result, struct fathom_error *error)
{
	for (size_t i = 0; i < result->curve_count; i++) {
		struct fathom_curve *curve = &result->curves[i];
		if (!has_one_lane(curve) || isnan(curve->points->latency_ns))
			continue;
		double *scratch = calloc(curve->points->block_count + 1, sizeof(*scratch));
		int status = scratch ? withhold_lanes(result, curve, scratch, error)
				     : error_no_memory(error);
		free(scratch);
		if (status)
			return -1;
	}
	return 0;
}

/* What rests on a lane that was withheld since; what noise alone takes above the lanes. */
void withhold_overlaps(struct fathom_result *result)
{
	for (size_t i = 0; i < result->parallelism_count; i++) {
		struct fathom_parallelism *one = &result->parallelism[i];
		const struct fathom_curve *curve = &result->curves[one->curve];
		double most = curve->points[curve->point_count - 1].spec.lanes;
		if (isnan(point_ns(curve->points))) {
			one->latency_ns = one->latency_low_ns = one->latency_high_ns = NAN;
			one->speedup = one->speedup_low = one->speedup_high = NAN;
			one->little_lines = one->little_low_lines = one->little_high_lines = NAN;
		}
		double *const speedups[] = {&one->speedup, &one->speedup_low, &one->speedup_high};
		for (size_t k = 0; k < sizeof(speedups) / sizeof(*speedups); k++)
			if (*speedups[k] > most)
				*speedups[k] = most;
	}
}

/* What the loop takes is no more than what it took: the least of all that were measured. */
void withhold_floors(struct fathom_result *result)
{
	for (size_t i = 0; i < result->curve_count; i++)
		for (size_t k = 0; k < result->curves[i].point_count; k++) {
			struct fathom_point *point = &result->curves[i].points[k];
			if (point->floor_ns > point->ns_per_access)
				point->floor_ns = point->ns_per_access;
		}
}
