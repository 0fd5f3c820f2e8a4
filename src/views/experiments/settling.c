/* What caches keep of a chain that is walked for a while, against just after they were filled. */
#include <math.h>

#include "views/experiments/experiments.h"
#include "views/figure.h"
#include "views/points.h"
#include "views/rounding.h"

/* Where both are known within a few per cent, less may be the time of day. */
#define SLOWER 1.1

static const struct fathom_curve *find(const struct fathom_result *result,
				       enum fathom_experiment experiment, enum fathom_warmth warmth)
{
	for (size_t i = 0; i < result->curve_count; i++) {
		const struct fathom_curve *curve = &result->curves[i];
		if (curve->experiment == experiment && curve->point_count && !curve->tool &&
		    curve->points[0].spec.warmth == warmth &&
		    curve->points[0].spec.pattern == FATHOM_RANDOM_CYCLE)
			return curve;
	}
	return NULL;
}

/* Measured with it, or, in a survey, by the sweep. */
static const struct fathom_curve *find_filled(const struct fathom_result *result)
{
	const struct fathom_curve *filled = find(result, FATHOM_SETTLING, FATHOM_WARM);
	return filled ? filled : find(result, FATHOM_LATENCY, FATHOM_WARM);
}

static struct estimate time_of(const struct fathom_point *point)
{
	return point ? points_time(point, FATHOM_Y_NS) : ESTIMATE_UNKNOWN;
}

/* NAN bounds where either has none. */
static struct estimate ratio_of(struct estimate settled, struct estimate filled)
{
	return (struct estimate){settled.value / filled.value, settled.low / filled.high,
				 settled.high / filled.low};
}

static void add_cells(struct view *view, const struct fathom_point *point)
{
	struct estimate ns = time_of(point);
	view_estimate(view, ns);
	view_mark(view, point ? points_mark(point, ns) : 0);
}

static void add_row(struct view *view, const struct fathom_point *settled,
		    const struct fathom_point *filled)
{
	view_row(view);
	view_size(view, (double)settled->spec.size_bytes);
	add_cells(view, filled);
	add_cells(view, settled);
	view_estimate(view, ratio_of(time_of(settled), time_of(filled)));
}

/* NULL: not measured. */
static const struct fathom_point *filled_at(const struct fathom_curve *filled, uint64_t size_bytes)
{
	return filled ? points_at(filled, size_bytes) : NULL;
}

/* Of the greatest ratio that both intervals bear out, NULL: none; in *kept_bytes the largest size
 * before it of which as much as ever is kept, NAN: none; and in *untold whether a ratio without an
 * interval is as great. */
static const struct fathom_point *find_slowed(const struct fathom_curve *settled,
					      const struct fathom_curve *filled, double *kept_bytes,
					      bool *untold)
{
	const struct fathom_point *slowed = NULL;
	double most = SLOWER;
	*kept_bytes = NAN;
	*untold = false;
	for (size_t i = 0; i < settled->point_count; i++) {
		const struct fathom_point *point = &settled->points[i];
		struct estimate before = time_of(filled_at(filled, point->spec.size_bytes));
		struct estimate ratio = ratio_of(time_of(point), before);
		if (!slowed && ratio.value <= SLOWER)
			*kept_bytes = (double)point->spec.size_bytes;
		*untold |= isnan(ratio.low) && !(ratio.value <= SLOWER);
		if (ratio.low > 1 && ratio.value > most) {
			most = ratio.value;
			slowed = point;
		}
	}
	return slowed;
}

static void add_times(struct text *line, const struct fathom_point *slowed,
		      const struct fathom_curve *filled)
{
	text_add(line, "an access to %s takes %s ns, ",
		 rounding_size((double)slowed->spec.size_bytes).text,
		 rounding_number(time_of(slowed).value).text);
	text_add(line, "just after the caches were filled %s ns",
		 rounding_number(time_of(points_at(filled, slowed->spec.size_bytes)).value).text);
}

static void add_words(struct view *view, const struct fathom_curve *settled,
		      const struct fathom_curve *filled)
{
	struct text line = {0};
	double kept_bytes;
	bool untold;
	const struct fathom_point *slowed = find_slowed(settled, filled, &kept_bytes, &untold);
	if (!slowed) {
		view_say(
			view, VIEW_NOTE,
			untold ? "too few blocks to tell whether others take lines: allow a longer "
				 "--budget"
			       : "settled chains are no slower than just after the caches were "
				 "filled, beyond the intervals");
		return;
	}
	text_add(&line, "what runs beside takes lines: after a tenth of a second of walking ");
	add_times(&line, slowed, filled);
	if (isfinite(kept_bytes))
		text_add(&line, "; up to %s it makes no such difference",
			 rounding_size(kept_bytes).text);
	view_take(view, VIEW_NOTE, &line);
	view_say(view, VIEW_NOTE,
		 "a program that keeps such data for long sees the settled time; the levels are "
		 "read from filled caches");
}

void settling_say(struct view *view, const struct fathom_result *result)
{
	const struct fathom_curve *settled = find(result, FATHOM_SETTLING, FATHOM_SETTLED);
	const struct fathom_curve *filled = find_filled(result);
	struct text line = {0};
	double kept_bytes;
	bool untold;
	const struct fathom_point *slowed =
		settled && filled ? find_slowed(settled, filled, &kept_bytes, &untold) : NULL;
	if (!slowed)
		return;
	text_add(&line, "Other programs take cache lines: once it has settled ");
	add_times(&line, slowed, filled);
	text_add(&line, ".");
	view_take(view, VIEW_ITEM, &line);
}

void settling_view(struct view *view, const struct fathom_result *result)
{
	const struct fathom_curve *settled = find(result, FATHOM_SETTLING, FATHOM_SETTLED);
	const struct fathom_curve *filled = find_filled(result);
	if (!settled)
		return;
	view_part(view, "settling", "What caches keep");
	if (view->full)
		figure_add(view, result, (struct figure_wish){.kind = FIGURE_SETTLING});
	view_say(view, VIEW_PLAIN,
		 "just after the caches were filled, and after a tenth of a second of walking:");
	VIEW_TABLE(view, COLUMN("size"), COLUMN("filled", .unit = "ns"),
		   COLUMN("settled", .unit = "ns"), COLUMN("times"));
	for (size_t i = 0; i < settled->point_count; i++)
		add_row(view, &settled->points[i],
			filled_at(filled, settled->points[i].spec.size_bytes));
	view_gap(view);
	add_words(view, settled, filled);
	view_gap(view);
}
