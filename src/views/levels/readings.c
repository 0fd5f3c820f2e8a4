/* Other ways to read latencies off a curve, beside the levels. */
#include <math.h>
#include <stdio.h>

#include "views/levels/levels.h"
#include "views/points.h"
#include "views/rounding.h"

#define MIB      0x1p20
#define THOUSAND 1e3 /* M accesses/s times ns; accesses per 1000 cycles times cycles */

/* The readings of one curve. */
struct readings {
	const struct fathom_result *result;
	const struct fathom_reading *items;
	size_t count;
	size_t curve;
	size_t latency_count; /* the most that one has */
};

/* For the which-th level that readings speak of. */
static void add_column(struct view *view, const struct readings *readings, size_t which)
{
	char number[32];
	size_t seen = 0;
	for (size_t i = 0; i < readings->result->level_count; i++) {
		const struct fathom_level *level = &readings->result->levels[i];
		if (level->curve != readings->curve || !levels_is_read(level))
			continue;
		if (seen++ == which) {
			view_column(view, COLUMN(view_known(level->name)));
			return;
		}
	}
	for (size_t i = 0; i < readings->count; i++) /* of the same levels in another order */
		if (which < readings->items[i].deduction_count) {
			view_column(view,
				    COLUMN(view_known(readings->items[i].deductions[which].level)));
			return;
		}
	snprintf(number, sizeof(number), "level %zu", which + 1);
	view_column(view, COLUMN(number));
}

static void add_row(struct view *view, const struct readings *readings,
		    const struct fathom_reading *reading)
{
	view_row(view);
	view_name(view, "%s", view_known(reading->name));
	for (size_t i = 0; i < readings->latency_count; i++)
		view_number(view, i < reading->latency_count ? reading->latency[i] : NAN);
	view_rounded(view, rounding_percent(reading->residual));
	view_row_words(view, reading->text);
}

static void add_readings(struct view *view, struct readings *readings)
{
	const struct fathom_curve *curve = &readings->result->curves[readings->curve];
	for (size_t i = 0; i < readings->count; i++)
		if (readings->items[i].latency_count > readings->latency_count)
			readings->latency_count = readings->items[i].latency_count;
	VIEW_TABLE(view, COLUMN(points_count(curve, FATHOM_Y_NS) ? "reading, in ns"
								 : "reading, in cycles"));
	for (size_t i = 0; i < readings->latency_count; i++)
		add_column(view, readings, i);
	view_column(view, COLUMN("RMS error"));
	for (size_t i = 0; i < readings->count; i++)
		add_row(view, readings, &readings->items[i]);
	view_say(view, VIEW_NOTE,
		 "an error is a model's deviation from a point, or from an estimate of its mean "
		 "where its interval is wide");
}

/* ---- the theory: the formula, its deduction, its hyperbolas ---- */

/* Of one reading; all have two levels at least. */
struct theory {
	const struct fathom_deduction *rows;
	size_t count;
	bool ns;       /* else cycles */
	bool relative; /* to the first level: there is no inverse */
	double most;   /* that any size takes */
};

static void add_time(struct text *line, const struct theory *theory, double time)
{
	text_add(line, "%s %s", rounding_number(time).text, theory->ns ? "ns" : "cycles");
}

static struct rounded size_of(const struct fathom_deduction *row)
{
	return rounding_size((uint64_t)llround(row->size_bytes));
}

/* "(1 MiB - 32 KiB) \u00d7 4 ns" */
static void add_term(struct text *line, const struct theory *theory, size_t which)
{
	const struct fathom_deduction *row = &theory->rows[which];
	text_add(line, "%s%s", which ? " + (" : "",
		 isfinite(row->size_bytes) ? size_of(row).text : "N");
	if (which)
		text_add(line, " - %s)", size_of(row - 1).text);
	text_add(line, " \u00d7 ");
	add_time(line, theory, row->latency);
}

/* Only where the deduction came to its end there are numbers for all that is in it. */
static void add_formula(struct view *view, const struct theory *theory)
{
	struct text line = {0};
	view_say(view, VIEW_NOTE,
		 "E[L] = (s1 l1 + (s2 - s1) l2 + ... + (N - sk) l_last) / N holds for independent "
		 "accesses: if each of N bytes is equally likely to be the next, a cache of s "
		 "bytes serves the share s / N");
	if (!isfinite(theory->rows[theory->count - 1].latency))
		return;
	text_add(&line, "with the latencies of the share model: E[L] = (");
	for (size_t i = 0; i < theory->count; i++)
		add_term(&line, theory, i);
	text_add(&line, ") / N");
	view_take(view, VIEW_NOTE, &line);
}

