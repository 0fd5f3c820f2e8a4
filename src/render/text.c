/* A result for people: what was measured on what, a picture, a table, and what to think of it. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/names.h"
#include "render/experiments/text_bandwidth.h"
#include "render/experiments/text_frequency.h"
#include "render/experiments/text_pages.h"
#include "render/experiments/text_parallelism.h"
#include "render/experiments/text_patterns.h"
#include "render/text/plot.h"
#include "render/text/text_levels.h"
#include "render/text/text_table.h"
#include "render/text_survey.h"
#include "render/text_trouble.h"
#include "render/writers.h"

#define PLOT_ROWS         18
#define SURVEY_PLOT_ROWS  10 /* the rest of its first screen is words */
#define PLOT_MOST_COLUMNS 100

/* Readers of formats that many tools write name the format. */
static const char *teller(const char *tool)
{
	static const char *const formats[][2] = {
		{"csv", "a CSV file"}, {"table", "a table"}, {"markdown", "a markdown table"}};
	for (size_t i = 0; i < sizeof(formats) / sizeof(*formats); i++)
		if (strcmp(tool, formats[i][0]) == 0)
			return formats[i][1];
	return tool;
}

static void add_title(const struct layout *layout, const struct fathom_result *result,
		      const struct fathom_curve *curve)
{
	const struct fathom_machine *machine = result->machine;
	struct text line = {0};
	if (machine && machine->description) {
		text_add(&line, "simulated machine ");
		layout_outside(layout, &line, machine->description);
	} else if (curve && curve->tool) {
		text_add(&line, "as told by ");
		layout_outside(layout, &line, teller(curve->tool));
	} else {
		layout_outside(layout, &line, machine ? machine->cpu_model : NULL);
	}
	if (machine && machine->hypervisor) {
		text_add(&line, ", guest of ");
		layout_outside(layout, &line, machine->hypervisor);
	}
	if (curve && curve->cpu >= 0)
		text_add(&line, ", CPU %d", curve->cpu);
	layout_item(layout, "", false, &line);
}

static void add_pages(const struct fathom_curve *curve, struct text *line)
{
	char size[UNITS_TEXT_BYTES];
	const char *asked = page_name(curve->points[0].spec.page);
	if (asked || !curve->tool)
		text_add(line, ", %s pages", asked ? asked : "unknown");
	if (curve->tool && !curve->points[0].page_bytes)
		return; /* what was obtained other tools do not tell */
	text_add(line, " ");
	if (!table_same_pages(curve))
		text_add(line, "(obtained: mixed)");
	else if (curve->points[0].page_bytes)
		text_add(line, "(obtained: %s)",
			 layout_size(curve->points[0].page_bytes, false, size));
	else
		text_add(line, "(obtained: unknown)");
}

static void add_subject(const struct layout *layout, const struct fathom_curve *curve)
{
	struct text line = {0};
	layout_spec(&line, &curve->points[0].spec);
	add_pages(curve, &line);
	if (curve->over_first)
		text_add(&line, "; latencies over that of the first level");
	layout_item(layout, "", false, &line);
}

/* The reaches of the levels of those curves, caches first. */
static size_t find_marks(const struct text_view *view, struct plot_mark *marks)
{
	const struct fathom_result *result = view->result;
	size_t count = 0;
	for (size_t i = 0; i < result->level_count; i++) {
		const struct fathom_level *level = &result->levels[i];
		bool shown = level->curve < result->curve_count &&
			     &result->curves[level->curve] == view->curves[0];
		if (shown && isfinite(level->size_bytes) && level->name)
			marks[count++] = (struct plot_mark){level->size_bytes, level->name};
	}
	return count;
}

static void fill_series(const struct fathom_curve *curve, enum fathom_y y, double *values,
			struct plot_series *series)
{
	double *sizes = values + curve->point_count;
	for (size_t i = 0; i < curve->point_count; i++) {
		values[i] = table_value(&curve->points[i], y).value * table_quantity(y)->plotted;
		sizes[i] = (double)curve->points[i].spec.size_bytes;
	}
	*series = (struct plot_series){sizes, values, curve->point_count};
}

static void add_legend(const struct layout *layout, const struct text_view *view)
{
	struct text line = {0};
	for (size_t i = 0; i < view->count; i++) {
		char *label = view_label(layout, view->result, view->curves[i], false);
		text_add(&line, "%s%s %s", i ? ", " : "", plot_glyph(layout->utf8, i),
			 label ? label : "");
		line.failed |= !label;
		free(label);
	}
	layout_item(layout, "", false, &line);
}

