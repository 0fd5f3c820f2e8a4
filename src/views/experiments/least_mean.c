/* What an index array reads, as fathom states it and as a simple benchmark would: the least of ten
 * means. */
#include <math.h>

#include "base/patterns.h"
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
	view_say(view, VIEW_PLAIN, "index array, a byte of each node of %s%s, ns per access:",
		 rounding_size(spec->node_bytes).text,
		 pattern_traits(spec->pattern)->keeps ? ", stored in a volatile variable" : "");
	VIEW_TABLE(view, COLUMN("size"), COLUMN("estimate"), COLUMN("least of 10 means"),
		   COLUMN("differs"));
	for (size_t i = 0; i < curve->point_count; i++)
		add_row(view, &curve->points[i]);
}

/* At the smallest size that both have: what memory takes is the least part there. */
static void add_store(struct view *view, const struct fathom_curve *without,
		      const struct fathom_curve *with)
{
	const struct fathom_point *a = without->points, *b = with->points;
	if (a->spec.size_bytes != b->spec.size_bytes || a->spec.node_bytes != b->spec.node_bytes ||
	    !isfinite(a->ns_per_access) || !isfinite(b->ns_per_access))
		return;
	view_say(view, VIEW_NOTE,
		 "at %s an access takes %s ns, and %s ns with a store to a volatile variable",
		 rounding_size((double)a->spec.size_bytes).text,
		 rounding_number(a->ns_per_access).text, rounding_number(b->ns_per_access).text);
}

void least_mean_view(struct view *view, const struct fathom_result *result)
{
	const struct fathom_curve *without = NULL, *with = NULL;
	for (size_t i = 0; i < result->curve_count; i++) {
		const struct fathom_curve *curve = &result->curves[i];
		if (!has_means(curve))
			continue;
		add_curve(view, curve);
		if (pattern_traits(curve->points[0].spec.pattern)->keeps)
			with = curve;
		else
			without = curve;
	}
	if (with && without)
		add_store(view, without, with);
	if (with || without)
		view_say(view, VIEW_NOTE,
			 "estimate: median over blocks, each without its disturbed batches; least "
			 "of 10 means: of ten blocks, with them, as simple benchmarks state it");
	view_gap(view);
}
