/* A comparison for people: the speed-up along the sizes, a table, and a sentence a verdict. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/names.h"
#include "base/utf8.h"
#include "render/text/layout.h"
#include "render/text/plot.h"
#include "render/writers.h"

#define PLOT_ROWS         14
#define PLOT_MOST_COLUMNS 100
#define MOST_BOUND        1.25
#define NAME_COLUMNS      12
#define VALUE_COLUMNS     15
#define SPEEDUP_COLUMNS   10
#define RANGE_COLUMNS     16
#define MOST_SENTENCES    8 /* of parts that are the same, or cannot be told */
#define MOST_PERCENT      0.5
#define MOST_VISIBLE      1000.0 /* a factor of more says nothing */

/* ---- the curve ---- */

/* The points of the first curve along the sizes. */
static size_t first_points(const struct fathom_compared_run *run)
{
	size_t count = 0;
	while (count < run->point_count && run->points[count].curve == run->points[0].curve &&
	       run->points[count].spec.axis == FATHOM_AXIS_SIZE)
		count++;
	return count;
}

/* The bounds of a few points, in a cliff, would leave no room to see the others. */
static double near_one(double bound)
{
	return bound > 1 / MOST_BOUND && bound < MOST_BOUND ? bound : NAN;
}

static void add_plot(const struct layout *layout, const struct fathom_compared_run *run)
{
	size_t count = first_points(run);
	double *values = calloc(4 * count + 1, sizeof(*values));
	if (!values) {
		layout->text->failed = true;
		return;
	}
	double *x = values, *y = x + count, *low = y + count, *high = low + count;
	for (size_t i = 0; i < count; i++) {
		x[i] = (double)run->points[i].spec.size_bytes;
		y[i] = run->points[i].speedup;
		low[i] = near_one(run->points[i].speedup_low);
		high[i] = near_one(run->points[i].speedup_high);
	}
	const struct plot_series series[] = {{x, y, count}, {x, low, count}, {x, high, count}};
	const struct plot plot = {
		.columns =
			layout->columns < PLOT_MOST_COLUMNS ? layout->columns : PLOT_MOST_COLUMNS,
		.rows = PLOT_ROWS,
		.utf8 = layout->utf8,
		.title = "speed-up",
		.series = series,
		.series_count = 3,
	};
	struct text line = {0};
	if (count > 2 && plot_draw(&plot, layout->text)) {
		text_add(&line, "%s speed-up, %s and %s its 95 %% by the blocks of these runs",
			 plot_glyph(layout->utf8, 0), plot_glyph(layout->utf8, 1),
			 plot_glyph(layout->utf8, 2));
		layout_item(layout, "", false, &line);
		layout_end_part(layout);
	}
	free(values);
}

/* ---- the table ---- */

struct shown_unit {
	const char *name;
	double times;
};

static struct shown_unit unit_of(enum fathom_quantity quantity)
{
	static const struct shown_unit units[FATHOM_QUANTITY_COUNT] = {
		[FATHOM_QUANTITY_NS] = {"ns", 1},
		[FATHOM_QUANTITY_CYCLES] = {"cycles", 1},
		[FATHOM_QUANTITY_BYTES_PER_SECOND] = {"GB/s", 1e-9},
		[FATHOM_QUANTITY_HZ] = {"GHz", 1e-9},
	};
	return units[quantity];
}

static char *value_text(double value, enum fathom_quantity quantity)
{
	char number[UNITS_TEXT_BYTES];
	struct shown_unit unit = unit_of(quantity);
	if (!isfinite(value))
		return text_format("-");
	units_format_number(value * unit.times, number);
	return text_format("%s %s", number, unit.name);
}

static char *range_text(const struct layout *layout, const struct fathom_compared_part *part)
{
	if (!isfinite(part->speedup_low) || !isfinite(part->speedup_high))
		return text_format("-");
	return text_format("%.3f%s%.3f", part->speedup_low, layout->utf8 ? "\u2013" : "-",
			   part->speedup_high);
}

