#include "views/experiments/experiments.h"

#include <math.h>
#include <string.h>

#include "base/names.h"
#include "base/point.h"
#include "model/plateau.h"
#include "views/figure.h"
#include "views/levels/levels.h"
#include "views/points.h"
#include "views/rounding.h"

#define MOST_KINDS 4  /* of pages, side by side */
#define FEW_POINTS 10 /* are all shown */
#define PLOT_ROWS  18

/* The curves of one size, a kind of pages each. */
struct group {
	const struct fathom_result *result;
	const struct fathom_curve *curves[MOST_KINDS];
	size_t count;
	double line_bytes; /* that an access brings; NAN: not known, or none from beyond L1 */
};

static bool is_along_lanes(const struct fathom_curve *curve)
{
	return curve->experiment == FATHOM_PARALLELISM && curve->axis == FATHOM_AXIS_LANES &&
	       curve->point_count && !curve->tool;
}

static uint64_t size_of(const struct fathom_curve *curve)
{
	return curve->points[0].spec.size_bytes;
}

/* Of the curve that is first of its size; false: another one was. */
static bool make_group(const struct fathom_result *result, size_t first, struct group *group)
{
	*group = (struct group){.result = result,
				.line_bytes = result->measured_line_bytes
						      ? (double)result->measured_line_bytes
						      : NAN};
	if (!is_along_lanes(&result->curves[first]))
		return false;
	if (plateau_is_in_first_cache(result, size_of(&result->curves[first])))
		group->line_bytes = NAN;
	for (size_t i = 0; i < result->curve_count && group->count < MOST_KINDS; i++) {
		const struct fathom_curve *curve = &result->curves[i];
		if (!is_along_lanes(curve) || size_of(curve) != size_of(&result->curves[first]))
			continue;
		if (i < first)
			return false;
		group->curves[group->count++] = curve;
	}
	return true;
}

/* ---- names ---- */

static const struct fathom_parallelism *find_parallelism(const struct fathom_result *result,
							 const struct fathom_curve *curve)
{
	for (size_t i = 0; i < result->parallelism_count; i++)
		if (&result->curves[result->parallelism[i].curve] == curve)
			return &result->parallelism[i];
	return NULL;
}

void parallelism_add_name(struct text *words, const struct fathom_result *result,
			  const struct fathom_curve *curve, bool pages)
{
	const struct fathom_parallelism *found = find_parallelism(result, curve);
	if (found && found->level)
		text_add(words, "%s, ", found->level);
	text_add(words, "%s", rounding_size(size_of(curve)).text);
	if (pages)
		text_add(words, ", %s pages", points_page(&curve->points[0].spec));
}

/* ---- the table of a size ---- */

static const struct fathom_point *point_of(const struct fathom_curve *curve, uint32_t lanes)
{
	for (size_t i = 0; i < curve->point_count; i++)
		if (curve->points[i].spec.lanes == lanes)
			return &curve->points[i];
	return NULL;
}

static bool is_usual(uint32_t lanes)
{
	/* Where x86-64 has no register left, each. */
	static const uint32_t usual[] = {1, 2, 4, 8, 12, 13, 14, 15, 16, 17, 24, 32, 48, 64};
	for (size_t i = 0; i < sizeof(usual) / sizeof(*usual); i++)
		if (usual[i] == lanes)
			return true;
	return false;
}

/* Of several lanes, in the first curve that knows. */
static enum fathom_lane_store store_of(const struct group *group, uint32_t lanes)
{
	for (size_t i = 0; i < group->count; i++) {
		const struct fathom_point *point = point_of(group->curves[i], lanes);
		if (point && point->lane_store != FATHOM_STORE_UNKNOWN)
			return point->lane_store;
	}
	return FATHOM_STORE_UNKNOWN;
}

/* Have a lane fewer, or one more, their cursors elsewhere? */
static bool is_at_move(const struct group *group, uint32_t lanes)
{
	enum fathom_lane_store here = store_of(group, lanes);
	enum fathom_lane_store before = store_of(group, lanes - 1);
	enum fathom_lane_store after = store_of(group, lanes + 1);
	return here && ((before && before != here) || (after && after != here));
}

