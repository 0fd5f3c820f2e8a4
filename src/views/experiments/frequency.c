/* What follows the core's clock. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/names.h"
#include "views/experiments/experiments.h"
#include "views/figure.h"
#include "views/rounding.h"

#define PLOT_ROWS        14
#define OCTAVE_TOLERANCE 0.05 /* a size is that of an octave, as log2 */
#define WIDE_SHARE       0.1  /* an interval's width, of the latency at the slowest clock */

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
static struct rounded clock_name(const struct fathom_clock *clock)
{
	struct rounded name;
	bool known = isfinite(clock->hz);
	snprintf(name.text, sizeof(name.text), known ? "%.20s GHz" : "%.20sx",
		 rounding_number(known ? clock->hz * 1e-9 : clock->relative).text);
	return name;
}

/* ---- the clocks ---- */

static void add_clock(struct view *view, const struct fathom_clock *clock)
{
	struct text line = {0};
	char label[32];
	snprintf(label, sizeof(label), "run %zu", clock->curve + 1);
	text_add(&line, "%s", clock_name(clock).text);
	if (clock->relative > 1)
		text_add(&line, ", %s times the slowest", rounding_number(clock->relative).text);
	if (clock->relative_high > clock->relative_low)
		text_add(&line, " (%s)", rounding_interval(ESTIMATE(clock, relative, )).text);
	text_add(&line, "; %s",
		 clock->source == FATHOM_CLOCK_USER ? "given by the user"
						    : clock_source_name((int)clock->source));
	view_take_fact(view, label, &line);
}

/* ---- the picture ---- */

static void add_plot(struct view *view, const struct fathom_result *result)
{
	figure_add(view, result,
		   (struct figure_wish){.kind = FIGURE_COMPARISON, .rows = PLOT_ROWS});
	view_gap(view);
}

/* ---- the table ---- */

static bool is_wide(double value, double low, double high, double slow_ns)
{
	return high - low > fmax(fabs(value), WIDE_SHARE * slow_ns);
}

/* A part of nearly nothing has an interval wider than itself, however well it is known: that of an
 * L1 outside of the core. */
static bool is_poorly_determined(const struct fathom_clock_law *law)
{
	return is_wide(law->core_ns, law->core_low_ns, law->core_high_ns, law->slow_ns) ||
	       is_wide(law->outside_ns, law->outside_low_ns, law->outside_high_ns, law->slow_ns);
}

static struct estimate core_of(const struct fathom_result *result,
			       const struct fathom_clock_law *law)
{
	if (has_cycles(result))
		return ESTIMATE(law, core, _cycles);
	return ESTIMATE(law, core, _ns);
}

static bool has_interval(struct estimate estimate)
{
	return !isfinite(estimate.value) || isfinite(estimate.high - estimate.low);
}

static void add_part_of(struct view *view, struct estimate part)
{
	view_difference(view, part);
	view_mark(view, has_interval(part) ? 0 : '?');
}

static void add_sizes(struct view *view, const struct fathom_clock_law *law)
{
	if (law->from_bytes == law->to_bytes)
		view_rounded(view, rounding_brief_size(law->from_bytes));
	else
		view_quantity(view, "%s\u2013%s", rounding_brief_size(law->from_bytes).text,
			      rounding_brief_size(law->to_bytes).text);
}

static void add_row(struct view *view, const struct fathom_result *result,
		    const struct fathom_clock_law *law)
{
	view_row(view);
	view_row_mark(view, is_poorly_determined(law) ? '~' : 0);
	if (law->level)
		view_name(view, "%s", law->level);
	add_sizes(view, law);
	add_part_of(view, core_of(result, law));
	add_part_of(view, ESTIMATE(law, outside, _ns));
	view_number(view, law->slow_ns);
	view_number(view, law->fast_ns);
	view_difference(view, ESTIMATE(law, speedup, ));
}