static void add_plot(const struct layout *layout, const struct text_view *view, unsigned rows)
{
	struct plot_series series[VIEW_MOST];
	size_t points = 0, used = 0;
	for (size_t i = 0; i < view->count; i++)
		points += view->curves[i]->point_count;
	double *values = calloc(2 * points, sizeof(*values));
	struct plot_mark *marks = calloc(view->result->level_count + 1, sizeof(*marks));
	if (!values || !marks) {
		layout->text->failed = true;
		goto out;
	}
	for (size_t i = 0; i < view->count; i++) {
		fill_series(view->curves[i], view->y, values + used, &series[i]);
		used += 2 * view->curves[i]->point_count;
	}
	struct plot plot = {
		.columns =
			layout->columns < PLOT_MOST_COLUMNS ? layout->columns : PLOT_MOST_COLUMNS,
		.rows = rows,
		.utf8 = layout->utf8,
		.title = table_quantity(view->y)->axis,
		.series = series,
		.series_count = view->count,
		.marks = marks,
		.mark_count = find_marks(view, marks),
	};
	if (plot_draw(&plot, layout->text) && view->count > 1)
		add_legend(layout, view);
	text_add(layout->text, "\n");
out:
	free(values);
	free(marks);
}

/* The curve's name comes first where there are several. */
static void add_quality(const struct layout *layout, const struct text_view *view, size_t which)
{
	const struct fathom_curve *curve = view->curves[which];
	size_t measured = table_count(curve, view->y), wide = 0, without = 0;
	for (size_t i = 0; i < curve->point_count; i++) {
		char mark = table_mark(&curve->points[i], view->y);
		wide += mark == '~';
		without += mark == '?';
	}
	if (measured == 0 || !(curve->points[0].target > 0)) /* nothing was wanted */
		return;
	const char *plus_minus = layout_plus_minus(layout);
	struct text line = {0};
	if (view->count > 1) {
		char *label = view_label(layout, view->result, curve, false);
		text_add(&line, "%s: ", label ? label : "");
		line.failed |= !label;
		free(label);
	}
	text_add(&line, "%zu of %zu points are within the wanted %s%.3g %%",
		 measured - wide - without, measured, plus_minus, 100 * curve->points[0].target);
	if (wide && which) /* only the main curve's rows are in the table */
		text_add(&line, "; %zu are wider", wide);
	else if (wide)
		text_add(&line, "; ~ marks the wider ones");
	if (without && which)
		text_add(&line, "; %zu have too few blocks for an interval", without);
	else if (without)
		text_add(&line, "; ? marks those with too few blocks for an interval");
	layout_item(layout, "", false, &line);
}

static void add_rejected(const struct layout *layout, const struct fathom_result *result)
{
	unsigned long long reasons[FATHOM_REJECTION_COUNT] = {0}, rejected = 0, taken = 0;
	struct text line = {0};
	const char *separator = " (";
	for (size_t i = 0; i < result->curve_count; i++)
		for (size_t j = 0; j < result->curves[i].point_count; j++) {
			const struct fathom_point *point = &result->curves[i].points[j];
			taken += point->sample_count;
			for (int k = 0; k < FATHOM_REJECTION_COUNT; k++) {
				reasons[k] += point->rejected[k];
				rejected += point->rejected[k];
			}
		}
	if (rejected == 0)
		return;
	text_add(&line, "%llu of %llu samples rejected", rejected, taken + rejected);
	for (int reason = 0; reason < FATHOM_REJECTION_COUNT; reason++)
		if (reasons[reason]) {
			text_add(&line, "%s%s: %llu", separator, fathom_rejection_name(reason),
				 reasons[reason]);
			separator = ", ";
		}
	text_add(&line, ")");
	layout_item(layout, "", false, &line);
}

static void add_clock(const struct layout *layout, const struct fathom_result *result, bool cycles)
{
	struct text line = {0};
	if (isfinite(result->clock_median_hz)) {
		text_add(&line, "core clock %.3g GHz", result->clock_median_hz / 1e9);
		if (isfinite(result->clock_min_hz) && isfinite(result->clock_max_hz))
			text_add(&line, " (%.3g to %.3g)", result->clock_min_hz / 1e9,
				 result->clock_max_hz / 1e9);
		if (isfinite(result->clock_drift))
			text_add(&line, ", %+.1f %% from start to end", 100 * result->clock_drift);
		layout_item(layout, "", false, &line);
	}
	if (cycles)
		return;
	text_add(&line, "no cycles: ");
	if (result->clock_missing)
		layout_outside(layout, &line, result->clock_missing);
	else
		text_add(&line, "the core clock was not measured");
	layout_item(layout, "", false, &line);
}

static void add_footer(const struct layout *layout, const struct fathom_result *result)
{
	char size[UNITS_TEXT_BYTES];
	struct text line = {0};
	if (result->measured_line_bytes)
		text_add(&line, "lines of %s (measured), ",
			 layout_size(result->measured_line_bytes, false, size));
	if (isfinite(result->elapsed_s))
		text_add(&line, "%.3g s, ", result->elapsed_s);
	text_add(&line, "seed 0x%llx", (unsigned long long)result->seed);
	if (result->measured_at) {
		text_add(&line, ", ");
		layout_outside(layout, &line, result->measured_at);
	}
	layout_item(layout, "", false, &line);
}

