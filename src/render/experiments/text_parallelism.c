#include "render/experiments/text_parallelism.h"

#include <math.h>
#include <stdlib.h>

#include "base/names.h"
#include "base/point.h"
#include "base/text.h"
#include "render/experiments/text_patterns.h"
#include "render/text/plot.h"
#include "render/text/text_levels.h"

#define MOST_KINDS        4 /* of pages, side by side */
#define LANES_COLUMNS     7
#define TIME_COLUMNS      11
#define SPEEDUP_COLUMNS   10
#define BANDWIDTH_COLUMNS 9
#define CURVE_COLUMNS     (TIME_COLUMNS + SPEEDUP_COLUMNS + BANDWIDTH_COLUMNS)
#define FEW_POINTS        10 /* are all shown */
#define PLOT_ROWS         18
#define PLOT_MOST_COLUMNS 100

/* The curves of one size, a kind of pages each. */
struct group {
	const struct fathom_result *result;
	const struct fathom_curve *curves[MOST_KINDS];
	size_t count;
	double line_bytes; /* that an access brings; NAN */
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

static const struct fathom_parallelism *find_said(const struct fathom_result *result,
						  const struct fathom_curve *curve)
{
	for (size_t i = 0; i < result->parallelism_count; i++)
		if (&result->curves[result->parallelism[i].curve] == curve)
			return &result->parallelism[i];
	return NULL;
}

char *text_lanes_name(const struct layout *layout, const struct fathom_result *result,
		      const struct fathom_curve *curve, bool pages)
{
	const struct fathom_parallelism *said = find_said(result, curve);
	const char *page = page_name(curve->points[0].spec.page);
	char size[UNITS_TEXT_BYTES];
	struct text name = {0};
	if (said && said->level) {
		layout_outside(layout, &name, said->level);
		text_add(&name, ", ");
	}
	text_add(&name, "%s", layout_size(size_of(curve), false, size));
	if (pages)
		text_add(&name, ", %s pages", page ? page : "unknown");
	return text_take(&name);
}

/* "thp pages (2 MiB)": what was asked for, and what was obtained. */
static char *pages_text(const struct fathom_curve *curve)
{
	const struct fathom_point *point = &curve->points[0];
	const char *asked = page_name(point->spec.page);
	char size[UNITS_TEXT_BYTES];
	if (!point->page_bytes)
		return text_format("%s pages", asked ? asked : "unknown");
	return text_format("%s pages (%s)", asked ? asked : "unknown",
			   layout_size(point->page_bytes, false, size));
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
	static const uint32_t usual[] = {1, 2, 4, 8, 12, 16, 24, 32, 48, 64};
	for (size_t i = 0; i < sizeof(usual) / sizeof(*usual); i++)
		if (usual[i] == lanes)
			return true;
	return false;
}

/* The next lanes after `after` that have a row; 0: none. */
static uint32_t next_row(const struct layout *layout, const struct group *group, uint32_t after)
{
	uint32_t next = 0;
	for (size_t i = 0; i < group->count; i++) {
		const struct fathom_curve *curve = group->curves[i];
		bool all = layout->every_point || curve->point_count <= FEW_POINTS;
		for (size_t k = 0; k < curve->point_count; k++) {
			uint32_t lanes = curve->points[k].spec.lanes;
			bool shown = all || is_usual(lanes) || k + 1 == curve->point_count;
			if (shown && lanes > after && (!next || lanes < next))
				next = lanes;
		}
	}
	return next;
}

/* Over one lane; NAN: not known. */
static double speedup_of(const struct fathom_curve *curve, const struct fathom_point *point)
{
	const struct fathom_point *one = point_of(curve, 1);
	return one ? point_ns(one) / point_ns(point) : NAN;
}

char *text_three_digits(double value)
{
	int decimals = value < 0.9995 ? 3 : value < 9.995 ? 2 : value < 99.95 ? 1 : 0;
	return isfinite(value) ? text_format("%.*f", decimals, value) : text_format("-");
}

static void add_number(const struct layout *layout, unsigned columns, double value)
{
	layout_take_cell(layout, columns, true, text_three_digits(value));
}

static void add_point(const struct layout *layout, const struct group *group,
		      const struct fathom_curve *curve, uint32_t lanes)
{
	const struct fathom_point *point = point_of(curve, lanes);
	if (!point) {
		layout_cell(layout, CURVE_COLUMNS, false, "");
		return;
	}
	add_number(layout, TIME_COLUMNS - 1, point_ns(point));
	text_add(layout->text, "%c",
		 isfinite(point_ns(point)) && text_mark(point) ? text_mark(point) : ' ');
	add_number(layout, SPEEDUP_COLUMNS - 1, speedup_of(curve, point));
	text_add(layout->text, "%c", point_at_floor(point) ? '=' : ' ');
	add_number(layout, BANDWIDTH_COLUMNS, group->line_bytes / point_ns(point));
}

static void add_part(const struct layout *layout, const struct group *group)
{
	layout_cell(layout, LANES_COLUMNS, true, "");
	for (size_t i = 0; i < group->count; i++)
		layout_take_cell(layout, CURVE_COLUMNS, true, pages_text(group->curves[i]));
	layout_end_line(layout);
	layout_cell(layout, LANES_COLUMNS, true, "lanes");
	for (size_t i = 0; i < group->count; i++) {
		layout_cell(layout, TIME_COLUMNS, true, "ns/access ");
		layout_cell(layout, SPEEDUP_COLUMNS, true, "speed-up ");
		layout_cell(layout, BANDWIDTH_COLUMNS, true, "GB/s");
	}
	layout_end_line(layout);
	for (uint32_t lanes = 0; (lanes = next_row(layout, group, lanes));) {
		layout_take_cell(layout, LANES_COLUMNS, true, text_format("%u", lanes));
		for (size_t i = 0; i < group->count; i++)
			add_point(layout, group, group->curves[i], lanes);
		layout_end_line(layout);
	}
	text_add(layout->text, "\n");
}

/* As many kinds side by side as there is room for. */
static void add_group(const struct layout *layout, const struct group *group)
{
	size_t room = (layout->columns - LANES_COLUMNS) / CURVE_COLUMNS;
	struct text line = {0};
	char *name = text_lanes_name(layout, group->result, group->curves[0], false);
	text_add(&line, "%s:", name ? name : "");
	line.failed |= !name;
	free(name);
	layout_item(layout, "", false, &line);
	for (size_t first = 0; first < group->count; first += room) {
		struct group part = *group;
		part.count = group->count - first < room ? group->count - first : room;
		for (size_t i = 0; i < part.count; i++)
			part.curves[i] = group->curves[first + i];
		add_part(layout, &part);
	}
}

static void add_notes(const struct layout *layout, const struct fathom_result *result)
{
	bool floor = false;
	struct text line = {0};
	for (size_t i = 0; i < result->curve_count; i++)
		for (size_t k = 0; k < result->curves[i].point_count; k++)
			floor |= point_at_floor(&result->curves[i].points[k]);
	text_add(&line, "GB/s: of the lines that the accesses touch");
	layout_item(layout, "  ", false, &line);
	if (floor) {
		text_add(&line,
			 "= marks what takes no longer than the loop alone, where all hit the "
			 "first cache");
		layout_item(layout, "  ", false, &line);
	}
	text_exactness(layout, result);
}

/* ---- the plot ---- */

static void fill_series(const struct fathom_curve *curve, double *values,
			struct plot_series *series)
{
	for (size_t i = 0; i < curve->point_count; i++) {
		values[i] = curve->points[i].spec.lanes;
		values[curve->point_count + i] = speedup_of(curve, &curve->points[i]);
	}
	*series = (struct plot_series){values, values + curve->point_count, curve->point_count};
}

static void add_legend(const struct layout *layout, const struct fathom_result *result,
		       const struct fathom_curve *const *curves, size_t count)
{
	struct text line = {0};
	for (size_t i = 0; i < count; i++) {
		char *name = text_lanes_name(layout, result, curves[i], true);
		text_add(&line, "%s%s %s", i ? "; " : "", plot_glyph(layout->utf8, i),
			 name ? name : "");
		line.failed |= !name;
		free(name);
	}
	layout_item(layout, "", false, &line);
}

/* One series a size, in the pages that come first. */
static void add_plot(const struct layout *layout, const struct fathom_result *result)
{
	const struct fathom_curve *curves[PLOT_GLYPHS];
	struct plot_series series[PLOT_GLYPHS];
	size_t count = 0, points = 0, used = 0;
	struct group group;
	for (size_t i = 0; i < result->curve_count && count < PLOT_GLYPHS; i++)
		if (make_group(result, i, &group)) {
			curves[count++] = group.curves[0];
			points += group.curves[0]->point_count;
		}
	double *values = calloc(2 * points + 1, sizeof(*values));
	if (!values) {
		layout->text->failed = true;
		return;
	}
	for (size_t i = 0; i < count; i++) {
		fill_series(curves[i], values + used, &series[i]);
		used += 2 * curves[i]->point_count;
	}
	struct plot plot = {
		.columns =
			layout->columns < PLOT_MOST_COLUMNS ? layout->columns : PLOT_MOST_COLUMNS,
		.rows = PLOT_ROWS,
		.linear = true,
		.utf8 = layout->utf8,
		.title = "speed-up over one lane, by lanes",
		.series = series,
		.series_count = count,
	};
	if (plot_draw(&plot, layout->text))
		add_legend(layout, result, curves, count);
	free(values);
}

void text_parallelism(const struct layout *layout, const struct fathom_result *result)
{
	struct group group;
	text_levels(layout, result, FATHOM_Y_NS);
	layout_end_part(layout);
	for (size_t i = 0; i < result->curve_count; i++)
		if (make_group(result, i, &group))
			add_group(layout, &group);
	add_notes(layout, result);
	layout_end_part(layout);
	add_plot(layout, result);
	text_throughput(layout, result);
}
