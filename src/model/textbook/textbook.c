#include "model/textbook/textbook.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/text.h"
#include "base/units.h"
#include "document/table.h"
#include "model/textbook/fitted.h"
#include "model/textbook/share_model.h"

#define HOLDS_RESIDUAL 0.05 /* what noise and the reaches' errors leave of a curve that follows */
#define ROUNDED        1e-9 /* a share that is nothing but rounding */

/* What is being read. */
struct reader {
	struct fathom_result *result;
	size_t curve;
	struct fitted fitted;
	struct fathom_reading *readings;
	size_t reading_count;
};

struct shares {
	struct stack_level *levels;
	size_t count;
	double last;
};

/* Takes the text over, also when it fails. The latencies are still to be set. NULL: no memory. */
static struct fathom_reading *append(struct reader *reader, const char *name, double residual,
				     char *text)
{
	size_t count = reader->fitted.read_count;
	struct fathom_reading made = {
		.name = strdup(name),
		.curve = reader->curve,
		.latency = calloc(count + 1, sizeof(double)),
		.latency_count = count,
		.residual = residual,
		.text = text,
	};
	struct fathom_reading *grown = NULL;
	if (made.name && made.latency && text)
		grown = realloc(reader->readings, (reader->reading_count + 1) * sizeof(*grown));
	if (!grown) {
		free(made.name);
		free(made.latency);
		free(text);
		return NULL;
	}
	for (size_t i = 0; i < count; i++)
		made.latency[i] = NAN;
	reader->readings = grown;
	reader->readings[reader->reading_count] = made;
	return &reader->readings[reader->reading_count++];
}

/* Of a stack of the fitted levels' reaches; a plateau at the end that is neither cache nor memory
 * has no place among them. */
static void set_latencies(const struct reader *reader, const struct stack_level *levels,
			  double last, struct fathom_reading *reading)
{
	size_t count = reader->fitted.count;
	for (size_t i = 0; i < count; i++)
		reading->latency[i] = levels[i].latency;
	if (reading->latency_count > count)
		reading->latency[count] = last;
}

/* In the order of the points. False: no memory. */
static bool set_values(const struct reader *reader, double from_bytes,
		       double (*model)(const void *context, double size_bytes), const void *context,
		       struct fathom_reading *reading)
{
	const struct fathom_curve *curve = reader->fitted.curve;
	double *values = malloc((curve->point_count + 1) * sizeof(*values));
	if (!values)
		return false;
	for (size_t i = 0; i < curve->point_count; i++) {
		double size_bytes = (double)curve->points[i].spec.size_bytes;
		values[i] = size_bytes > from_bytes ? model(context, size_bytes) : NAN;
	}
	reading->values = values;
	reading->value_count = curve->point_count;
	return true;
}

static const char *unit_of(const struct reader *reader)
{
	return reader->fitted.data.cycles ? "cycles" : "ns";
}

static void add_size(struct text *text, double bytes)
{
	char size[UNITS_TEXT_BYTES];
	text_add(text, "%s", units_format_size((uint64_t)llround(bytes), size));
}

static void add_percent(struct text *text, double share)
{
	if (fabs(share) < 0.0005)
		share = 0; /* not "-0.0 %" */
	text_add(text, "%+.*f %%", fabs(share) < 0.0995 ? 1 : 0, 100 * share);
}

static void add_worst(struct text *text, const struct deviation *found)
{
	text_add(text, " At worst it is off by ");
	add_percent(text, found->worst);
	text_add(text, ", at ");
	add_size(text, found->worst_bytes);
	text_add(text, ".");
}

/* ---- the fitted levels ---- */

static double fitted_model(const void *context, double size_bytes)
{
	return fitted_value(context, size_bytes);
}

static void add_steps(const struct fitted *fitted, struct text *text)
{
	size_t unknown = fitted->step_count - fitted->translation_count;
	if (fitted->translation_count)
		text_add(text, " %zu step%s of translation", fitted->translation_count,
			 fitted->translation_count > 1 ? "s" : "");
	if (fitted->translation_count && unknown)
		text_add(text, " and");
	if (unknown)
		text_add(text, " %zu unknown step%s", unknown, unknown > 1 ? "s" : "");
	if (fitted->step_count)
		text_add(text, fitted->step_count > 1 ? " are on top of them; the readings below"
							" know nothing of these."
						      : " is on top of them; the readings below "
							"know nothing of it.");
}