static void add_view(const struct layout *layout, const struct text_view *view, bool every_point)
{
	const struct fathom_curve *main = view->curves[0];
	struct text line = {0};
	add_subject(layout, main);
	text_add(layout->text, "\n");
	if (table_count(main, view->y))
		add_plot(layout, view, PLOT_ROWS);
	size_t left_out = table_add(layout, view, every_point);
	if (left_out || !main->tool)
		text_add(layout->text, "\n");
	if (left_out) {
		text_add(&line, "%zu more curves have no room here: --json or --format csv",
			 left_out);
		layout_item(layout, "", false, &line);
	}
	if (main->tool)
		return; /* the rest is not known of other tools */
	for (size_t i = 0; i < view->count; i++)
		add_quality(layout, view, i);
	add_rejected(layout, view->result);
	add_clock(layout, view->result, table_count(main, FATHOM_Y_CYCLES));
	add_footer(layout, view->result);
}

static size_t count_measured(const struct fathom_result *result)
{
	size_t measured = 0;
	for (size_t i = 0; i < result->curve_count; i++)
		measured += table_count(&result->curves[i], FATHOM_Y_NS) +
			    table_count(&result->curves[i], FATHOM_Y_CYCLES);
	return measured;
}

/* What all the curves share, or nearly all. */
static void add_common(const struct layout *layout, const struct fathom_curve *curve, bool pages)
{
	char size[UNITS_TEXT_BYTES];
	struct text line = {0};
	const char *link = link_name(curve->points[0].spec.link);
	if (fathom_pattern_streams(curve->points[0].spec.pattern))
		text_add(&line, "in the order of the addresses");
	else
		text_add(&line, "nodes of %s, %s links",
			 layout_size(curve->points[0].spec.node_bytes, false, size),
			 link ? link : "unknown");
	if (pages)
		add_pages(curve, &line);
	layout_item(layout, "", false, &line);
}

/* Of an experiment that is no curve of latency. */
static bool add_experiment(const struct layout *layout, const struct fathom_result *result)
{
	static void (*const shows[])(const struct layout *, const struct fathom_result *) = {
		[FATHOM_PATTERNS] = text_patterns,   [FATHOM_ABLATION] = text_effects,
		[FATHOM_DECAY] = text_laps,          [FATHOM_PARALLELISM] = text_parallelism,
		[FATHOM_BANDWIDTH] = text_bandwidth, [FATHOM_PAGES] = text_pages,
		[FATHOM_FREQUENCY] = NULL,
	};
	enum fathom_experiment experiment = text_experiment(result);
	struct text_view view;
	if (!shows[experiment] || !view_make(result, false, FATHOM_Y_NS, &view))
		return false;
	add_common(layout, view.curves[0],
		   experiment != FATHOM_PARALLELISM && experiment != FATHOM_PAGES);
	text_add(layout->text, "\n");
	shows[experiment](layout, result);
	layout_end_part(layout);
	add_rejected(layout, result);
	add_clock(layout, result, isfinite(result->clock_median_hz));
	add_footer(layout, result);
	return true;
}

/* A picture of the sweep alone, then what all experiments together say. */
static bool add_survey(const struct layout *layout, const struct fathom_result *result,
		       enum fathom_y y)
{
	struct fathom_result sweep = *result;
	struct text_view view;
	if (!result->survey && result->number_count == 0)
		return false;
	sweep.curve_count = text_survey_sweep(result);
	if (view_make(&sweep, false, y, &view)) {
		view.count = 1;
		add_subject(layout, view.curves[0]);
		text_add(layout->text, "\n");
		add_plot(layout, &view, SURVEY_PLOT_ROWS);
	}
	text_survey(layout, result);
	add_clock(layout, result, isfinite(result->clock_median_hz));
	add_footer(layout, result);
	return true;
}

/* Runs at several clocks, of whatever tool. */
static bool add_clocks(const struct layout *layout, const struct fathom_result *result)
{
	if (result->clock_count == 0)
		return false;
	const struct fathom_curve *curve = &result->curves[result->clocks[0].curve];
	if (curve->point_count)
		add_subject(layout, curve);
	text_add(layout->text, "\n");
	text_frequency(layout, result);
	layout_end_part(layout);
	if (curve->tool)
		return true;
	add_rejected(layout, result);
	add_footer(layout, result);
	return true;
}

int text_write_result(const struct fathom_result *result, const struct fathom_style *style,
		      struct text *text, struct fathom_error *error)
{
	struct layout layout = layout_make(text, style);
	struct text_view view;
	enum fathom_y y = style ? style->y : FATHOM_Y_NS;
	bool every_point = style && style->every_point, any = false;
	add_title(&layout, result, result->curve_count ? result->curves : NULL);
	if (add_survey(&layout, result, y) || add_clocks(&layout, result) ||
	    add_experiment(&layout, result)) {
		bool latencies = text_experiment(result) == FATHOM_PAGES;
		text_trouble(&layout, result, latencies ? count_measured(result) : 1);
		return text->failed ? error_no_memory(error) : 0;
	}
	for (int foreign = 0; foreign < 2; foreign++)
		if (view_make(result, foreign, y, &view)) {
			add_view(&layout, &view, every_point);
			any = true;
		}
	if (!any)
		add_footer(&layout, result);
	text_readings(&layout, result);
	text_levels(&layout, result, y);
	text_trouble(&layout, result, count_measured(result));
	return text->failed ? error_no_memory(error) : 0;
}
