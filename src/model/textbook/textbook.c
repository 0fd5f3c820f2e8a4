#include "model/textbook/textbook.h"

#include <math.h>
#include <stdlib.h>

#include "base/error.h"
#include "base/units.h"
#include "document/table.h"
#include "model/textbook/reader.h"
#include "model/textbook/share_model.h"

/* ---- the fitted levels ---- */

static void add_steps(const struct reader *reader, struct text *text)
{
	const struct fitted *fitted = &reader->fitted;
	char number[UNITS_TEXT_BYTES];
	size_t unknown = fitted->step_count - fitted->translation_count;
	if (fitted->translation_count)
		text_add(text, " %zu step%s of translation", fitted->translation_count,
			 fitted->translation_count > 1 ? "s" : "");
	if (fitted->translation_count && unknown)
		text_add(text, " and");
	if (unknown)
		text_add(text, " %zu unknown step%s", unknown, unknown > 1 ? "s" : "");
	if (fitted->step_count == 0)
		return;
	text_add(text, " %s added to them", fitted->step_count > 1 ? "are" : "is");
	if (fitted->translation_count)
		text_add(text,
			 " (what translation takes without a step of its own%s is in the "
			 "latencies)",
			 fitted->walk_count ? "" : ", as most walks do,");
	double bytes = fitted->data.count ? exp(fitted->data.ln_size[fitted->data.count - 1]) : NAN;
	if (isfinite(fitted_value(fitted, bytes)) && !fitted->curve->relative_to_l1) {
		text_add(text, ": with %s the curve comes to %s %s at ",
			 fitted->step_count > 1 ? "these" : "it",
			 units_format_number(fitted_value(fitted, bytes), number),
			 reader_unit(reader));
		reader_add_size(text, bytes);
		text_add(text, ", where some accesses may still hit a cache");
	}
	text_add(text, "; the readings below are of the curve with %s, inside their l.",
		 fitted->step_count > 1 ? "these" : "it");
}

static int read_fitted(struct reader *reader)
{
	const struct fitted *fitted = &reader->fitted;
	struct deviation found = fitted_deviation(fitted, 0, INFINITY, fitted_value, fitted);
	struct text text = {0};
	text_add(&text, "The curve that the levels in the table imply, each with the hit law of "
			"its replacement policy.");
	add_steps(reader, &text);
	if (fitted->curve->relative_to_l1)
		text_add(&text, " All values are differences from the first level.");
	struct fathom_reading *reading =
		reader_append(reader, "fitted levels", found.residual, text_take(&text));
	if (!reading)
		return -1;
	reader_set_latencies(reader, fitted->levels, fitted->last, reading);
	return reader_set_values(reader, 0, fitted_value, fitted, reading) ? 0 : -1;
}

/* ---- the share model ---- */

static double share_value(const void *context, double size_bytes)
{
	const struct shares *shares = context;
	return stack_latency(shares->levels, shares->count, shares->last, size_bytes);
}

static bool several_nodes_a_line(const struct reader *reader)
{
	uint64_t node_bytes = reader->fitted.curve->points[0].spec.node_bytes;
	return node_bytes && node_bytes < reader->fitted.line_bytes;
}

/* Whether it should hold follows from the order, whether it does from the residual. */
static const char *verdict(const struct reader *reader, bool holds)
{
	enum fathom_pattern pattern = reader->fitted.curve->points[0].spec.pattern;
	if (pattern != FATHOM_INDEPENDENT && several_nodes_a_line(reader))
		return holds ? "It holds: several nodes share a line, so most accesses hit a line "
			       "that an earlier one fetched."
			     : "It should nearly hold, because several nodes share a line, but it "
			       "does not fit this curve.";
	switch (pattern) {
	case FATHOM_INDEPENDENT:
		return holds ? "It holds: it assumes independent accesses, and each of these is "
			       "drawn anew."
			     : "It should hold, because each access is drawn anew, but something "
			       "else raises this curve: address translation, neighbours that take "
			       "a part of a cache, or pages that fill its sets unevenly.";
	case FATHOM_RANDOM_CYCLE:
	case FATHOM_RANDOM_LAPS:
		return holds ? "It fits this curve although it assumes independent accesses and "
			       "the order is a cycle: the cache keeps a part of the cycle, or too "
			       "few sizes lie near the cliffs."
			     : "It does not hold here, because it assumes independent accesses: of "
			       "a cycle larger than itself, a cache keeps less than the share that "
			       "fits.";
	default:
		return holds ? "It fits this curve, whose access order is not known: the accesses "
			       "are independent, or several nodes share a line."
			     : "It does not fit this curve, whose access order is not known: most "
			       "likely a fixed cycle, for which it is not made.";
	}
}

