#include "views/curves.h"

#include <math.h>
#include <stdlib.h>

#include "base/names.h"
#include "base/patterns.h"
#include "base/point.h"
#include "views/curve_names.h"
#include "views/points.h"
#include "views/result.h"
#include "views/rounding.h"

/* ---- which ---- */

static enum fathom_y choose_y(const struct fathom_curve *curve, enum fathom_y wanted)
{
	bool ns = points_count(curve, FATHOM_Y_NS), cycles = points_count(curve, FATHOM_Y_CYCLES);
	if (wanted == FATHOM_Y_THROUGHPUT && curve->relative_to_l1)
		wanted = FATHOM_Y_NS; /* what is added has no inverse */
	if (wanted == FATHOM_Y_CYCLES ? cycles : ns)
		return wanted;
	return cycles ? FATHOM_Y_CYCLES : FATHOM_Y_NS;
}

/* In windows and in independent order are what the cycle is compared with. */
static bool is_main(const struct fathom_curve *curve)
{
	enum pattern_sweep sweep = pattern_traits(curve->points[0].spec.pattern)->sweep;
	return sweep != PATTERN_SWEPT_CONTROL && sweep != PATTERN_SWEPT_ORDER;
}

static bool is_one(const struct fathom_curve *curve, bool foreign)
{
	return curve->point_count && foreign == (curve->tool != NULL);
}

bool curves_find(const struct fathom_result *result, bool foreign, enum fathom_y wanted,
		 struct curves *curves)
{
	const struct fathom_curve *main = NULL;
	*curves = (struct curves){.result = result};
	for (size_t i = 0; i < result->curve_count; i++) {
		const struct fathom_curve *curve = &result->curves[i];
		if (is_one(curve, foreign) && (!main || (is_main(curve) && !is_main(main))))
			main = curve;
	}
	if (!main)
		return false;
	curves->items[curves->count++] = main;
	curves->y = choose_y(main, wanted);
	for (size_t i = 0; i < result->curve_count; i++) {
		const struct fathom_curve *curve = &result->curves[i];
		if (!is_one(curve, foreign) || curve == main)
			continue;
		if (curves->count < CURVES_MOST)
			curves->items[curves->count++] = curve;
		else
			curves->left_out++;
	}
	return true;
}

/* ---- the table ---- */

/* Columns beside that of the main curve's `y`; those of the main curve are not counted. */
#define BESIDE_MOST (2 + CURVES_MOST)
struct beside {
	struct {
		const struct fathom_curve *curve;
		enum fathom_y y;
	} items[BESIDE_MOST];
	size_t count;
	double line_bytes; /* beside accesses a second, bytes of their lines; 0: not shown */
};

static void add_beside(struct beside *beside, const struct fathom_curve *curve, enum fathom_y y)
{
	if (points_count(curve, y) == 0)
		return;
	beside->items[beside->count].curve = curve;
	beside->items[beside->count++].y = y;
}

static struct beside find_beside(const struct curves *curves)
{
	struct beside beside = {.count = 0};
	if (curves->y == FATHOM_Y_THROUGHPUT)
		beside.line_bytes = line_bytes_likely(curves->result);
	if (curves->y != FATHOM_Y_NS)
		add_beside(&beside, curves->items[0], FATHOM_Y_NS);
	if (curves->y != FATHOM_Y_CYCLES)
		add_beside(&beside, curves->items[0], FATHOM_Y_CYCLES);
	for (size_t i = 1; i < curves->count; i++)
		add_beside(&beside, curves->items[i], curves->y);
	return beside;
}

/* Named as the curve is, where that is given, or after the quantity. */
static void add_column(struct view *view, const struct curves *curves,
		       const struct fathom_curve *named, enum fathom_y y, struct view_column column)
{
	struct text name = {0};
	if (named)
		curve_names_add_brief(&name, curves->result, named);
	else
		text_add(&name, "%s", result_quantity(curves->result, y));
	view_column_take(view, &name, column);
}

static void add_columns(struct view *view, const struct curves *curves, const struct beside *beside)
{
	const struct fathom_curve *main = curves->items[0];
	/* The other curves' columns have their names; other tools' curves are all alike. */
	bool named = curves->count > 1 && main->tool;
	VIEW_TABLE(view, COLUMN("size"));
	view_table_left_out(view, curves->left_out, "curve has", "curves have");
	add_column(view, curves, named ? main : NULL, curves->y, COLUMN(NULL));
	if (beside->line_bytes > 0)
		view_column(view, COLUMN("GB/s", .rank = BESIDE_MOST + 1));
	for (size_t i = 0; i < beside->count; i++) {
		bool other = beside->items[i].curve != main;
		add_column(view, curves, other ? beside->items[i].curve : NULL, beside->items[i].y,
			   COLUMN(NULL, .rank = (unsigned)i + 1,
				  .spread_rank = BESIDE_MOST + (other ? 1 : 2), .counted = other));
	}
}

static void add_value(struct view *view, const struct fathom_curve *curve, enum fathom_y y,
		      struct estimate value)
{
	view_estimate(view, value);
	view_before(view, curve->relative_to_l1 ? "+" : "");
	view_after(view, points_quantity(y)->unit);
}