static int read_fitted(struct reader *reader)
{
	const struct fitted *fitted = &reader->fitted;
	struct deviation found = fitted_deviation(fitted, 0, fitted_model, fitted);
	struct text text = {0};
	text_add(&text, "What the levels of the table make of the curve, each with the law of hits "
			"that its replacement has.");
	add_steps(fitted, &text);
	if (fitted->curve->relative_to_l1)
		text_add(&text, " All values are over that of the first level.");
	struct fathom_reading *reading =
		append(reader, "fitted levels", found.residual, text_take(&text));
	if (!reading)
		return -1;
	set_latencies(reader, fitted->levels, fitted->last, reading);
	return set_values(reader, 0, fitted_model, fitted, reading) ? 0 : -1;
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
	if (several_nodes_a_line(reader))
		return holds ? "It holds: several nodes share a line, so that most accesses hit "
			       "what another brought."
			     : "Several nodes share a line, for which it is nearly right, but it "
			       "does not follow this curve.";
	switch (reader->fitted.curve->points[0].spec.pattern) {
	case FATHOM_INDEPENDENT:
		return holds ? "It holds: it is made for accesses that are independent, as these "
			       "are."
			     : "It is made for independent accesses, as these are, but something "
			       "else adds to this curve: translation, or pages that crowd sets.";
	case FATHOM_RANDOM_CYCLE:
	case FATHOM_RANDOM_LAPS:
		return holds ? "It follows this curve, though it is made for independent accesses "
			       "and the order is a cycle: a part of the cycle is kept, or too few "
			       "sizes lie near the cliffs."
			     : "It is made for independent accesses and does not hold here: of a "
			       "cycle that is longer than it, a cache keeps less than the share "
			       "that fits.";
	default:
		return holds ? "It follows this curve, whose order is not known: independent "
			       "accesses, or several nodes in a line."
			     : "It does not follow this curve, whose order is not known: a fixed "
			       "cycle, most likely, which is not what it is made for.";
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
			 "It ends before %s: no size lies between that and what comes before.",
			 reader->fitted.sources[known]->name);
	else
		text_add(text, "It knows no latency beyond %s: no size is larger.",
			 reader->fitted.sources[known - 1]->name);
}

static int read_shares(struct reader *reader, struct shares *shares)
{
	share_model_deduce(&reader->fitted.data, shares->levels, shares->count, &shares->last);
	struct deviation found = fitted_deviation(&reader->fitted, 0, share_value, shares);
	struct text text = {0};
	if (isfinite(shares->last)) {
		text_add(&text, "%s", verdict(reader, found.residual <= HOLDS_RESIDUAL));
		add_worst(&text, &found);
	} else {
		found.residual = NAN;
		add_missing(reader, shares, &text);
	}
	struct fathom_reading *reading =
		append(reader, "textbook share model", found.residual, text_take(&text));
	if (!reading)
		return -1;
	set_latencies(reader, shares->levels, shares->last, reading);
	if (!isfinite(shares->last))
		return 0;
	return set_values(reader, 0, share_value, shares, reading) ? 0 : -1;
}

/* ---- its hyperbola ---- */

static double hyperbola_value(const void *context, double size_bytes)
{
	const struct share_hyperbola *hyperbola = context;
	return hyperbola->last - hyperbola->k / size_bytes;
}

static void add_k(const struct reader *reader, const struct shares *shares,
		  const struct share_hyperbola *hyperbola, struct text *text)
{
	double k = share_model_k(shares->levels, shares->count, shares->last);
	text_add(text,
		 "l - K / size over the %zu sizes beyond %s, to which the residual belongs: K is "
		 "%.4g %s x bytes.",
		 hyperbola->size_count, reader->fitted.sources[shares->count - 1]->name,
		 hyperbola->k, unit_of(reader));
	if (k < 0)
		text_add(text, " The share model's own latencies fall from level to level, and "
			       "there is no such K.");
	else if (isfinite(k))
		text_add(text, " The share model's own latencies make it %.4g%s.", k,
			 fabs(hyperbola->k - k) > 0.1 * k
				 ? ", so that shares of the bytes are not what hits"
				 : "");
}