/* A long one has a line of its own. */
static void add_name(const struct layout *layout, const char *name)
{
	struct text escaped = {0};
	layout_outside(layout, &escaped, name);
	bool is_long = escaped.data && utf8_columns(escaped.data) >= NAME_COLUMNS;
	layout_take_cell(layout, NAME_COLUMNS, false, text_take(&escaped));
	if (is_long) {
		layout_end_line(layout);
		layout_cell(layout, NAME_COLUMNS, false, "");
	}
}

static void add_table(const struct layout *layout, const struct fathom_compared_run *run)
{
	layout_cell(layout, NAME_COLUMNS, false, "");
	layout_cell(layout, VALUE_COLUMNS, true, "baseline");
	layout_cell(layout, VALUE_COLUMNS, true, "this run");
	layout_cell(layout, SPEEDUP_COLUMNS, true, "speed-up");
	layout_cell(layout, RANGE_COLUMNS, true, "95 %");
	layout_end_line(layout);
	for (size_t i = 0; i < run->part_count; i++) {
		const struct fathom_compared_part *part = &run->parts[i];
		add_name(layout, part->name);
		layout_take_cell(layout, VALUE_COLUMNS, true,
				 value_text(part->baseline, part->quantity));
		layout_take_cell(layout, VALUE_COLUMNS, true,
				 value_text(part->value, part->quantity));
		layout_take_cell(layout, SPEEDUP_COLUMNS, true,
				 isfinite(part->speedup) ? text_format("%.3f", part->speedup)
							 : text_format("-"));
		bool clock = part->quantity == FATHOM_QUANTITY_HZ;
		layout_take_cell(layout, RANGE_COLUMNS, true,
				 clock ? text_format("%s", "") : range_text(layout, part));
		bool differs = part->verdict == FATHOM_FASTER || part->verdict == FATHOM_SLOWER;
		text_add(layout->text, "  ");
		layout_mark(layout, fathom_verdict_name((int)part->verdict), differs);
		layout_end_line(layout);
	}
	layout_end_part(layout);
}

/* ---- the sentences ---- */

/* Of times how much longer they are, of rates how much lower. */
static double slower_percent(const struct fathom_compared_part *part, double speedup)
{
	bool rate = part->quantity == FATHOM_QUANTITY_HZ ||
		    part->quantity == FATHOM_QUANTITY_BYTES_PER_SECOND;
	return 100 * (rate ? 1 - speedup : 1 / speedup - 1);
}

static void tell_difference(const struct fathom_compared_part *part, struct text *line)
{
	bool slower = part->verdict == FATHOM_SLOWER;
	double percent = slower ? slower_percent(part, part->speedup) : 100 * (part->speedup - 1);
	text_add(line, " is %.3g %% %s", percent, slower ? "slower" : "faster");
	if (part->quantity == FATHOM_QUANTITY_HZ)
		return;
	double near =
		slower ? slower_percent(part, part->speedup_high) : 100 * (part->speedup_low - 1);
	double far =
		slower ? slower_percent(part, part->speedup_low) : 100 * (part->speedup_high - 1);
	text_add(line, " (95 %%: %.3g to %.3g %%)", near, far);
}

static void tell_visible(const struct fathom_compared_part *part, struct text *line)
{
	if (part->visible < MOST_PERCENT)
		text_add(line, " under %.2g %% would go unseen", 100 * part->visible);
	else
		text_add(line, " under a factor of %.2g would go unseen", 1 + part->visible);
}

static void tell_unknown(const struct fathom_compared_part *part, struct text *line)
{
	bool few = isnan(part->probability);
	if (isfinite(part->visible) && part->visible < MOST_VISIBLE) {
		text_add(line, few ? ": too few sizes to tell; a difference"
				   : ": no difference is seen, but one");
		tell_visible(part, line);
		text_add(line, few ? " anyway" : "");
	} else if (part->quantity == FATHOM_QUANTITY_HZ) {
		text_add(line, " moved as far in one of the runs as it differs between them");
	} else {
		text_add(line, ": it cannot be told");
	}
}