/* `pages`: not the same in each row. */
static void add_note(struct view *view, const struct fathom_point *point, bool pages)
{
	struct text note = {0};
	if (!isfinite(point->latency_ns) && !isfinite(point->latency_cycles))
		text_add(&note, "not measured");
	else if (pages && point->page_bytes == 0)
		text_add(&note, "pages unknown");
	else if (pages && point->page_share >= POINTS_WHOLE_SHARE)
		text_add(&note, "%s pages", rounding_size(point->page_bytes).text);
	else if (pages)
		text_add(&note, "%s %s pages", rounding_percent(point->page_share).text,
			 rounding_size(point->page_bytes).text);
	view_row_note(view, &note);
}

static void add_row(struct view *view, const struct curves *curves, const struct beside *beside,
		    const struct fathom_point *point)
{
	struct estimate value = points_value(point, curves->y);
	view_row(view);
	view_size(view, (double)point->spec.size_bytes);
	add_value(view, curves->items[0], curves->y, value);
	view_mark(view, points_mark(point, value));
	if (beside->line_bytes > 0)
		view_number(view, beside->line_bytes / point->latency_ns);
	for (size_t i = 0; i < beside->count; i++) {
		const struct fathom_curve *curve = beside->items[i].curve;
		const struct fathom_point *other =
			curve == curves->items[0] ? point
						  : points_exactly(curve, point->spec.size_bytes);
		add_value(view, curve, beside->items[i].y,
			  other ? points_value(other, beside->items[i].y) : ESTIMATE_UNKNOWN);
	}
	add_note(view, point, !points_same_pages(curves->items[0]));
}

void curves_table(struct view *view, const struct curves *curves)
{
	const struct fathom_curve *main = curves->items[0];
	struct beside beside = find_beside(curves);
	add_columns(view, curves, &beside);
	for (size_t i = 0, next; i < main->point_count; i = next) {
		size_t shown = i;
		next = i + 1;
		if (!view->every_point)
			shown = points_octave(main, i, &next);
		add_row(view, curves, &beside, &main->points[shown]);
	}
}

/* ---- in words ---- */

/* The curve's name comes first where there are several. */
static void add_exactness(struct view *view, const struct curves *curves, size_t which)
{
	const struct fathom_curve *curve = curves->items[which];
	size_t measured = points_count(curve, curves->y), wide = 0, without = 0;
	for (size_t i = 0; i < curve->point_count; i++) {
		const struct fathom_point *point = &curve->points[i];
		char mark = points_mark(point, points_value(point, curves->y));
		wide += mark == '~';
		without += mark == '?';
	}
	if (measured == 0 || !(curve->points[0].target > 0)) /* nothing was wanted */
		return;
	struct text line = {0};
	if (curves->count > 1) {
		curve_names_add(&line, curves->result, curve);
		text_add(&line, ": ");
	}
	text_add(&line, "%zu of %zu points meet the target of \u00b1%s", measured - wide - without,
		 measured, rounding_percent(curve->points[0].target).text);
	if (wide && which) /* only the main curve's rows are in the table */
		text_add(&line, "; %zu %s wider", wide, wide == 1 ? "is" : "are");
	else if (wide)
		text_add(&line, "; ~ marks wider ones");
	if (without && which)
		text_add(&line, "; %zu %s too few blocks for an interval", without,
			 without == 1 ? "has" : "have");
	else if (without)
		text_add(&line, "; ? marks those with too few blocks for an interval");
	view_take(view, VIEW_PLAIN, &line);
}

void curves_exactness(struct view *view, const struct curves *curves)
{
	for (size_t i = 0; i < curves->count; i++)
		add_exactness(view, curves, i);
}

/* ---- how they were measured ---- */

static void add_curve(struct view *view, const struct fathom_result *result, size_t which)
{
	const struct fathom_curve *curve = &result->curves[which];
	const struct fathom_point *first = &curve->points[0];
	uint64_t samples = 0, rejected = 0;
	size_t within = 0;
	struct text name = {0};
	for (size_t i = 0; i < curve->point_count; i++) {
		samples += curve->points[i].sample_count;
		within += curve->points[i].within_target;
		for (int k = 0; k < FATHOM_REJECTION_COUNT; k++)
			rejected += curve->points[i].rejected[k];
	}
	curve_names_add(&name, result, curve);
	view_row(view);
	view_name_take(view, &name);
	view_name(view, "%s", curve->tool ? curve->tool : experiment_name(curve->experiment));
	view_count(view, (double)curve->point_count);
	view_count(view, (double)samples);
	view_count(view, (double)rejected);
	view_count(view, first->target > 0 ? (double)within : NAN);
	if (first->target > 0)
		view_quantity(view, "\u00b1%s", rounding_percent(first->target).text);
	else
		view_quantity(view, "-");
}

void curves_list(struct view *view, const struct fathom_result *result)
{
	VIEW_TABLE(view, COLUMN("curve"), COLUMN("experiment"), COLUMN("points"), COLUMN("samples"),
		   COLUMN("rejected"), COLUMN("within"), COLUMN("wanted"));
	for (size_t i = 0; i < result->curve_count; i++)
		if (result->curves[i].point_count)
			add_curve(view, result, i);
}
