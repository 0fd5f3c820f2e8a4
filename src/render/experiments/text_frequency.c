#include "render/experiments/text_frequency.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/names.h"
#include "render/text/plot.h"

#define PLOT_ROWS         14
#define PLOT_MOST_COLUMNS 100
#define NAME_COLUMNS      7
#define SIZES_COLUMNS     12
#define VALUE_COLUMNS     6
#define SPREAD_COLUMNS    7
#define TIME_COLUMNS      9
#define SPEEDUP_COLUMNS   8
#define OCTAVE_TOLERANCE  0.05  /* a size is that of an octave, as log2 */
#define LEAST_SHOWN       0.005 /* what would read -0.00 */
#define HARDLY_TOLD       0.1   /* an interval's width, of the latency at the slowest clock */
#define MARK              "~ "

/* Is the clock of the slowest run known in Hz? Then there are cycles. */
static bool has_cycles(const struct fathom_result *result)
{
	return isfinite(result->clocks[0].hz);
}

static const struct fathom_clock *fastest(const struct fathom_result *result)
{
	return &result->clocks[result->clock_count - 1];
}

/* "2 GHz"; without Hz "1x" the slowest clock. */
static char *clock_name(const struct fathom_clock *clock)
{
	return isfinite(clock->hz) ? text_format("%.3g GHz", clock->hz * 1e-9)
				   : text_format("%.3gx", clock->relative);
}

/* ---- the clocks ---- */

static void add_clock(const struct layout *layout, const struct fathom_clock *clock)
{
	struct text line = {0};
	char *name = clock_name(clock), *label = text_format("run %zu", clock->curve + 1);
	text_add(&line, "%s", name ? name : "");
	if (clock->relative > 1)
		text_add(&line, ", %.4g times the slowest", clock->relative);
	if (clock->relative_high > clock->relative_low)
		text_add(&line, " (%.4g to %.4g)", clock->relative_low, clock->relative_high);
	text_add(&line, "; %s", clock_source_name((int)clock->source));
	line.failed |= !name || !label;
	layout_fact(layout, label ? label : "", &line);
	free(name);
	free(label);
}

/* ---- the picture ---- */

static size_t count_sizes(const struct fathom_result *result)
{
	size_t count = 0;
	for (size_t i = 0; i < result->clock_law_count; i++)
		count += !result->clock_laws[i].level;
	return count;
}

static void add_plot(const struct layout *layout, const struct fathom_result *result)
{
	size_t count = count_sizes(result), at = 0;
	double *x = calloc(3 * count + 1, sizeof(*x));
	if (!x) {
		layout->text->failed = true;
		return;
	}
	double *speedups = x + count, *expected = speedups + count;
	for (size_t i = 0; i < result->clock_law_count; i++) {
		const struct fathom_clock_law *law = &result->clock_laws[i];
		if (law->level)
			continue;
		x[at] = (double)law->from_bytes;
		speedups[at] = law->speedup;
		expected[at++] = fastest(result)->relative;
	}
	const struct plot_series series[] = {{x, speedups, count}, {x, expected, count}};
	const struct plot plot = {
		.columns =
			layout->columns < PLOT_MOST_COLUMNS ? layout->columns : PLOT_MOST_COLUMNS,
		.rows = PLOT_ROWS,
		.utf8 = layout->utf8,
		.title = "speed-up",
		.series = series,
		.series_count = 2,
	};
	struct text line = {0};
	if (plot_draw(&plot, layout->text)) {
		text_add(&line, "%s from the slowest clock to the fastest, %s as the clock is",
			 plot_glyph(layout->utf8, 0), plot_glyph(layout->utf8, 1));
		layout_item(layout, "", false, &line);
		text_add(layout->text, "\n");
	}
	free(x);
}

/* ---- the table ---- */

static char *number_cell(double value)
{
	double shown = fabs(value) < LEAST_SHOWN ? 0 : value;
	int decimals = fabs(value) < 9.995 ? 2 : fabs(value) < 99.95 ? 1 : 0;
	return isfinite(value) ? text_format("%.*f", decimals, shown) : text_format("-");
}

