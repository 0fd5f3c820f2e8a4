#include <math.h>
#include <stdio.h>

#include "views/experiments/experiments.h"
#include "views/figure.h"
#include "views/points.h"
#include "views/rounding.h"

#define WARM_SHARE 0.02 /* of the last lap: no longer falling */

static const char *kind_name(enum fathom_warmth warmth)
{
	return warmth == FATHOM_COLD_MAPPED ? "mapped" : "flushed";
}

static void add_column(struct view *view, const struct fathom_spec *spec)
{
	char cold[64];
	struct text name = {0};
	points_add_order(&name, spec);
	snprintf(cold, sizeof(cold), "%s %s", kind_name(spec->warmth),
		 rounding_brief_size(spec->size_bytes).text);
	view_column_take(view, &name, COLUMN(NULL, .unit = cold));
}

static void add_table(struct view *view, const struct fathom_curve *curves, size_t count)
{
	size_t laps = 0;
	VIEW_TABLE(view, COLUMN(NULL, .unit = "lap"));
	for (size_t i = 0; i < count; i++) {
		add_column(view, &curves[i].points[0].spec);
		laps = curves[i].point_count > laps ? curves[i].point_count : laps;
	}
	for (size_t lap = 0; lap < laps; lap++) {
		view_row(view);
		view_count(view, (double)lap + 1);
		for (size_t i = 0; i < count; i++)
			patterns_time(view,
				      lap < curves[i].point_count ? &curves[i].points[lap] : NULL,
				      FATHOM_Y_NS);
	}
	view_gap(view);
}

static struct estimate time_of(const struct fathom_curve *curve, size_t lap)
{
	return points_time(&curve->points[lap], FATHOM_Y_NS);
}

/* How many laps it takes until all that follow cost as much as the last. */
static void add_words(struct view *view, const struct fathom_curve *curve)
{
	struct text line = {0};
	struct estimate first = time_of(curve, 0);
	struct estimate last = time_of(curve, curve->point_count - 1);
	size_t warm = curve->point_count - 1;
	while (warm && fabs(time_of(curve, warm - 1).value / last.value - 1) < WARM_SHARE)
		warm--;
	points_add_order(&line, &curve->points[0].spec);
	text_add(&line, ", %s, %s: the first lap costs ",
		 rounding_size(curve->points[0].spec.size_bytes).text,
		 kind_name(curve->points[0].spec.warmth));
	points_add_estimate(&line, first, " ns");
	text_add(&line, " per access, ");
	points_add_times(&line, estimate_over(first, last));
	text_add(&line, " the last; ");
	if (warm + 1 < curve->point_count)
		text_add(&line, "from lap %zu on it stays within 2 %%", warm + 1);
	else if (isfinite(last.low) && isfinite(last.high))
		text_add(&line, "it still changes at lap %zu", curve->point_count);
	else
		text_add(&line,
			 "whether it still changes at lap %zu is not known without intervals",
			 curve->point_count);
	view_take(view, VIEW_NOTE, &line);
}

void laps_view(struct view *view, const struct fathom_result *result)
{
	view_part(view, "laps", "Lap by lap");
	if (view->full)
		figure_add(view, result, (struct figure_wish){.kind = FIGURE_DECAY});
	view_say(view, VIEW_PLAIN,
		 "ns per access, for each lap since memory was flushed or mapped:");
	for (size_t i = 0, end; i < result->curve_count; i = end) {
		for (end = i; end < result->curve_count && result->curves[end].point_count;)
			end++;
		if (end > i)
			add_table(view, &result->curves[i], end - i);
		end += end == i;
	}
	points_exactness(view, result);
	points_ranges(view, result);
	for (size_t i = 0; i < result->curve_count; i++)
		if (result->curves[i].point_count > 1)
			add_words(view, &result->curves[i]);
}
