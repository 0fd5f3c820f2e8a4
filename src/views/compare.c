/* A comparison for people: the speed-up along the sizes, a table, and a sentence a verdict. */
#include <math.h>
#include <string.h>

#include "views/figure.h"
#include "views/rounding.h"
#include "views/views.h"

#define PLOT_ROWS      14
#define MOST_SENTENCES 8    /* of parts that are the same, or have no verdict */
#define MOST_BOUND     1.25 /* of what would have been seen: more says nothing of it */
#define MOST_NAMED     3
#define MOST_PERCENT   0.5
#define MOST_VISIBLE   1000.0 /* a factor of more says nothing */

static bool differs(const struct fathom_compared_part *part)
{
	return part->verdict == FATHOM_FASTER || part->verdict == FATHOM_SLOWER;
}

/* ---- what they were measured under ---- */

static void add_condition_value(struct view *view, const struct fathom_compared_condition *one,
				double value)
{
	if (!isfinite(value))
		view_quantity(view, "-");
	else if (strcmp(one->unit, "bytes") == 0)
		view_size(view, value);
	else
		view_rounded(view, rounding_percent(value));
}

static void add_conditions(struct view *view, const struct fathom_compared_run *run)
{
	if (run->condition_count == 0)
		return;
	VIEW_TABLE(view, COLUMN("conditions"), COLUMN("baseline"), COLUMN("this run"),
		   COLUMN(NULL));
	for (size_t i = 0; i < run->condition_count; i++) {
		const struct fathom_compared_condition *one = &run->conditions[i];
		view_row(view);
		view_name(view, "%s", one->name);
		add_condition_value(view, one, one->baseline);
		add_condition_value(view, one, one->value);
		view_name(view, "%s", one->disturbs ? "disturbed" : "");
		view_attention(view, one->disturbs);
	}
	view_gap(view);
}

/* ---- all in one line ---- */

/* "L2 1.07 ±0.01 times as slow" */
static void add_change(struct text *line, const struct fathom_compared_part *part)
{
	bool slower = part->verdict == FATHOM_SLOWER;
	double times = slower ? 1 / part->speedup : part->speedup;
	double low = slower ? 1 / part->speedup_high : part->speedup_low;
	double high = slower ? 1 / part->speedup_low : part->speedup_high;
	text_add(line, "%s%s %s", line->length ? ", " : "", part->name, rounding_ratio(times).text);
	if (part->quantity != FATHOM_QUANTITY_HZ && isfinite(high - low))
		text_add(line, " \u00b1%s", rounding_ratio((high - low) / 2).text);
	text_add(line, " times as %s", slower ? "slow" : "fast");
}

/* The least difference of what shows none that would have been found; `unseen`: how many parts show
 * nothing at all. The clock has no such bound. */
static double find_unseen(const struct fathom_compared_run *run, double threshold, size_t *unseen)
{
	double most = NAN;
	for (size_t i = 0; i < run->part_count; i++) {
		const struct fathom_compared_part *part = &run->parts[i];
		if (part->verdict == FATHOM_SAME)
			most = fmax(most, threshold);
		else if (part->verdict != FATHOM_VERDICT_UNKNOWN ||
			 part->quantity == FATHOM_QUANTITY_HZ)
			continue;
		else if (part->visible < MOST_BOUND - 1)
			most = fmax(most, part->visible);
		else
			++*unseen;
	}
	return most;
}

/* "L2 and 3 more cannot be told: disturbed". Where levels of the baseline are not in the run, no
 * part is named after them. */
static void add_disturbed(struct text *line, const struct fathom_compared_run *run)
{
	size_t count = 0;
	for (size_t i = 0; i < run->part_count; i++) {
		const struct fathom_compared_part *part = &run->parts[i];
		if (part->verdict != FATHOM_DISTURBED)
			continue;
		if (count++ < MOST_NAMED)
			text_add(line, "%s%s", count > 1 ? "; " : "", view_known(part->name));
	}
	if (count > MOST_NAMED)
		text_add(line, " and %zu more", count - MOST_NAMED);
	text_add(line, "%scannot be told: disturbed", count ? " " : "");
}