/* The next lanes after `after` that have a row; 0: none. */
static uint32_t next_row(const struct view *view, const struct group *group, uint32_t after)
{
	uint32_t next = 0;
	for (size_t i = 0; i < group->count; i++) {
		const struct fathom_curve *curve = group->curves[i];
		bool all = view->every_point || curve->point_count <= FEW_POINTS;
		for (size_t k = 0; k < curve->point_count; k++) {
			uint32_t lanes = curve->points[k].spec.lanes;
			bool shown = all || is_usual(lanes) || is_at_move(group, lanes) ||
				     k + 1 == curve->point_count;
			if (shown && lanes > after && (!next || lanes < next))
				next = lanes;
		}
	}
	return next;
}

/* Over one lane; NAN: not known, or one of the two to no better than a third. */
static double ratio_of(const struct fathom_curve *curve, const struct fathom_point *point)
{
	const struct fathom_point *one = point_of(curve, 1);
	bool known = one && !rounding_is_wide(points_time(one, FATHOM_Y_NS)) &&
		     !rounding_is_wide(points_time(point, FATHOM_Y_NS));
	return known ? point_ns(one) / point_ns(point) : NAN;
}

/* GB/s of the lines that accesses of that time bring. */
static struct estimate lines_of(double line_bytes, struct estimate ns)
{
	return (struct estimate){line_bytes / ns.value, line_bytes / ns.high, line_bytes / ns.low};
}

/* Noise alone takes it above the number of lanes: much more than that is withheld. */
static bool is_cut(const struct fathom_curve *curve, const struct fathom_point *point)
{
	double ratio = ratio_of(curve, point), lanes = point->spec.lanes;
	return ratio > lanes &&
	       strcmp(rounding_number(ratio).text, rounding_number(lanes).text) != 0;
}

static double speedup_of(const struct fathom_curve *curve, const struct fathom_point *point)
{
	double ratio = ratio_of(curve, point);
	return ratio > point->spec.lanes ? point->spec.lanes : ratio;
}

static void add_point(struct view *view, const struct group *group,
		      const struct fathom_curve *curve, uint32_t lanes)
{
	const struct fathom_point *point = point_of(curve, lanes);
	for (int i = isfinite(group->line_bytes) ? 3 : 2; !point && i > 0; i--)
		view_empty(view);
	if (!point)
		return;
	struct estimate ns = points_time(point, FATHOM_Y_NS);
	view_number_or_range(view, ns);
	view_mark(view, points_mark(point, ns));
	view_number(view, speedup_of(curve, point));
	view_mark(view, point_at_floor(point) ? '=' : is_cut(curve, point) ? '^' : 0);
	if (isfinite(group->line_bytes))
		view_number_or_range(view, lines_of(group->line_bytes, ns));
}

/* Under "thp pages (2 MiB)": what was asked for, and what was obtained. */
static void add_columns(struct view *view, const struct group *group,
			const struct fathom_curve *curve)
{
	const struct fathom_point *point = &curve->points[0];
	struct text pages = {0};
	text_add(&pages, "%s pages", points_page(&point->spec));
	if (point->page_bytes)
		text_add(&pages, " (%s)", rounding_size(point->page_bytes).text);
	view_column(view, COLUMN(NULL, .unit = "ns/access"));
	if (isfinite(group->line_bytes))
		view_column(view, COLUMN(NULL, .unit = "speed-up", .joined = true));
	view_column_take(view, &pages,
			 COLUMN(NULL, .unit = isfinite(group->line_bytes) ? "GB/s" : "speed-up",
				.joined = true));
}

static void add_group(struct view *view, const struct group *group)
{
	struct text line = {0};
	parallelism_add_name(&line, group->result, group->curves[0], false);
	text_add(&line, ":");
	view_take(view, VIEW_PLAIN, &line);
	VIEW_TABLE(view, COLUMN(NULL, .unit = "lanes"), COLUMN(NULL, .unit = "cursors"));
	for (size_t i = 0; i < group->count; i++)
		add_columns(view, group, group->curves[i]);
	for (uint32_t lanes = 0; (lanes = next_row(view, group, lanes));) {
		enum fathom_lane_store store = store_of(group, lanes);
		view_row(view);
		view_count(view, lanes);
		view_name(view, "%s", store ? lane_store_name((int)store) : "");
		for (size_t i = 0; i < group->count; i++)
			add_point(view, group, group->curves[i], lanes);
	}
	view_gap(view);
}

