/* What an index array reads, as fathom states it and as a simple benchmark would: the least of ten
 * means. */
#include <math.h>

#include "views/experiments/experiments.h"
#include "views/rounding.h"

/* In warm memory: simple benchmarks know no other. */
static bool has_means(const struct fathom_curve *curve)
{
	if (curve->point_count && curve->points[0].spec.warmth != FATHOM_WARM)
		return false;
	for (size_t i = 0; i < curve->point_count; i++)
		if (isfinite(curve->points[i].least_mean_ns_per_access))
			return true;
	return false;
}

static void add_row(struct view *view, const struct fathom_point *point)
{
	double least_ns = point->least_mean_ns_per_access;
	if (!isfinite(point->ns_per_access))
		return;
	view_row(view);
	view_size(view, (double)point->spec.size_bytes);
	view_estimate(view, ESTIMATE_PLAIN(point, ns_per_access));
	view_number(view, least_ns);
	view_rounded(view, rounding_percent(least_ns / point->ns_per_access - 1));
}

static void add_curve(struct view *view, const struct fathom_curve *curve)
{
	const struct fathom_spec *spec = &curve->points[0].spec;
	view_gap(view);
	view_say(view, VIEW_PLAIN, "index array, a byte of each node of %s, ns per access:",
		 rounding_size(spec->node_bytes).text);
	VIEW_TABLE(view, COLUMN("size"), COLUMN("estimate"), COLUMN("least of 10 means"),
		   COLUMN("differs"));
	for (size_t i = 0; i < curve->point_count; i++)
		add_row(view, &curve->points[i]);
}

void least_mean_view(struct view *view, const struct fathom_result *result)
{
	bool any = false;
	for (size_t i = 0; i < result->curve_count; i++) {
		if (!has_means(&result->curves[i]))
			continue;
		add_curve(view, &result->curves[i]);
		any = true;
	}
	if (any)
		view_say(view, VIEW_NOTE,
			 "estimate: median over blocks, each without its disturbed batches; least "
			 "of 10 means: of ten blocks, with them, as simple benchmarks state it");
	view_gap(view);
}