/* The wider side of the interval. */
static char *spread_cell(const struct layout *layout, double value, double low, double high)
{
	double half = fmax(value - low, high - value);
	int decimals = fabs(value) < 9.995 ? 2 : fabs(value) < 99.95 ? 1 : 0;
	return isfinite(half) ? text_format(" %s%.*f", layout_plus_minus(layout), decimals, half)
			      : text_format("%s", "");
}

static void add_value(const struct layout *layout, unsigned columns, double value, double low,
		      double high)
{
	layout_take_cell(layout, columns, true, number_cell(value));
	layout_take_cell(layout, SPREAD_COLUMNS, false, spread_cell(layout, value, low, high));
}

static char *sizes_cell(const struct layout *layout, const struct fathom_clock_law *law)
{
	char from[UNITS_TEXT_BYTES], to[UNITS_TEXT_BYTES];
	layout_size(law->from_bytes, true, from);
	layout_size(law->to_bytes, true, to);
	if (law->from_bytes == law->to_bytes)
		return text_format("%s", from);
	return text_format("%s%s%s", from, layout->utf8 ? "\u2013" : "-", to);
}

static bool is_wide(double value, double low, double high, double slow_ns)
{
	return high - low > fmax(fabs(value), HARDLY_TOLD * slow_ns);
}

/* A part of nearly nothing has an interval wider than itself, however well it is known: that of an
 * L1 outside of the core. */
static bool is_hardly_told(const struct fathom_clock_law *law)
{
	return is_wide(law->core_ns, law->core_low_ns, law->core_high_ns, law->slow_ns) ||
	       is_wide(law->outside_ns, law->outside_low_ns, law->outside_high_ns, law->slow_ns);
}

static void add_row(const struct layout *layout, const struct fathom_result *result,
		    const struct fathom_clock_law *law)
{
	struct text name = {0};
	text_add(layout->text, is_hardly_told(law) ? MARK : "  ");
	if (law->level)
		layout_outside(layout, &name, law->level);
	layout_take_cell(layout, NAME_COLUMNS, false, text_take(&name));
	layout_take_cell(layout, SIZES_COLUMNS, false, sizes_cell(layout, law));
	if (has_cycles(result))
		add_value(layout, VALUE_COLUMNS, law->core_cycles, law->core_low_cycles,
			  law->core_high_cycles);
	else
		add_value(layout, VALUE_COLUMNS, law->core_ns, law->core_low_ns, law->core_high_ns);
	add_value(layout, VALUE_COLUMNS, law->outside_ns, law->outside_low_ns,
		  law->outside_high_ns);
	layout_take_cell(layout, TIME_COLUMNS, true, number_cell(law->slow_ns));
	layout_take_cell(layout, TIME_COLUMNS, true, number_cell(law->fast_ns));
	add_value(layout, SPEEDUP_COLUMNS, law->speedup, law->speedup_low, law->speedup_high);
	layout_end_line(layout);
}

static void add_heading(const struct layout *layout, const struct fathom_result *result,
			const char *first)
{
	text_add(layout->text, "  ");
	layout_cell(layout, NAME_COLUMNS, false, first);
	layout_cell(layout, SIZES_COLUMNS, false, *first ? "sizes" : "size");
	layout_cell(layout, VALUE_COLUMNS, true, has_cycles(result) ? "cycles" : "core ns");
	layout_cell(layout, SPREAD_COLUMNS, false, "");
	layout_cell(layout, VALUE_COLUMNS, true, "+ ns");
	layout_cell(layout, SPREAD_COLUMNS, false, "");
	layout_take_cell(layout, TIME_COLUMNS, true, clock_name(&result->clocks[0]));
	layout_take_cell(layout, TIME_COLUMNS, true, clock_name(fastest(result)));
	layout_cell(layout, SPEEDUP_COLUMNS, true, "speedup");
	layout_end_line(layout);
}