static void add_notes(struct view *view, const struct fathom_result *result, bool has_lines)
{
	bool floor = false, unknown = false, cut = false;
	for (size_t i = 0; i < result->curve_count; i++) {
		const struct fathom_curve *curve = &result->curves[i];
		for (size_t k = 0; is_along_lanes(curve) && k < curve->point_count; k++) {
			const struct fathom_point *point = &curve->points[k];
			floor |= point_at_floor(point);
			unknown |= point->spec.lanes > 1 && isfinite(point_ns(point)) &&
				   isnan(point->floor_ns);
			cut |= is_cut(curve, &curve->points[k]);
		}
	}
	if (has_lines)
		view_say(view, VIEW_NOTE,
			 "GB/s: bytes of the lines that are touched; in L1 none moves");
	if (floor)
		view_say(view, VIEW_NOTE,
			 "= marks times that the loop alone would take, with every line in L1%s",
			 unknown ? "; what some loops alone would take is not known" : "");
	if (cut)
		view_say(view, VIEW_NOTE,
			 "^ marks a speed-up that noise takes above the number of lanes: that "
			 "number is shown, as no more can overlap");
	points_exactness(view, result);
	points_ranges(view, result);
}

/* ---- where registers end ---- */

/* Of the first curve that shows it: all have the same loops. What that costs is seen where hits are
 * short, in the curve of the smallest size. */
static void add_registers(struct view *view, const struct fathom_result *result)
{
	const struct fathom_curve *smallest = NULL;
	const struct fathom_point *before, *point;
	struct text line = {0};
	for (size_t i = 0; i < result->curve_count; i++) {
		const struct fathom_curve *curve = &result->curves[i];
		if (is_along_lanes(curve) && points_spilled(curve, &before) &&
		    (!smallest || size_of(curve) < size_of(smallest)))
			smallest = curve;
	}
	if (!smallest)
		return;
	point = points_spilled(smallest, &before);
	text_add(&line,
		 "registers hold the cursors of %u lanes; those of more are kept in %s, which "
		 "takes more instructions per hop",
		 before->spec.lanes,
		 point->lane_store == FATHOM_STORE_VECTORS ? "vector registers" : "memory");
	double from = speedup_of(smallest, before), to = speedup_of(smallest, point);
	if (isfinite(from) && isfinite(to)) {
		text_add(&line, ": in ");
		parallelism_add_name(&line, result, smallest, true);
		text_add(&line, " the speed-up goes from %s to %s at %u lanes",
			 rounding_number(from).text, rounding_number(to).text, point->spec.lanes);
	}
	view_take(view, VIEW_NOTE, &line);
}

/* ---- the plots ---- */

static void add_plots(struct view *view, const struct fathom_result *result)
{
	static const struct figure_wish wishes[] = {
		{FIGURE_SPEEDUP, .rows = PLOT_ROWS, .choices = "Show", .choice = "speed-up"},
		{.kind = FIGURE_PARALLELISM, .choices = "Show", .choice = "ns per access"},
		{.kind = FIGURE_LINES, .choices = "Show", .choice = "GB/s"}};
	if (!view->full)
		figure_add(view, result,
			   (struct figure_wish){.kind = FIGURE_SPEEDUP, .rows = PLOT_ROWS});
	for (size_t i = 0; view->full && i < sizeof(wishes) / sizeof(*wishes); i++)
		figure_add(view, result, wishes[i]);
}

void parallelism_view(struct view *view, const struct fathom_result *result)
{
	struct group group;
	bool any = false, has_lines = false;
	if (!view->full)
		levels_view(view, result, FATHOM_Y_NS);
	view_gap(view);
	for (size_t i = 0; i < result->curve_count; i++) {
		if (!make_group(result, i, &group))
			continue;
		if (!any)
			view_part(view, "lanes", "Points by lanes");
		any = true;
		has_lines |= isfinite(group.line_bytes);
		add_group(view, &group);
	}
	if (any) {
		add_notes(view, result, has_lines);
		add_registers(view, result);
		view_gap(view);
		add_plots(view, result);
	}
	throughput_view(view, result);
}