/* The first plateau that no size speaks of ends the deduction. */
static void add_missing(const struct reader *reader, const struct shares *shares, struct text *text)
{
	size_t known = 0;
	while (known < shares->count && isfinite(shares->levels[known].latency))
		known++;
	if (known < shares->count)
		text_add(text,
			 "It gives no latency from %s on, because no measured size lies between "
			 "that level and the one before.",
			 reader->fitted.sources[known]->name);
	else
		text_add(text, "It gives no latency beyond %s: no larger size was measured.",
			 reader->fitted.sources[known - 1]->name);
}

static int read_shares(struct reader *reader, struct shares *shares)
{
	share_model_deduce(&reader->fitted.data, shares->levels, shares->count, &shares->last);
	struct deviation found =
		fitted_deviation(&reader->fitted, 0, INFINITY, share_value, shares);
	struct text text = {0};
	if (isfinite(shares->last)) {
		text_add(&text, "%s", verdict(reader, reader_holds(found.residual)));
		reader_add_worst(&text, &found);
	} else {
		found.residual = NAN;
		add_missing(reader, shares, &text);
	}
	struct fathom_reading *reading =
		reader_append(reader, "textbook share model", found.residual, text_take(&text));
	if (!reading)
		return -1;
	reader_set_latencies(reader, shares->levels, shares->last, reading);
	if (!reader_set_deductions(reader, shares, reading))
		return -1;
	if (!isfinite(shares->last))
		return 0;
	return reader_set_values(reader, 0, share_value, shares, reading) ? 0 : -1;
}

/* Of a form for the sizes beyond a level, which the curve follows there or not. */
static void add_holds(const struct deviation *found, struct text *text)
{
	if (!isfinite(found->residual))
		return;
	text_add(text, reader_holds(found->residual)
			       ? " It holds over these sizes."
			       : " It does not hold here: it assumes that a fixed number of bytes "
				 "hits, and that all misses cost the same.");
	reader_add_worst(text, found);
}

/* ---- the last two levels alone ---- */

/* E[L] = l - s (l - l') / N, where all that fits in s takes l': the chapter has it as a comment. */
static int read_last_two(struct reader *reader, const struct shares *shares)
{
	const struct fitted *fitted = &reader->fitted;
	size_t before = shares->count - 1;
	struct stack_level level = shares->levels[before];
	double last = share_model_last_two(&fitted->data, level.reach_bytes, level.latency);
	struct shares two = {&level, 1, last};
	struct deviation found = {.residual = NAN};
	struct text text = {0};
	if (isfinite(last)) {
		found = fitted_deviation(fitted, level.reach_bytes, INFINITY, share_value, &two);
		text_add(&text, "The latency is l - s (l - l') / N over the sizes beyond %s (s, ",
			 fitted->sources[before]->name);
		reader_add_size(&text, level.reach_bytes);
		text_add(&text, ") if each hit takes its latency l': C = s (l - l') is ");
		reader_add_constant(reader, share_model_constant(&level, 1, last), &text);
		text_add(&text, ".");
		add_holds(&found, &text);
	} else {
		text_add(&text, "It needs a size beyond %s and the latency of that level.",
			 fitted->sources[before]->name);
	}
	struct fathom_reading *reading =
		reader_append(reader, "last two levels alone", found.residual, text_take(&text));
	if (!reading)
		return -1;
	if (!isfinite(last))
		return 0;
	reading->latency[before] = level.latency;
	if (reading->latency_count > shares->count)
		reading->latency[shares->count] = last;
	return reader_set_values(reader, level.reach_bytes, share_value, &two, reading) ? 0 : -1;
}

/* ---- its hyperbola ---- */

