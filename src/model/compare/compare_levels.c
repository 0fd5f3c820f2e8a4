#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/stats.h"
#include "base/text.h"
#include "document/table.h"
#include "model/compare/compare_judge.h"
#include "model/compare/compare_parts.h"
#include "model/compare/compare_points.h"
#include "model/compare/compare_reach.h"
#include "model/compare/compare_scatter.h"
#include "model/compare/compare_value.h"
#include "model/inside.h"

#define CORE_CYCLES 30 /* what answers sooner runs at the core's clock: no farther cache does */
#define NORMAL_95   1.96

int compare_add_part(struct fathom_compared_run *run, struct fathom_compared_part *part,
		     struct fathom_error *error)
{
	struct fathom_compared_part *parts = NULL;
	if (part->name && part->evidence)
		parts = realloc(run->parts, (run->part_count + 1) * sizeof(*parts));
	if (!parts) {
		free(part->name);
		free(part->evidence);
		return error_no_memory(error);
	}
	run->parts = parts;
	parts[run->part_count++] = *part;
	return 0;
}

/* One level of the reference, and how it is read off all runs. */
struct reading {
	const struct compare_set *set;
	const struct compare_match *match;
	size_t reference;
	const struct fathom_level *level;
	enum fathom_quantity quantity;
	size_t *rows; /* inside it */
	size_t row_count;
	double *scratch; /* for the spreads of all rows, or the blocks of a point */
	size_t lacking;  /* runs without such a level */
	struct compare_sample sample;
	struct compare_scatter scatter; /* of all levels where no run tells intervals */
};

static const struct fathom_result *result_of(const struct reading *reading, size_t run)
{
	return compare_set_run(reading->set, run)->result;
}

/* The level of another run that has sizes in common with it, or else is called so. */
static const struct fathom_level *find_like(const struct reading *reading, size_t run)
{
	const struct fathom_result *result = result_of(reading, run);
	const struct fathom_level *level = reading->level, *found = NULL;
	double low, high;
	if (inside_range(result_of(reading, reading->reference), level, &low, &high))
		found = compare_find_level(result, low, high, level->kind);
	for (size_t i = 0; !found && i < result->level_count; i++)
		if (result->levels[i].name && strcmp(result->levels[i].name, level->name) == 0)
			found = &result->levels[i];
	return found;
}

/* Narrows the range to the sizes inside it in all runs that have it. */
static void narrow_range(struct reading *reading, double *low_bytes, double *high_bytes)
{
	for (size_t i = 0; i < reading->match->runs; i++) {
		double low, high;
		const struct fathom_level *other = compare_find_level(
			result_of(reading, i), *low_bytes, *high_bytes, reading->level->kind);
		if (!other || !inside_range(result_of(reading, i), other, &low, &high)) {
			reading->lacking++;
			continue;
		}
		*low_bytes = fmax(*low_bytes, low);
		*high_bytes = fmin(*high_bytes, high);
	}
}

static void add_rows(struct reading *reading, double low_bytes, double high_bytes)
{
	const struct fathom_result *result = result_of(reading, reading->reference);
	for (size_t row = 0; row < reading->match->count; row++) {
		const struct fathom_point *point =
			reading->match->points[row * reading->match->runs + reading->reference];
		double bytes = (double)point->spec.size_bytes;
		if (compare_is_of_curve(result, reading->level->curve, point) &&
		    bytes >= low_bytes && bytes <= high_bytes)
			reading->rows[reading->row_count++] = row;
	}
}

/* A fit can put a step elsewhere while the curve is the same: where the runs have no size of the
 * level in common, those of the reference are taken. */
static void find_rows(struct reading *reading)
{
	double low_bytes, high_bytes;
	const struct fathom_result *result = result_of(reading, reading->reference);
	if (!inside_range(result, reading->level, &low_bytes, &high_bytes))
		return;
	double own_low_bytes = low_bytes, own_high_bytes = high_bytes;
	narrow_range(reading, &low_bytes, &high_bytes);
	add_rows(reading, low_bytes, high_bytes);
	if (reading->row_count == 0)
		add_rows(reading, own_low_bytes, own_high_bytes);
}

static void keep_known(struct reading *reading)
{
	size_t kept = 0;
	for (size_t i = 0; i < reading->row_count; i++)
		if (compare_row_known(reading->match, reading->rows[i], reading->quantity))
			reading->rows[kept++] = reading->rows[i];
	reading->row_count = kept;
}

static bool any_known(const struct reading *reading, enum fathom_quantity quantity)
{
	for (size_t i = 0; i < reading->row_count; i++)
		if (compare_row_known(reading->match, reading->rows[i], quantity))
			return true;
	return false;
}

static bool wants_cycles(const struct reading *reading)
{
	enum fathom_unit unit = reading->set->unit;
	bool core = reading->level->kind == FATHOM_LEVEL_CACHE &&
		    reading->level->latency_cycles <= CORE_CYCLES;
	return unit == FATHOM_UNIT_CYCLES || (unit == FATHOM_UNIT_AUTO && core);
}