static void add_share(struct view *view, double share)
{
	view_quantity(view, "%s", isfinite(share) ? rounding_percent(share).text : "-");
}

static void add_deduction(struct view *view, const struct fathom_deduction *row, bool hits)
{
	view_row(view);
	view_name(view, "%s", row->level ? row->level : "-");
	view_size(view, row->size_bytes);
	view_size(view, row->at_bytes);
	view_number(view, row->expected);
	view_number(view, row->before);
	add_share(view, row->share);
	view_number(view, row->latency_there);
	view_number(view, row->latency);
	view_count(view, row->size_count ? (double)row->size_count : NAN);
	if (hits)
		add_share(view, row->hits_at_twice);
}

/* Of memory at the largest size: what no cache explains is more than l. */
static void add_below(struct view *view, const struct theory *theory)
{
	const struct fathom_deduction *last = &theory->rows[theory->count - 1];
	struct text line = {0};
	if (!(last->latency < last->expected))
		return;
	text_add(&line, "l of %s lies below E[L] at N, ", view_known(last->level));
	add_time(&line, theory, last->expected);
	text_add(&line, ": something that the formula does not know, such as page walks, still "
			"rises there, or other sizes were disturbed");
	view_take(view, VIEW_NOTE, &line);
}

/* At N without end the formula gives l, which no size may have reached: of memory as far as the
 * last cache still answers at these sizes. */
static void add_beyond(struct view *view, const struct theory *theory)
{
	for (size_t i = 0; i < theory->count; i++) {
		const struct fathom_deduction *row = &theory->rows[i];
		if (!(row->latency > theory->most))
			continue;
		struct text line = {0};
		text_add(&line, "l of %s lies above all that was measured, at most ",
			 view_known(row->level));
		add_time(&line, theory, theory->most);
		text_add(&line,
			 ": it is extrapolated, by the share s / N of accesses that still hit the "
			 "level before; where fewer do, just past it, l comes out too large");
		view_take(view, VIEW_NOTE, &line);
	}
}

static void add_deductions(struct view *view, const struct theory *theory)
{
	const char *unit = theory->ns ? "ns" : "cycles";
	bool hits = false;
	for (size_t i = 0; i < theory->count; i++)
		hits |= isfinite(theory->rows[i].hits_at_twice);
	view_gap(view);
	view_say(view, VIEW_PLAIN, "The deduction, level by level: l = (E[L] - before) / share");
	VIEW_TABLE(view, COLUMN("level"), COLUMN("size s"), COLUMN("N"),
		   COLUMN("E[L]", .unit = unit), COLUMN("before", .unit = unit), COLUMN("share"),
		   COLUMN("l at N", .unit = unit), COLUMN("l", .unit = unit),
		   COLUMN("sizes", .rank = 2));
	if (hits)
		view_column(view, COLUMN("hits", .unit = "at 2 s", .rank = 1));
	for (size_t i = 0; i < theory->count; i++)
		add_deduction(view, &theory->rows[i], hits);
	view_say(view, VIEW_NOTE,
		 "E[L]: the latency at N, or where its interval is wide an estimate of the mean; "
		 "before: part of E[L] that the levels before take, the sum of s l / N; share: "
		 "accesses left to this level; l: least squares over all sizes of the level%s",
		 hits ? "; hits: computed for twice the size of the cache, of independent accesses "
			"half, else by its replacement; reading in order under LRU hits nothing "
			"there"
		      : "; hits at 2 s are not given: order and replacement allow several "
			"laws");
	add_beyond(view, theory);
	add_below(view, theory);
}