/* C / l is where the hyperbola of the throughput has its pole: a size. */
static void add_constant(const struct reader *reader, const struct shares *shares,
			 const struct share_hyperbola *hyperbola, struct text *text)
{
	double constant = share_model_constant(shares->levels, shares->count, shares->last);
	text_add(text,
		 "The latency is l - C / N over the %zu sizes beyond %s, and the RMS error is that "
		 "over these sizes: C is ",
		 hyperbola->size_count, reader->fitted.sources[shares->count - 1]->name);
	reader_add_constant(reader, hyperbola->constant, text);
	if (hyperbola->constant > 0) {
		text_add(text, ", like a single cache of ");
		reader_add_size(text, hyperbola->constant / hyperbola->last);
		text_add(text, " (C / l) whose hits take no time");
	}
	text_add(text, ".");
	if (constant < 0) {
		text_add(text, " The latencies of the share model fall from level to level, so "
			       "they give no C.");
	} else if (isfinite(constant)) {
		text_add(text, " The latencies of the share model give ");
		reader_add_constant(reader, constant, text);
		if (fabs(hyperbola->constant - constant) > 0.1 * constant)
			text_add(text, ": %s accesses hit than if all that fits were hit",
				 hyperbola->constant < constant ? "fewer" : "more");
		text_add(text, ".");
	}
}

/* C is a sum of what misses add, so that a curve which falls beyond the last reach has none. */
static int read_hyperbola(struct reader *reader, const struct shares *shares)
{
	const struct fitted *fitted = &reader->fitted;
	const char *name = fitted->sources[fitted->count - 1]->name;
	double reach_bytes = fitted->levels[fitted->count - 1].reach_bytes;
	struct share_hyperbola hyperbola;
	struct deviation found = {.residual = NAN};
	struct text text = {0};
	bool enough = share_model_hyperbola(&fitted->data, reach_bytes, INFINITY, &hyperbola);
	bool fits = enough && hyperbola.constant >= 0;
	if (fits) {
		found = fitted_deviation(fitted, reach_bytes, INFINITY, share_hyperbola_value,
					 &hyperbola);
		add_constant(reader, shares, &hyperbola, &text);
		add_holds(&found, &text);
	} else if (enough) {
		text_add(&text,
			 "The form l - C / N does not fit: the curve does not rise over the %zu "
			 "sizes beyond %s, so C, the sum of what misses add, would be negative.",
			 hyperbola.size_count, name);
	} else {
		text_add(&text, "It needs three sizes beyond %s; there %s %zu.", name,
			 hyperbola.size_count == 1 ? "is" : "are", hyperbola.size_count);
	}
	struct fathom_reading *reading =
		reader_append(reader, "one-term hyperbola", found.residual, text_take(&text));
	if (!reading)
		return -1;
	if (fits && reading->latency_count > fitted->count)
		reading->latency[fitted->count] = hyperbola.last;
	if (!fits)
		return 0;
	return reader_set_values(reader, reach_bytes, share_hyperbola_value, &hyperbola, reading)
		       ? 0
		       : -1;
}

/* ---- all of a curve ---- */

static int read_textbook(struct reader *reader)
{
	const struct fitted *fitted = &reader->fitted;
	struct shares shares = {.levels = calloc(fitted->count + 1, sizeof(*shares.levels)),
				.count = fitted->count};
	int status = -1;
	for (size_t i = 0; shares.levels && i < shares.count; i++)
		shares.levels[i] = share_model_level(fitted->levels[i].reach_bytes);
	if (shares.levels)
		status = read_shares(reader, &shares) || read_last_two(reader, &shares) ||
					 read_hyperbola(reader, &shares) ||
					 reader_add_cliffs(reader)
				 ? -1
				 : 0;
	free(shares.levels);
	return status;
}

/* Where nothing ends, the textbook has nothing to say. */
static int read_curve(struct reader *reader, struct fathom_error *error)
{
	if (fitted_make(reader->result, reader->curve, &reader->fitted, error))
		return -1;
	int status = 0;
	if (reader->fitted.level_count)
		status = read_fitted(reader);
	if (!status && reader->fitted.count)
		status = read_textbook(reader);
	fitted_free(&reader->fitted);
	return status ? error_no_memory(error) : 0;
}

int textbook_explain(struct fathom_result *result, struct fathom_error *error)
{
	struct reader reader = {.result = result};
	for (; reader.curve < result->curve_count; reader.curve++) {
		const struct fathom_curve *curve = &result->curves[reader.curve];
		if (curve->axis == FATHOM_AXIS_SIZE && curve->experiment == FATHOM_LATENCY &&
		    curve->point_count && read_curve(&reader, error)) {
			table_free_items(&reading_table, reader.readings, reader.reading_count);
			return -1;
		}
	}
	table_free_items(&reading_table, result->readings, result->reading_count);
	result->readings = reader.readings;
	result->reading_count = reader.reading_count;
	return 0;
}