/* Units in the order in which they are tried: the other one only where none is asked for. */
static size_t quantities(const struct reading *reading, enum fathom_quantity order[2])
{
	bool cycles = wants_cycles(reading);
	order[0] = cycles ? FATHOM_QUANTITY_CYCLES : FATHOM_QUANTITY_NS;
	order[1] = cycles ? FATHOM_QUANTITY_NS : FATHOM_QUANTITY_CYCLES;
	return reading->set->unit == FATHOM_UNIT_AUTO ? 2 : 1;
}

static const struct fathom_point *point_of(const struct reading *reading, size_t i, size_t run)
{
	return reading->match->points[reading->rows[i] * reading->match->runs + run];
}

static double ln_of(const struct reading *reading, size_t i, size_t run)
{
	return log(compare_value_of(point_of(reading, i, run), reading->quantity).value);
}

static double mean_of_runs(const struct reading *reading, size_t i)
{
	double sum = 0;
	for (size_t run = 0; run < reading->match->runs; run++)
		sum += ln_of(reading, i, run);
	return sum / (double)reading->match->runs;
}

/* How far the run is off the mean of all runs at each size, and of that the median: what disturbed
 * one size is not in it. So of the spreads. */
static void read_run(struct reading *reading, size_t run)
{
	double *of_sizes = reading->scratch, level = 0;
	size_t known = 0;
	for (size_t i = 0; i < reading->row_count; i++) {
		double mean = mean_of_runs(reading, i);
		of_sizes[i] = ln_of(reading, i, run) - mean;
		level += mean / (double)reading->row_count;
	}
	reading->sample.ln[run] = level + stats_median(of_sizes, reading->row_count);
	for (size_t i = 0; i < reading->row_count; i++) {
		double spread = compare_spread(point_of(reading, i, run), reading->quantity,
					       reading->scratch + reading->row_count);
		if (isfinite(spread))
			of_sizes[known++] = spread;
	}
	reading->sample.spread[run] = stats_median(of_sizes, known);
}

/* False: one of the runs has no such level, or no latency of it in that unit. */
static bool read_fitted(struct reading *reading, enum fathom_quantity quantity)
{
	bool cycles = quantity == FATHOM_QUANTITY_CYCLES;
	for (size_t i = 0; i < reading->match->runs; i++) {
		const struct fathom_level *level = find_like(reading, i);
		double value = !level ? NAN : cycles ? level->latency_cycles : level->latency_ns;
		if (!(value > 0))
			return false;
		double low = cycles ? level->latency_low_cycles : level->latency_low_ns;
		double high = cycles ? level->latency_high_cycles : level->latency_high_ns;
		reading->sample.ln[i] = log(value);
		reading->sample.spread[i] = low > 0 ? log(high / low) / (2 * NORMAL_95) : NAN;
	}
	reading->quantity = quantity;
	return true;
}

static bool read_values(struct reading *reading)
{
	enum fathom_quantity order[2];
	size_t count = quantities(reading, order), known = 0;
	while (known < count && !any_known(reading, order[known]))
		known++;
	reading->quantity = order[known < count ? known : 0];
	keep_known(reading);
	for (size_t run = 0; reading->row_count && run < reading->match->runs; run++)
		read_run(reading, run);
	for (size_t i = 0; !reading->match->count && i < count; i++)
		if (read_fitted(reading, order[i]))
			return true;
	return reading->row_count > 0;
}

/* ---- where no run tells intervals ---- */

static bool is_by_scatter(const struct reading *reading)
{
	bool two = reading->sample.runs == 2 && reading->row_count > 0;
	return two && isnan(reading->sample.spread[0]) && isnan(reading->sample.spread[1]);
}

/* Logarithms of the ratios of the two runs, into scratch. */
static const double *fill_ratios(struct reading *reading)
{
	for (size_t i = 0; i < reading->row_count; i++)
		reading->scratch[i] = ln_of(reading, i, 0) - ln_of(reading, i, 1);
	return reading->scratch;
}

/* Of the run's value at the level: by all its values how many digits it tells. */
static double rounding_error(struct reading *reading, size_t run)
{
	const struct compare_match *match = reading->match;
	size_t count = 0;
	for (size_t row = 0; row < match->count; row++)
		if (compare_row_known(match, row, reading->quantity))
			reading->scratch[count++] =
				compare_value_of(match->points[row * match->runs + run],
						 reading->quantity)
					.value;
	return compare_rounding_error(exp(reading->sample.ln[run]),
				      compare_rounding_step(reading->scratch, count));
}

static void estimate_by_scatter(struct reading *reading, struct fathom_compared_part *part)
{
	double rounding = hypot(rounding_error(reading, 0), rounding_error(reading, 1));
	const struct compare_scatter_sample sample = {
		.ln_ratios = fill_ratios(reading),
		.count = reading->row_count,
		.rounding = rounding,
		.all = reading->scatter,
	};
	compare_scatter_estimate(&sample, reading->sample.ln[0] - reading->sample.ln[1], part);
}

