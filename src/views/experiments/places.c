/* What the place in memory makes of a latency, apart from noise. */
#include <math.h>

#include "views/experiments/pages.h"
#include "views/rounding.h"

static bool is_known(const struct fathom_point *point)
{
	return point && isfinite(point->placement_spread_ns) && isfinite(point->noise_spread_ns);
}

static void add_row(struct view *view, const struct page_curves *curves, uint64_t size_bytes)
{
	view_row(view);
	view_size(view, (double)size_bytes);
	for (size_t i = 0; i < curves->count; i++) {
		const struct fathom_point *point = points_at(curves->items[i], size_bytes);
		double factor = pages_factor(curves, curves->items[i], size_bytes);
		bool known = is_known(point);
		view_number(view, known ? factor * point->placement_spread_ns : NAN);
		view_number(view, known ? factor * point->noise_spread_ns : NAN);
	}
}

static bool has_row(const struct page_curves *curves, uint64_t size_bytes)
{
	for (size_t i = 0; i < curves->count; i++)
		if (is_known(points_at(curves->items[i], size_bytes)))
			return true;
	return false;
}

static void add_columns(struct view *view, const struct page_curves *curves)
{
	VIEW_TABLE(view, COLUMN("size"));
	for (size_t i = 0; i < curves->count; i++) {
		VIEW_COLUMNS(view,
			     COLUMN(points_page(&curves->items[i]->points[0].spec), .unit = "place",
				    .rank = (unsigned)i),
			     COLUMN(NULL, .unit = "noise", .rank = (unsigned)i));
	}
}

/* Where the place makes most. */
static void add_most(struct view *view, const struct fathom_curve *curve)
{
	struct text line = {0};
	const struct fathom_point *most = NULL;
	for (size_t i = 0; i < curve->point_count; i++) {
		const struct fathom_point *point = &curve->points[i];
		if (is_known(point) && point->latency_ns > 0 &&
		    (!most || point->placement_spread_ns / point->latency_ns >
				      most->placement_spread_ns / most->latency_ns))
			most = point;
	}
	if (!most)
		return;
	text_add(&line, "%s: ", points_page(&curve->points[0].spec));
	if (most->placement_spread_ns > 0)
		text_add(&line, "placement matters most at %s: %s of the latency, with noise of %s",
			 rounding_size(most->spec.size_bytes).text,
			 rounding_percent(most->placement_spread_ns / most->latency_ns).text,
			 rounding_percent(most->noise_spread_ns / most->latency_ns).text);
	else
		text_add(&line, "the effect of placement is below the noise at all sizes");
	view_take(view, VIEW_NOTE, &line);
}

void places_view(struct view *view, const struct page_curves *curves)
{
	bool any = false;
	for (uint64_t last = 0, size; (size = pages_row(curves, &last)) != 0;)
		any |= has_row(curves, size);
	if (!any)
		return;
	view_part(view, "places", "Effect of the placement in memory");
	view_gap(view);
	view_say(
		view, VIEW_PLAIN,
		"effect of the placement in memory, separated from noise; standard deviations, %s:",
		pages_unit(curves));
	add_columns(view, curves);
	for (uint64_t last = 0, size; (size = pages_row(curves, &last)) != 0;)
		if (has_row(curves, size))
			add_row(view, curves, size);
	for (size_t i = 0; i < curves->count; i++)
		add_most(view, curves->items[i]);
}