static void add_sentence(const struct layout *layout, const struct fathom_compared_part *part)
{
	struct text line = {0};
	bool differs = part->verdict == FATHOM_FASTER || part->verdict == FATHOM_SLOWER;
	layout_outside(layout, &line, part->name);
	if (differs)
		tell_difference(part, &line);
	else if (part->verdict == FATHOM_SAME)
		text_add(&line, " is the same");
	else
		tell_unknown(part, &line);
	text_add(&line, "; ");
	layout_outside(layout, &line, part->evidence);
	layout_item(layout, differs ? "! " : "  ", differs, &line);
}

static void add_sentences(const struct layout *layout, const struct fathom_compared_run *run)
{
	size_t same = 0, left_out = 0;
	for (size_t i = 0; i < run->part_count; i++) {
		const struct fathom_compared_part *part = &run->parts[i];
		bool differs = part->verdict == FATHOM_FASTER || part->verdict == FATHOM_SLOWER;
		same += !differs;
		if (differs || run->part_count <= MOST_SENTENCES || layout->every_point)
			add_sentence(layout, part);
		else
			left_out++;
	}
	struct text line = {0};
	if (left_out) {
		text_add(&line,
			 "%zu of %zu are not seen to differ; --all says of each what it rests on",
			 same, run->part_count);
		layout_item(layout, "  ", false, &line);
	}
}

static bool in_cycles(const struct fathom_compared_run *run)
{
	for (size_t i = 0; i < run->part_count; i++)
		if (run->parts[i].quantity == FATHOM_QUANTITY_CYCLES)
			return true;
	return false;
}

static void add_notes(const struct layout *layout, const struct fathom_comparison *comparison)
{
	struct text line = {0};
	bool cycles = false;
	for (size_t i = 0; i < comparison->run_count; i++)
		cycles |= in_cycles(&comparison->runs[i]);
	if (comparison->unit == FATHOM_UNIT_AUTO && cycles) {
		text_add(&line, "Caches that answer within 30 cycles follow the core clock and are "
				"compared in cycles; the clock has a line of its own. --unit ns "
				"compares time.");
		layout_item(layout, "  ", false, &line);
	}
	text_add(&line,
		 "A difference counts from %.3g %% on, and where chance would show one somewhere "
		 "in less than one comparison of 20 (Holm).",
		 100 * comparison->threshold);
	layout_item(layout, "  ", false, &line);
}

static void add_title(const struct layout *layout, const struct fathom_comparison *comparison,
		      const struct fathom_compared_run *run)
{
	struct text line = {0};
	layout_outside(layout, &line, run->name);
	text_add(&line, " against ");
	for (size_t i = 0; i < comparison->baseline_count; i++) {
		text_add(&line, "%s", i ? ", " : "");
		layout_outside(layout, &line, comparison->baselines[i]);
	}
	layout_item(layout, "", false, &line);
	text_add(layout->text, "\n");
}

int text_write_comparison(const struct fathom_comparison *comparison,
			  const struct fathom_style *style, struct text *text,
			  struct fathom_error *error)
{
	struct layout layout = layout_make(text, style);
	for (size_t i = 0; i < comparison->run_count; i++) {
		const struct fathom_compared_run *run = &comparison->runs[i];
		if (i)
			layout_end_part(&layout);
		add_title(&layout, comparison, run);
		add_plot(&layout, run);
		add_table(&layout, run);
		add_sentences(&layout, run);
	}
	layout_end_part(&layout);
	add_notes(&layout, comparison);
	if (comparison->warnings.count) {
		layout_end_part(&layout);
		layout_warnings(&layout, &comparison->warnings);
	}
	return text->failed ? error_no_memory(error) : 0;
}