/* Nearer to a power of two than any other can be, with eight sizes an octave. */
static bool is_octave(const struct fathom_clock_law *law)
{
	double octaves = log2((double)law->from_bytes);
	return fabs(octaves - round(octaves)) < OCTAVE_TOLERANCE;
}

static bool is_shown(const struct layout *layout, const struct fathom_clock_law *law)
{
	return law->level || layout->every_point || is_octave(law);
}

static void add_legend(const struct layout *layout, const struct fathom_result *result)
{
	struct text line = {0};
	bool marked = false;
	for (size_t i = 0; i < result->clock_law_count; i++)
		marked |= is_shown(layout, &result->clock_laws[i]) &&
			  is_hardly_told(&result->clock_laws[i]);
	if (!marked)
		return;
	text_add(&line,
		 "a part is hardly told: its interval is wider than itself, and than a tenth "
		 "of the latency");
	layout_item(layout, MARK, false, &line);
	layout_end_part(layout);
}

static void add_rows(const struct layout *layout, const struct fathom_result *result, bool levels)
{
	bool any = false;
	for (size_t i = 0; i < result->clock_law_count; i++) {
		const struct fathom_clock_law *law = &result->clock_laws[i];
		if (!is_shown(layout, law) || levels != (law->level != NULL))
			continue;
		if (!any)
			add_heading(layout, result, levels ? "level" : "");
		any = true;
		add_row(layout, result, law);
	}
	if (any)
		layout_end_part(layout);
}

/* ---- in words ---- */

static const struct fathom_clock_law *law_of_memory(const struct fathom_result *result)
{
	const struct fathom_clock_law *found = NULL;
	for (size_t i = 0; i < result->clock_law_count; i++)
		if (result->clock_laws[i].level &&
		    strcmp(result->clock_laws[i].level, "memory") == 0)
			found = &result->clock_laws[i];
	return found;
}

/* Whole numbers: what would read -0 is 0. */
static double whole(double value)
{
	return round(value) == 0 ? 0 : round(value);
}

/* "61 cycles (57 to 65)" */
static void add_part(struct text *line, const char *unit, double value, double low, double high)
{
	text_add(line, "%.0f %s", whole(value), unit);
	if (high > low)
		text_add(line, " (%.0f to %.0f)", whole(low), whole(high));
}

/* Nothing takes less than no time: then the two parts are not what they seem. */
static bool is_impossible(double value, double high)
{
	return isfinite(high) ? high < 0 : value < 0;
}

static void add_sentence(const struct layout *layout, const struct fathom_result *result)
{
	const struct fathom_clock_law *memory = law_of_memory(result);
	struct text line = {0};
	if (!memory || is_impossible(memory->core_ns, memory->core_high_ns) ||
	    is_impossible(memory->outside_ns, memory->outside_high_ns))
		return;
	bool cycles = has_cycles(result);
	text_add(&line, cycles ? "a memory access here spends " : "of a memory access here ");
	if (cycles)
		add_part(&line, "cycles", memory->core_cycles, memory->core_low_cycles,
			 memory->core_high_cycles);
	else
		add_part(&line, "ns", memory->core_ns, memory->core_low_ns, memory->core_high_ns);
	text_add(&line, cycles ? " in the core's caches before it leaves, and "
			       : " at the slowest clock follow the core's clock, and ");
	add_part(&line, "ns", memory->outside_ns, memory->outside_low_ns, memory->outside_high_ns);
	text_add(&line, cycles ? " outside" : " do not");
	layout_item(layout, "  ", false, &line);
}

void text_frequency(const struct layout *layout, const struct fathom_result *result)
{
	for (size_t i = 0; i < result->clock_count; i++)
		add_clock(layout, &result->clocks[i]);
	layout_end_part(layout);
	add_plot(layout, result);
	add_rows(layout, result, true);
	add_rows(layout, result, false);
	add_legend(layout, result);
	add_sentence(layout, result);
}