static void add_summary(struct view *view, const struct fathom_comparison *comparison,
			const struct fathom_compared_run *run)
{
	struct text line = {0};
	size_t unseen = 0;
	double most = find_unseen(run, comparison->threshold, &unseen);
	if (run->disturbed)
		add_disturbed(&line, run);
	for (size_t i = 0; i < run->part_count; i++)
		if (differs(&run->parts[i]))
			add_change(&line, &run->parts[i]);
	if (isfinite(most))
		text_add(&line, "%sno difference%s above %s", line.length ? "; " : "",
			 line.length ? " elsewhere" : "", rounding_percent(most).text);
	if (unseen)
		text_add(&line, "%s%zu of %zu cannot be told", line.length ? "; " : "", unseen,
			 run->part_count);
	if (line.length)
		view_take(view,
			  run->disturbed || run->slower || run->faster ? VIEW_ATTENTION
								       : VIEW_PLAIN,
			  &line);
	view_gap(view);
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

static void add_value(struct view *view, double value, enum fathom_quantity quantity)
{
	struct shown_unit unit = unit_of(quantity);
	view_number(view, value * unit.times);
	view_after(view, " ");
	view_after(view, unit.name);
}

static void add_row(struct view *view, const struct fathom_compared_part *part)
{
	view_row(view);
	view_name(view, "%s", view_known(part->name));
	add_value(view, part->baseline, part->quantity);
	add_value(view, part->value, part->quantity);
	view_rounded(view, rounding_ratio(part->speedup));
	if (part->quantity == FATHOM_QUANTITY_HZ)
		view_empty(view);
	else if (isfinite(part->speedup_low) && isfinite(part->speedup_high))
		view_quantity(view, "%s\u2013%s", rounding_ratio(part->speedup_low).text,
			      rounding_ratio(part->speedup_high).text);
	else
		view_quantity(view, "-");
	view_name(view, "%s", fathom_verdict_name((int)part->verdict));
	view_attention(view, differs(part));
}

static void add_table(struct view *view, const struct fathom_compared_run *run)
{
	VIEW_TABLE(view, COLUMN(NULL), COLUMN("baseline"), COLUMN("this run"), COLUMN("speed-up"),
		   COLUMN("95 %", .rank = 1), COLUMN(NULL));
	for (size_t i = 0; i < run->part_count; i++)
		add_row(view, &run->parts[i]);
	view_gap(view);
}

/* ---- the sentences ---- */

/* Of times how much longer they are, of rates how much lower. */
static double slower_by(const struct fathom_compared_part *part, double speedup)
{
	bool rate = part->quantity == FATHOM_QUANTITY_HZ ||
		    part->quantity == FATHOM_QUANTITY_BYTES_PER_SECOND;
	return rate ? 1 - speedup : 1 / speedup - 1;
}

static void add_difference(const struct fathom_compared_part *part, struct text *line)
{
	bool slower = part->verdict == FATHOM_SLOWER;
	double share = slower ? slower_by(part, part->speedup) : part->speedup - 1;
	text_add(line, " is %s %% %s", rounding_number(100 * share).text,
		 slower ? "slower" : "faster");
	if (part->quantity == FATHOM_QUANTITY_HZ)
		return;
	double near = slower ? slower_by(part, part->speedup_high) : part->speedup_low - 1;
	double far = slower ? slower_by(part, part->speedup_low) : part->speedup_high - 1;
	text_add(line, " (95 %%: %s to %s %%)", rounding_number(100 * near).text,
		 rounding_number(100 * far).text);
}

static void add_visible(const struct fathom_compared_part *part, struct text *line)
{
	if (part->visible < MOST_PERCENT)
		text_add(line, " below %s would not be detected",
			 rounding_percent(part->visible).text);
	else
		text_add(line, " below a factor of %s would not be detected",
			 rounding_about(1 + part->visible).text);
}

static void add_unknown(const struct fathom_compared_part *part, struct text *line)
{
	bool few = isnan(part->probability);
	if (isfinite(part->visible) && part->visible < MOST_VISIBLE) {
		text_add(line, few ? ": too few sizes for a verdict; a difference"
				   : ": no difference found, but one");
		add_visible(part, line);
		text_add(line, few ? " anyway" : "");
	} else if (part->quantity == FATHOM_QUANTITY_HZ) {
		text_add(line, " varied as much within one of the runs as it differs between them");
	} else {
		text_add(line, ": no verdict");
	}
}

static void add_sentence(struct view *view, const struct fathom_compared_part *part)
{
	struct text line = {0};
	bool different = differs(part);
	text_add(&line, "%s", view_known(part->name));
	if (different)
		add_difference(part, &line);
	else if (part->verdict == FATHOM_SAME)
		text_add(&line, " is the same");
	else if (part->verdict == FATHOM_DISTURBED)
		text_add(&line, " cannot be told: disturbed");
	else
		add_unknown(part, &line);
	text_add(&line, "; %s", view_known(part->evidence));
	view_take(view, different ? VIEW_ATTENTION : VIEW_NOTE, &line);
}

static void add_sentences(struct view *view, const struct fathom_compared_run *run)
{
	size_t same = 0, left_out = 0;
	for (size_t i = 0; i < run->part_count; i++) {
		const struct fathom_compared_part *part = &run->parts[i];
		same += !differs(part);
		if (differs(part) || run->part_count <= MOST_SENTENCES || view->every_point)
			add_sentence(view, part);
		else
			left_out++;
	}
	if (left_out) {
		view_say(view, VIEW_NOTE,
			 "no difference found in %zu of %zu; --all shows the evidence for each",
			 same, run->part_count);
	}
}

static bool in_cycles(const struct fathom_compared_run *run)
{
	for (size_t i = 0; i < run->part_count; i++)
		if (run->parts[i].quantity == FATHOM_QUANTITY_CYCLES)
			return true;
	return false;
}

static void add_notes(struct view *view, const struct fathom_comparison *comparison)
{
	struct text line = {0};
	bool cycles = false, levels = false;
	for (size_t i = 0; i < comparison->run_count; i++) {
		cycles |= in_cycles(&comparison->runs[i]);
		levels |= comparison->runs[i].point_count > comparison->runs[i].part_count;
	}
	if (levels)
		view_say(
			view, VIEW_NOTE,
			"Sizes well inside a level are judged, not those where a cache ends: there "
			"runs of one machine differ as well.");
	if (comparison->unit == FATHOM_UNIT_AUTO && cycles) {
		text_add(&line, "Caches that respond within 30 cycles follow the core clock and "
				"are compared in cycles; the clock has its own line. Use --unit ns "
				"to compare times.");
		view_take(view, VIEW_NOTE, &line);
	}
	text_add(&line,
		 "A difference counts if it is at least %s and chance alone would show one "
		 "anywhere in fewer than 1 of 20 comparisons (Holm).",
		 rounding_percent(comparison->threshold).text);
	view_take(view, VIEW_NOTE, &line);
}

static void add_title(struct view *view, const struct fathom_comparison *comparison,
		      const struct fathom_compared_run *run)
{
	struct text line = {0};
	text_add(&line, "%s against ", view_known(run->name));
	for (size_t i = 0; i < comparison->baseline_count; i++) {
		text_add(&line, "%s%s", i ? ", " : "", view_known(comparison->baselines[i]));
	}
	view_take(view, VIEW_PLAIN, &line);
	view_gap(view);
}

void view_comparison(struct view *view, const struct fathom_comparison *comparison)
{
	for (size_t i = 0; i < comparison->run_count; i++) {
		const struct fathom_compared_run *run = &comparison->runs[i];
		view_part(view, "verdicts", run->name);
		if (i)
			view_gap(view);
		add_title(view, comparison, run);
		add_conditions(view, run);
		add_summary(view, comparison, run);
		figure_add_run_compared(view, comparison, i, PLOT_ROWS);
		add_table(view, run);
		add_sentences(view, run);
	}
	view_gap(view);
	add_notes(view, comparison);
	if (comparison->warnings.count) {
		view_part(view, "warnings", "Warnings");
		view_gap(view);
		view_warnings(view, &comparison->warnings);
	}
}
