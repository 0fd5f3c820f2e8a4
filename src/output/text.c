/* A result for people: what was measured on what, a picture, a table, and what to think of it. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/names.h"
#include "output/plot.h"
#include "output/text_table.h"
#include "output/writers.h"

#define PLOT_ROWS         18
#define PLOT_MOST_COLUMNS 100

static void add_title(const struct layout *layout, const struct fathom_result *result,
		      const struct fathom_curve *curve)
{
	const struct fathom_machine *machine = result->machine;
	struct text line = {0};
	if (machine && machine->description) {
		text_add(&line, "simulated machine ");
		layout_outside(layout, &line, machine->description);
	} else {
		layout_outside(layout, &line, machine ? machine->cpu_model : NULL);
	}
	if (machine && machine->hypervisor) {
		text_add(&line, ", guest of ");
		layout_outside(layout, &line, machine->hypervisor);
	}
	if (curve)
		text_add(&line, ", CPU %d", curve->cpu);
	layout_item(layout, "", false, &line);
}

static void add_subject(const struct layout *layout, const struct fathom_curve *curve)
{
	char size[UNITS_TEXT_BYTES];
	struct text line = {0};
	const struct fathom_point *first = curve->points;
	const char *asked = page_name(first->spec.page);
	layout_spec(&line, &first->spec);
	text_add(&line, ", %s pages ", asked ? asked : "unknown");
	if (!table_same_pages(curve))
		text_add(&line, "(obtained: mixed)");
	else if (first->page_bytes)
		text_add(&line, "(obtained: %s)", layout_size(first->page_bytes, false, size));
	else
		text_add(&line, "(obtained: unknown)");
	layout_item(layout, "", false, &line);
}

static void add_plot(const struct layout *layout, const struct fathom_curve *curve, enum fathom_y y)
{
	double *values = calloc(2 * curve->point_count, sizeof(*values));
	if (!values) {
		layout->text->failed = true;
		return;
	}
	double *sizes = values + curve->point_count;
	for (size_t i = 0; i < curve->point_count; i++) {
		values[i] = table_value(&curve->points[i], y).value * table_quantity(y)->plotted;
		sizes[i] = (double)curve->points[i].spec.size_bytes;
	}
	struct plot_series series = {sizes, values, curve->point_count};
	struct plot plot = {
		.columns =
			layout->columns < PLOT_MOST_COLUMNS ? layout->columns : PLOT_MOST_COLUMNS,
		.rows = PLOT_ROWS,
		.utf8 = layout->utf8,
		.title = table_quantity(y)->axis,
		.series = &series,
		.series_count = 1,
	};
	plot_draw(&plot, layout->text);
	free(values);
}

static void add_quality(const struct layout *layout, const struct fathom_curve *curve,
			enum fathom_y y)
{
	size_t measured = table_count(curve, y), wide = 0, without = 0;
	for (size_t i = 0; i < curve->point_count; i++) {
		char mark = table_mark(&curve->points[i], y);
		wide += mark == '~';
		without += mark == '?';
	}
	if (measured == 0)
		return;
	const char *plus_minus = layout_plus_minus(layout);
	double target = 100 * curve->points[0].target;
	struct text line = {0};
	text_add(&line, "%zu of %zu points are within the wanted %s%.3g %%",
		 measured - wide - without, measured, plus_minus, target);
	if (wide)
		text_add(&line, "; ~ marks the wider ones");
	if (without)
		text_add(&line, "; ? marks those with too few blocks for an interval");
	layout_item(layout, "", false, &line);
}

static void add_rejected(const struct layout *layout, const struct fathom_curve *curve)
{
	unsigned long long reasons[FATHOM_REJECTION_COUNT] = {0}, rejected = 0, taken = 0;
	for (size_t i = 0; i < curve->point_count; i++) {
		taken += curve->points[i].sample_count;
		for (int reason = 0; reason < FATHOM_REJECTION_COUNT; reason++) {
			reasons[reason] += curve->points[i].rejected[reason];
			rejected += curve->points[i].rejected[reason];
		}
	}
	if (rejected == 0)
		return;
	struct text line = {0};
	const char *separator = " (";
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
	layout_item(layout, "", false, &line);
}

static void add_curve(const struct layout *layout, const struct fathom_result *result,
		      const struct fathom_curve *curve, const struct fathom_style *style)
{
	enum fathom_y y = style ? style->y : FATHOM_Y_NS;
	bool cycles = table_count(curve, FATHOM_Y_CYCLES) > 0;
	if (y == FATHOM_Y_CYCLES && !cycles)
		y = FATHOM_Y_NS; /* and add_clock says why */
	add_subject(layout, curve);
	text_add(layout->text, "\n");
	if (table_count(curve, y)) {
		add_plot(layout, curve, y);
		text_add(layout->text, "\n");
	}
	table_add(layout, curve, y, style && style->every_point);
	text_add(layout->text, "\n");
	add_quality(layout, curve, y);
	add_rejected(layout, curve);
	add_clock(layout, result, cycles);
}

/* What is wrong comes last, where it is seen. */
static void add_trouble(const struct layout *layout, const struct fathom_result *result,
			size_t measured)
{
	struct text line = {0};
	if (measured && !result->interrupted && result->warnings.count == 0)
		return;
	text_add(layout->text, "\n");
	if (measured == 0) {
		text_add(&line, "nothing was measured");
		layout_item(layout, "! ", true, &line);
	}
	if (result->interrupted) {
		text_add(&line, "interrupted: this is what was measured until then");
		layout_item(layout, "! ", true, &line);
	}
	layout_warnings(layout, &result->warnings);
}

int text_write_result(const struct fathom_result *result, const struct fathom_style *style,
		      struct text *text, struct fathom_error *error)
{
	struct layout layout = layout_make(text, style);
	size_t measured = 0;
	add_title(&layout, result, result->curve_count ? result->curves : NULL);
	for (size_t i = 0; i < result->curve_count; i++) {
		measured += table_count(&result->curves[i], FATHOM_Y_NS);
		if (result->curves[i].point_count)
			add_curve(&layout, result, &result->curves[i], style);
	}
	add_footer(&layout, result);
	add_trouble(&layout, result, measured);
	return text->failed ? error_no_memory(error) : 0;
}