static void estimate(struct reading *reading, struct fathom_compared_part *part)
{
	if (is_by_scatter(reading))
		estimate_by_scatter(reading, part);
	else
		compare_estimate(&reading->sample, part);
}

static void add_scatter(struct reading *reading)
{
	if (!is_by_scatter(reading))
		return;
	struct compare_scatter scatter =
		compare_scatter_of(fill_ratios(reading), reading->row_count);
	reading->scatter.squares += scatter.squares;
	reading->scatter.freedom += scatter.freedom;
}

/* ---- a part of each level ---- */

static void tell_spread(const struct reading *reading, const struct fathom_compared_part *part,
			struct text *text)
{
	size_t baselines = reading->set->baseline_count;
	if (is_by_scatter(reading))
		text_add(text, "; no run has intervals: the spread is taken from how far %s",
			 reading->row_count >= COMPARE_SCATTER_FEWEST
				 ? "their ratios scatter from size to size"
				 : "the ratios of all levels scatter from size to size");
	else if (isnan(part->error))
		text_add(text, "; no run has intervals, and one baseline does not show the spread "
			       "between runs");
	else if (baselines > 1)
		text_add(text, "; the spread is taken from %zu baselines and from placements",
			 baselines);
	else
		text_add(text, "; the spread is taken from placements within the runs");
}

static char *evidence(const struct reading *reading, bool read,
		      const struct fathom_compared_part *part)
{
	struct text text = {0};
	if (!read) {
		text_add(&text, "no size in this level is in all runs");
		return text_take(&text);
	}
	if (reading->row_count == 0)
		text_add(&text, "from the fitted latencies: no size in this level is in all runs");
	else
		text_add(&text, "from %zu size%s in this level", reading->row_count,
			 reading->row_count == 1 ? "" : "s");
	tell_spread(reading, part, &text);
	if (reading->lacking)
		text_add(&text, "; it is not a level in %zu of the runs", reading->lacking);
	return text_take(&text);
}

static bool read_level(struct reading *reading, const struct fathom_level *level)
{
	reading->level = level;
	reading->row_count = reading->lacking = 0;
	find_rows(reading);
	return read_values(reading);
}

static int add_level(struct reading *reading, const struct fathom_level *level,
		     struct fathom_compared_run *run, struct fathom_error *error)
{
	struct fathom_compared_part part;
	table_unknown(&compared_part_table, &part);
	bool read = read_level(reading, level);
	if (read) {
		double sum = 0;
		size_t baselines = reading->set->baseline_count;
		for (size_t i = 0; i < baselines; i++)
			sum += reading->sample.ln[i];
		part.baseline = exp(sum / (double)baselines);
		part.value = exp(reading->sample.ln[baselines]);
		estimate(reading, &part);
	}
	part.quantity = reading->quantity;
	part.points = reading->row_count;
	part.name = strdup(reading->level->name);
	part.evidence = evidence(reading, read, &part);
	return compare_add_part(run, &part, error);
}

static bool is_compared(const struct fathom_level *level)
{
	return level->name &&
	       (level->kind == FATHOM_LEVEL_CACHE || level->kind == FATHOM_LEVEL_MEMORY);
}

static size_t scratch_size(const struct compare_match *match)
{
	size_t most = 0;
	for (size_t i = 0; i < match->count * match->runs; i++)
		if (match->points[i]->block_count > most)
			most = match->points[i]->block_count;
	return match->count + most + 1;
}

int compare_levels(const struct compare_set *set, const struct compare_match *match,
		   struct fathom_compared_run *run, struct fathom_error *error)
{
	struct reading reading = {.set = set, .match = match, .reference = compare_reference(set)};
	const struct fathom_result *reference = compare_set_run(set, reading.reference)->result;
	reading.rows = calloc(match->count + 1, sizeof(*reading.rows));
	reading.scratch = calloc(scratch_size(match), sizeof(*reading.scratch));
	reading.sample.ln = calloc(2 * match->runs, sizeof(*reading.sample.ln));
	reading.sample.spread = reading.sample.ln + match->runs;
	reading.sample.runs = match->runs;
	int failed = !reading.rows || !reading.scratch || !reading.sample.ln;
	if (failed)
		error_no_memory(error);
	for (size_t i = 0; !failed && i < reference->level_count; i++)
		if (is_compared(&reference->levels[i]) &&
		    read_level(&reading, &reference->levels[i]))
			add_scatter(&reading);
	for (size_t i = 0; !failed && i < reference->level_count; i++)
		if (is_compared(&reference->levels[i]))
			failed = add_level(&reading, &reference->levels[i], run, error);
	free(reading.rows);
	free(reading.scratch);
	free(reading.sample.ln);
	return failed ? -1 : 0;
}