static void add_columns(struct view *view, const struct fathom_result *result, bool levels)
{
	view_table(view);
	if (levels)
		view_column(view, COLUMN("level"));
	VIEW_COLUMNS(view, COLUMN(levels ? "sizes" : "size"),
		     COLUMN(has_cycles(result) ? "cycles" : "core ns"), COLUMN("+ ns"),
		     COLUMN(clock_name(&result->clocks[0]).text, .rank = 1),
		     COLUMN(clock_name(fastest(result)).text, .rank = 1),
		     COLUMN("speed-up", .spread_rank = 2));
}

/* Nearer to a power of two than any other can be, with eight sizes an octave. */
static bool is_octave(const struct fathom_clock_law *law)
{
	double octaves = log2((double)law->from_bytes);
	return fabs(octaves - round(octaves)) < OCTAVE_TOLERANCE;
}

static bool is_shown(const struct view *view, const struct fathom_clock_law *law)
{
	return law->level || view->every_point || is_octave(law);
}

static void add_legend(struct view *view, const struct fathom_result *result)
{
	bool marked = false, without = false;
	for (size_t i = 0; i < result->clock_law_count; i++) {
		const struct fathom_clock_law *law = &result->clock_laws[i];
		marked |= is_shown(view, law) && is_poorly_determined(law);
		without |= is_shown(view, law) && !(has_interval(core_of(result, law)) &&
						    has_interval(ESTIMATE(law, outside, _ns)));
	}
	if (without)
		view_say(view, VIEW_NOTE, "? too few blocks for an interval");
	if (!marked)
		return;
	view_say(view, VIEW_LEGEND,
		 "poorly determined: the interval of that part is wider than the part and than a "
		 "tenth of the latency");
	view_gap(view);
}

static void add_rows(struct view *view, const struct fathom_result *result, bool levels)
{
	bool any = false;
	for (size_t i = 0; i < result->clock_law_count; i++) {
		const struct fathom_clock_law *law = &result->clock_laws[i];
		if (!is_shown(view, law) || levels != (law->level != NULL))
			continue;
		if (!any)
			add_columns(view, result, levels);
		any = true;
		add_row(view, result, law);
	}
	if (any)
		view_gap(view);
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

/* "61.0 cycles (57.1 to 65.3)" */
static void add_part(struct text *line, const char *unit, double value, double low, double high)
{
	text_add(line, "%s %s", rounding_number(value).text, unit);
	if (high > low)
		text_add(line, " (%s)",
			 rounding_difference_interval((struct estimate){value, low, high}).text);
}

/* Nothing takes less than no time: then the two parts are not what they seem. */
static bool is_impossible(double value, double high)
{
	return isfinite(high) ? high < 0 : value < 0;
}

static void add_sentence(struct view *view, const struct fathom_result *result)
{
	const struct fathom_clock_law *memory = law_of_memory(result);
	struct text line = {0};
	if (!memory || is_impossible(memory->core_ns, memory->core_high_ns) ||
	    is_impossible(memory->outside_ns, memory->outside_high_ns))
		return;
	bool cycles = has_cycles(result);
	text_add(&line, "of a memory access here, ");
	if (cycles)
		add_part(&line, "cycles", memory->core_cycles, memory->core_low_cycles,
			 memory->core_high_cycles);
	else
		add_part(&line, "ns", memory->core_ns, memory->core_low_ns, memory->core_high_ns);
	text_add(&line, "%s follow the core clock (caches, and page walks through them), and ",
		 cycles ? "" : " at the slowest clock");
	add_part(&line, "ns", memory->outside_ns, memory->outside_low_ns, memory->outside_high_ns);
	text_add(&line, " do not");
	view_take(view, VIEW_NOTE, &line);
}

void frequency_view(struct view *view, const struct fathom_result *result)
{
	view_part(view, "frequency", "Core clock");
	for (size_t i = 0; i < result->clock_count; i++)
		add_clock(view, &result->clocks[i]);
	view_gap(view);
	add_plot(view, result);
	add_rows(view, result, true);
	add_legend(view, result);
	add_sentence(view, result);
	view_gap(view);
	view_part(view, "clock-sizes", "Core clock, by size");
	add_rows(view, result, false);
}