/* K is a sum of what misses add, so that a curve which falls beyond the last reach has none. */
static int read_hyperbola(struct reader *reader, const struct shares *shares)
{
	const struct fitted *fitted = &reader->fitted;
	const char *name = fitted->sources[fitted->count - 1]->name;
	double reach_bytes = fitted->levels[fitted->count - 1].reach_bytes;
	struct share_hyperbola hyperbola;
	struct deviation found = {.residual = NAN};
	struct text text = {0};
	bool enough = share_model_hyperbola(&fitted->data, reach_bytes, &hyperbola);
	if (enough && fabs(hyperbola.k) <= ROUNDED * reach_bytes * hyperbola.last)
		hyperbola.k = 0; /* flat */
	bool fits = enough && hyperbola.k >= 0;
	if (fits) {
		found = fitted_deviation(fitted, reach_bytes, hyperbola_value, &hyperbola);
		add_k(reader, shares, &hyperbola, &text);
	} else if (enough) {
		text_add(&text,
			 "l - K / size does not hold: over the %zu sizes beyond %s the curve does "
			 "not rise, so that K would be negative, which the sum of what misses add "
			 "cannot be.",
			 hyperbola.size_count, name);
	} else {
		text_add(&text, "It needs three sizes beyond %s, and there %s %zu.", name,
			 hyperbola.size_count == 1 ? "is" : "are", hyperbola.size_count);
	}
	struct fathom_reading *reading =
		append(reader, "one-term hyperbola", found.residual, text_take(&text));
	if (!reading)
		return -1;
	if (fits && reading->latency_count > fitted->count)
		reading->latency[fitted->count] = hyperbola.last;
	if (!fits)
		return 0;
	return set_values(reader, reach_bytes, hyperbola_value, &hyperbola, reading) ? 0 : -1;
}

/* ---- the value before the cliff ---- */

/* At the largest size that surely fits, and lies beyond the reach before; data.count: none. */
static size_t point_before(const struct fitted *fitted, size_t which)
{
	const struct curve_data *data = &fitted->data;
	const struct fathom_level *level = fitted->sources[which];
	double low = isfinite(level->size_low_bytes) ? level->size_low_bytes : level->size_bytes;
	double before = which ? fitted->levels[which - 1].reach_bytes : 0;
	size_t found = data->count;
	for (size_t i = 0; i < data->count; i++) {
		double bytes = exp(data->ln_size[i]);
		if (bytes > before && bytes <= low * (1 + 1e-9))
			found = i;
	}
	return found;
}

/* "L2 +1.2 % at 1.8 MiB". Over the first level a share of next to nothing would mean nothing. */
static void add_cliff(const struct reader *reader, size_t which, size_t point, struct text *text)
{
	const struct fitted *fitted = &reader->fitted;
	double fit = fitted->levels[which].latency;
	text_add(text, "%s %s ", which ? "," : "", fitted->sources[which]->name);
	if (point == fitted->data.count) {
		text_add(text, "none");
		return;
	}
	if (fitted->curve->relative_to_l1)
		text_add(text, "%+.2g %s", fitted->data.value[point] - fit, unit_of(reader));
	else
		add_percent(text, fitted->data.value[point] / fit - 1);
	text_add(text, " at ");
	add_size(text, exp(fitted->data.ln_size[point]));
}

static int read_cliffs(struct reader *reader)
{
	const struct fitted *fitted = &reader->fitted;
	struct text text = {0};
	text_add(&text, "The point at the largest size that still fits, and its distance from the "
			"fitted latency:");
	for (size_t i = 0; i < fitted->count; i++)
		add_cliff(reader, i, point_before(fitted, i), &text);
	text_add(&text, ". What of it is misses or translation, a single point does not tell.");
	struct fathom_reading *reading =
		append(reader, "value right before the cliff", NAN, text_take(&text));
	if (!reading)
		return -1;
	for (size_t i = 0; i < fitted->count; i++) {
		size_t point = point_before(fitted, i);
		if (point < fitted->data.count)
			reading->latency[i] = fitted->data.value[point];
	}
	return 0;
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
		status = read_shares(reader, &shares) || read_hyperbola(reader, &shares) ||
					 read_cliffs(reader)
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