/* 1 / E[L] = 1 / (k (N - x0)) + y0 of E[L] = l - C / N: y0 = 1 / l, x0 = C / l, k = l l / C. */
static void add_hyperbola(struct view *view, const struct theory *theory, size_t which)
{
	const struct fathom_deduction *row = &theory->rows[which];
	double l = row->last, c = row->constant / MIB;
	bool inverse = !theory->relative;
	view_row(view);
	view_name(view, "%s", row->level ? row->level : "-");
	view_number(view, l);
	view_number(view, c);
	view_size(view, c > 0 ? row->constant / l : NAN);
	view_number(view, inverse ? THOUSAND / l : NAN);
	view_quantity(view, "%s",
		      rounding_small(inverse && c > 0 ? l * l / (THOUSAND * c) : NAN).text);
	add_share(view, row->residual);
}

static void add_hyperbolas(struct view *view, const struct theory *theory)
{
	view_gap(view);
	view_say(view, VIEW_PLAIN,
		 "One hyperbola for each level: E[L] = l - C / N, so accesses per second are 1 / "
		 "E[L] = 1 / (k (N - x0)) + y0");
	VIEW_TABLE(view, COLUMN("level"), COLUMN("l", .unit = theory->ns ? "ns" : "cycles"),
		   COLUMN("C", .unit = theory->ns ? "MiB\u00b7ns" : "MiB\u00b7cycles"),
		   COLUMN("x0 = C/l"), COLUMN("y0 = 1/l", .unit = theory->ns ? "M/s" : "per 1000"),
		   COLUMN("k = l\u00b7l/C"), COLUMN("RMS error", .rank = 1));
	for (size_t i = 1; i < theory->count; i++)
		add_hyperbola(view, theory, i);
	view_say(view, VIEW_NOTE,
		 "for the sizes that fit in this level but not in the one before; %s",
		 theory->ns ? "M/s: million accesses per second; k in 1 / (MiB \u00d7 M/s)"
			    : "per 1000: accesses in 1000 cycles; k in 1 / (MiB \u00d7 accesses "
			      "per 1000 cycles)");
}

double readings_hyperbola(const struct fathom_result *result, size_t curve, double size_bytes,
			  size_t *which)
{
	for (size_t i = 0; i < result->reading_count; i++) {
		const struct fathom_reading *reading = &result->readings[i];
		size_t at = 0;
		if (reading->curve != curve || !reading->deduction_count)
			continue;
		while (at < reading->deduction_count &&
		       size_bytes > reading->deductions[at].size_bytes)
			at++;
		*which = at;
		return at < reading->deduction_count
			       ? reading->deductions[at].last -
					 reading->deductions[at].constant / size_bytes
			       : NAN;
	}
	return NAN;
}

/* An E[L] may be above the points of its size (the mean of what is wide): one number for both. */
static double most_of(const struct fathom_curve *curve, const struct fathom_reading *reading,
		      enum fathom_y y)
{
	double most = 0;
	for (size_t i = 0; i < reading->deduction_count; i++)
		most = fmax(most, reading->deductions[i].expected);
	for (size_t i = 0; i < curve->point_count; i++)
		most = fmax(most, points_value(&curve->points[i], y).value);
	return most;
}

static void add_theory(struct view *view, const struct readings *readings)
{
	const struct fathom_curve *curve = &readings->result->curves[readings->curve];
	for (size_t i = 0; i < readings->count; i++) {
		const struct fathom_reading *reading = &readings->items[i];
		bool ns = points_count(curve, FATHOM_Y_NS) > 0;
		const struct theory theory = {
			reading->deductions, reading->deduction_count, ns, curve->relative_to_l1,
			most_of(curve, reading, ns ? FATHOM_Y_NS : FATHOM_Y_CYCLES)};
		if (theory.count < 2)
			continue;
		view_gap(view);
		add_formula(view, &theory);
		add_deductions(view, &theory);
		add_hyperbolas(view, &theory);
	}
}

void readings_view(struct view *view, const struct fathom_result *result)
{
	for (size_t i = 0, end; i < result->reading_count; i = end) {
		size_t curve = result->readings[i].curve;
		for (end = i; end < result->reading_count && result->readings[end].curve == curve;)
			end++;
		if (curve >= result->curve_count)
			continue;
		struct readings readings = {.result = result,
					    .items = &result->readings[i],
					    .count = end - i,
					    .curve = curve};
		view_part(view, "readings", "Textbook readings of the curve");
		view_gap(view);
		if (readings.count < result->reading_count)
			levels_curve(view, result, curve);
		add_readings(view, &readings);
		add_theory(view, &readings);
		levels_cliffs(view, result, &result->curves[curve]);
	}
}
