#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/list.h"
#include "base/names.h"
#include "base/stats.h"
#include "base/text.h"
#include "document/table.h"
#include "model/compare/compare_judge.h"
#include "model/compare/compare_parts.h"
#include "model/compare/compare_points.h"
#include "model/compare/compare_same_level.h"
#include "model/compare/compare_scatter.h"
#include "model/compare/compare_value.h"
#include "model/plateau.h"

int compare_add_part(struct fathom_compared_run *run, struct fathom_compared_part *part,
		     struct fathom_error *error)
{
	if (part->name && part->evidence && LIST_APPEND(&run->parts, &run->part_count, part) == 0)
		return 0;
	free(part->name);
	free(part->evidence);
	return error_no_memory(error);
}

/* One level of the reference, and how it is read off all runs. */
struct level_comparison {
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

static const struct fathom_result *result_of(const struct level_comparison *comparison, size_t run)
{
	return compare_set_run(comparison->set, run)->result;
}

static size_t rank_of(const struct level_comparison *comparison)
{
	return compare_level_rank(result_of(comparison, comparison->reference), comparison->level);
}

/* The level of another run that has sizes in common with it, or else is called so. */
static const struct fathom_level *find_like(const struct level_comparison *comparison, size_t run)
{
	const struct fathom_result *result = result_of(comparison, run);
	const struct fathom_level *level = comparison->level, *found = NULL;
	size_t rank = rank_of(comparison);
	double low, high;
	if (plateau_range(result_of(comparison, comparison->reference), level, &low, &high))
		found = compare_find_level(result, rank, low, high, level->kind);
	for (size_t i = 0; !found && i < result->level_count; i++)
		if (result->levels[i].name && strcmp(result->levels[i].name, level->name) == 0 &&
		    compare_level_rank(result, &result->levels[i]) == rank)
			found = &result->levels[i];
	return found;
}

/* Narrows the range to the sizes inside it in all runs that have it. */
static void narrow_range(struct level_comparison *comparison, double *low_bytes, double *high_bytes)
{
	for (size_t i = 0; i < comparison->match->runs; i++) {
		double low, high;
		const struct fathom_level *other =
			compare_find_level(result_of(comparison, i), rank_of(comparison),
					   *low_bytes, *high_bytes, comparison->level->kind);
		if (!other || !plateau_range(result_of(comparison, i), other, &low, &high)) {
			comparison->lacking++;
			continue;
		}
		*low_bytes = fmax(*low_bytes, low);
		*high_bytes = fmin(*high_bytes, high);
	}
}

static void add_rows(struct level_comparison *comparison, double low_bytes, double high_bytes)
{
	const struct fathom_result *result = result_of(comparison, comparison->reference);
	for (size_t row = 0; row < comparison->match->count; row++) {
		const struct fathom_point *point =
			comparison->match
				->points[row * comparison->match->runs + comparison->reference];
		double bytes = (double)point->spec.size_bytes;
		if (compare_is_of_curve(result, comparison->level->curve, point) &&
		    bytes >= low_bytes && bytes <= high_bytes)
			comparison->rows[comparison->row_count++] = row;
	}
}

/* A fit can put a step elsewhere while the curve is the same: where the runs have no size of the
 * level in common, those of the reference are taken. */
static void find_rows(struct level_comparison *comparison)
{
	double low_bytes, high_bytes;
	const struct fathom_result *result = result_of(comparison, comparison->reference);
	if (!plateau_range(result, comparison->level, &low_bytes, &high_bytes))
		return;
	double own_low_bytes = low_bytes, own_high_bytes = high_bytes;
	narrow_range(comparison, &low_bytes, &high_bytes);
	add_rows(comparison, low_bytes, high_bytes);
	if (comparison->row_count == 0)
		add_rows(comparison, own_low_bytes, own_high_bytes);
}

static void keep_known(struct level_comparison *comparison)
{
	size_t kept = 0;
	for (size_t i = 0; i < comparison->row_count; i++)
		if (compare_row_known(comparison->match, comparison->rows[i], comparison->quantity))
			comparison->rows[kept++] = comparison->rows[i];
	comparison->row_count = kept;
}

static bool any_known(const struct level_comparison *comparison, enum fathom_quantity quantity)
{
	for (size_t i = 0; i < comparison->row_count; i++)
		if (compare_row_known(comparison->match, comparison->rows[i], quantity))
			return true;
	return false;
}

static bool wants_cycles(const struct level_comparison *comparison)
{
	enum fathom_unit unit = comparison->set->unit;
	bool core = comparison->level->kind == FATHOM_LEVEL_CACHE &&
		    comparison->level->latency_cycles <= COMPARE_CORE_CYCLES;
	return unit == FATHOM_UNIT_CYCLES || (unit == FATHOM_UNIT_AUTO && core);
}

/* Units in the order in which they are tried: the other one only where none is asked for. */
static size_t quantities(const struct level_comparison *comparison, enum fathom_quantity order[2])
{
	bool cycles = wants_cycles(comparison);
	order[0] = cycles ? FATHOM_QUANTITY_CYCLES : FATHOM_QUANTITY_NS;
	order[1] = cycles ? FATHOM_QUANTITY_NS : FATHOM_QUANTITY_CYCLES;
	return comparison->set->unit == FATHOM_UNIT_AUTO ? 2 : 1;
}

static const struct fathom_point *point_of(const struct level_comparison *comparison, size_t i,
					   size_t run)
{
	return comparison->match->points[comparison->rows[i] * comparison->match->runs + run];
}

static double ln_of(const struct level_comparison *comparison, size_t i, size_t run)
{
	return log(compare_value_of(point_of(comparison, i, run), comparison->quantity).value);
}

static double mean_of_runs(const struct level_comparison *comparison, size_t i)
{
	double sum = 0;
	for (size_t run = 0; run < comparison->match->runs; run++)
		sum += ln_of(comparison, i, run);
	return sum / (double)comparison->match->runs;
}

/* How far the run is off the mean of all runs at each size, and of that the median: what disturbed
 * one size is not in it. So of the spreads. */
static void read_run(struct level_comparison *comparison, size_t run)
{
	double *of_sizes = comparison->scratch, level = 0;
	size_t known = 0;
	for (size_t i = 0; i < comparison->row_count; i++) {
		double mean = mean_of_runs(comparison, i);
		of_sizes[i] = ln_of(comparison, i, run) - mean;
		level += mean / (double)comparison->row_count;
	}
	comparison->sample.ln[run] = level + stats_median(of_sizes, comparison->row_count);
	for (size_t i = 0; i < comparison->row_count; i++) {
		double spread = compare_spread(point_of(comparison, i, run), comparison->quantity,
					       comparison->scratch + comparison->row_count);
		if (isfinite(spread))
			of_sizes[known++] = spread;
	}
	comparison->sample.spread[run] = stats_median(of_sizes, known);
}

/* False: one of the runs has no such level, or no latency of it in that unit. */
static bool read_fitted(struct level_comparison *comparison, enum fathom_quantity quantity)
{
	bool cycles = quantity == FATHOM_QUANTITY_CYCLES;
	for (size_t i = 0; i < comparison->match->runs; i++) {
		const struct fathom_level *level = find_like(comparison, i);
		double value = !level ? NAN : cycles ? level->latency_cycles : level->latency_ns;
		if (!(value > 0))
			return false;
		double low = cycles ? level->latency_low_cycles : level->latency_low_ns;
		double high = cycles ? level->latency_high_cycles : level->latency_high_ns;
		comparison->sample.ln[i] = log(value);
		comparison->sample.spread[i] =
			low > 0 ? log(high / low) / (2 * STATS_NORMAL_95) : NAN;
	}
	comparison->quantity = quantity;
	return true;
}

static bool read_values(struct level_comparison *comparison)
{
	enum fathom_quantity order[2];
	size_t count = quantities(comparison, order), known = 0;
	while (known < count && !any_known(comparison, order[known]))
		known++;
	comparison->quantity = order[known < count ? known : 0];
	keep_known(comparison);
	for (size_t run = 0; comparison->row_count && run < comparison->match->runs; run++)
		read_run(comparison, run);
	for (size_t i = 0; !comparison->match->count && i < count; i++)
		if (read_fitted(comparison, order[i]))
			return true;
	return comparison->row_count > 0;
}

/* ---- where no run tells intervals ---- */

static bool is_by_scatter(const struct level_comparison *comparison)
{
	bool two = comparison->sample.runs == 2 && comparison->row_count > 0;
	return two && isnan(comparison->sample.spread[0]) && isnan(comparison->sample.spread[1]);
}

/* Logarithms of the ratios of the two runs, into scratch. */
static const double *fill_ratios(struct level_comparison *comparison)
{
	for (size_t i = 0; i < comparison->row_count; i++)
		comparison->scratch[i] = ln_of(comparison, i, 0) - ln_of(comparison, i, 1);
	return comparison->scratch;
}

/* Of the run's value at the level: by all its values how many digits it tells. */
static double rounding_error(struct level_comparison *comparison, size_t run)
{
	const struct compare_match *match = comparison->match;
	size_t count = 0;
	for (size_t row = 0; row < match->count; row++)
		if (compare_row_known(match, row, comparison->quantity))
			comparison->scratch[count++] =
				compare_value_of(match->points[row * match->runs + run],
						 comparison->quantity)
					.value;
	return compare_rounding_error(exp(comparison->sample.ln[run]),
				      compare_rounding_step(comparison->scratch, count));
}

static void estimate_by_scatter(struct level_comparison *comparison,
				struct fathom_compared_part *part)
{
	double rounding = hypot(rounding_error(comparison, 0), rounding_error(comparison, 1));
	const struct compare_scatter_sample sample = {
		.ln_ratios = fill_ratios(comparison),
		.count = comparison->row_count,
		.rounding = rounding,
		.all = comparison->scatter,
	};
	compare_scatter_estimate(&sample, comparison->sample.ln[0] - comparison->sample.ln[1],
				 part);
}

static void estimate(struct level_comparison *comparison, struct fathom_compared_part *part)
{
	if (is_by_scatter(comparison))
		estimate_by_scatter(comparison, part);
	else
		compare_estimate(&comparison->sample, part);
}

static void add_scatter(struct level_comparison *comparison)
{
	if (!is_by_scatter(comparison))
		return;
	struct compare_scatter scatter =
		compare_scatter_of(fill_ratios(comparison), comparison->row_count);
	comparison->scatter.squares += scatter.squares;
	comparison->scatter.freedom += scatter.freedom;
}

/* ---- a part of each level ---- */

static void tell_spread(const struct level_comparison *comparison,
			const struct fathom_compared_part *part, struct text *text)
{
	size_t baselines = comparison->set->baseline_count;
	if (is_by_scatter(comparison))
		text_add(text, "; no run has intervals: the spread is taken from how far %s",
			 comparison->row_count >= COMPARE_SCATTER_FEWEST
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

static char *evidence(const struct level_comparison *comparison, bool read,
		      const struct fathom_compared_part *part)
{
	struct text text = {0};
	if (!read) {
		text_add(&text, "no size in this level is in all runs");
		return text_take(&text);
	}
	if (comparison->row_count == 0)
		text_add(&text, "from the fitted latencies: no size in this level is in all runs");
	else
		text_add(&text, "from %zu size%s in this level", comparison->row_count,
			 comparison->row_count == 1 ? "" : "s");
	tell_spread(comparison, part, &text);
	if (comparison->lacking)
		text_add(&text, "; it is not a level in %zu of the runs", comparison->lacking);
	return text_take(&text);
}

/* With its CPU where each of several has such levels. */
static char *name_of(const struct level_comparison *comparison)
{
	const struct fathom_result *result = result_of(comparison, comparison->reference);
	const struct fathom_level *level = comparison->level;
	const struct fathom_curve *curve = &result->curves[level->curve];
	int cpu = curve->cpu;
	bool several = false;
	for (size_t i = 0; i < result->level_count; i++)
		several |= result->curves[result->levels[i].curve].cpu != cpu;
	if (curve->sibling != FATHOM_SIBLING_ANY)
		return text_format("%s, CPU %d, sibling %s", level->name, cpu,
				   sibling_name((int)curve->sibling));
	return several && cpu >= 0 ? text_format("%s, CPU %d", level->name, cpu)
				   : strdup(level->name);
}

static bool read_level(struct level_comparison *comparison, const struct fathom_level *level)
{
	comparison->level = level;
	comparison->row_count = comparison->lacking = 0;
	find_rows(comparison);
	return read_values(comparison);
}

static int add_level(struct level_comparison *comparison, const struct fathom_level *level,
		     struct fathom_compared_run *run, struct fathom_error *error)
{
	struct fathom_compared_part part;
	table_unknown(&compared_part_table, &part);
	bool read = read_level(comparison, level);
	if (read) {
		double sum = 0;
		size_t baselines = comparison->set->baseline_count;
		for (size_t i = 0; i < baselines; i++)
			sum += comparison->sample.ln[i];
		part.baseline = exp(sum / (double)baselines);
		part.value = exp(comparison->sample.ln[baselines]);
		estimate(comparison, &part);
	}
	part.quantity = comparison->quantity;
	part.points = comparison->row_count;
	part.name = name_of(comparison);
	part.evidence = evidence(comparison, read, &part);
	return compare_add_part(run, &part, error);
}

static bool is_compared(const struct fathom_level *level)
{
	return level->name &&
	       (level->kind == FATHOM_LEVEL_CACHE || level->kind == FATHOM_LEVEL_MEMORY);
}

int compare_levels(const struct compare_set *set, const struct compare_match *match,
		   struct fathom_compared_run *run, struct fathom_error *error)
{
	struct level_comparison comparison = {
		.set = set, .match = match, .reference = compare_reference(set)};
	const struct fathom_result *reference = compare_set_run(set, comparison.reference)->result;
	comparison.rows = calloc(match->count + 1, sizeof(*comparison.rows));
	comparison.scratch =
		calloc(match->count + compare_most_blocks(match) + 1, sizeof(*comparison.scratch));
	comparison.sample.ln = calloc(2 * match->runs, sizeof(*comparison.sample.ln));
	comparison.sample.runs = match->runs;
	int failed = !comparison.rows || !comparison.scratch || !comparison.sample.ln;
	if (failed)
		error_no_memory(error);
	else
		comparison.sample.spread = comparison.sample.ln + match->runs;
	for (size_t i = 0; !failed && i < reference->level_count; i++)
		if (is_compared(&reference->levels[i]) &&
		    read_level(&comparison, &reference->levels[i]))
			add_scatter(&comparison);
	for (size_t i = 0; !failed && i < reference->level_count; i++)
		if (is_compared(&reference->levels[i]))
			failed = add_level(&comparison, &reference->levels[i], run, error);
	free(comparison.rows);
	free(comparison.scratch);
	free(comparison.sample.ln);
	return failed ? -1 : 0;
}
