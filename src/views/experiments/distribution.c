/* Single accesses: percentiles, modes, and what share of them takes longer than what. */
#include <limits.h>
#include <math.h>
#include <stdlib.h>

#include "base/names.h"
#include "model/distribution/refresh.h"
#include "views/experiments/experiments.h"
#include "views/figure.h"
#include "views/rounding.h"

#define NS_A_US 1000.0
/* What so few do is told by how many there are to each of them. */
#define RARE 0.01

static void name_curve(struct text *text, const struct fathom_result *result,
		       const struct fathom_distribution *distribution)
{
	const struct fathom_curve *curve = &result->curves[distribution->curve];
	if (!curve->size_bytes) {
		text_add(text, "accesses");
		if (result->distribution_count > 1)
			text_add(text, " %zu", distribution->curve + 1);
		return;
	}
	text_add(text, "%s, %s pages", rounding_size((double)curve->size_bytes).text,
		 view_known(page_name((int)curve->page)));
	if (curve->warmth != FATHOM_WARM)
		text_add(text, ", %s", view_known(warmth_name((int)curve->warmth)));
	if (curve->window_bytes)
		text_add(text, ", in windows of %s",
			 rounding_size((double)curve->window_bytes).text);
}

/* Of how many accesses one takes longer. */
static size_t one_in(double share)
{
	return (size_t)round(1 / (1 - share));
}

/* "half", "9 in 10", "999 in 1000". */
static void name_share(struct view *view, double share)
{
	size_t of = one_in(share);
	if (of <= 2)
		view_name(view, "half");
	else
		view_name(view, "%zu in %zu", of - 1, of);
}

static void add_quantiles(struct view *view, const struct fathom_distribution *distribution)
{
	VIEW_TABLE(view, COLUMN("accesses"), COLUMN("at most", "ns"));
	for (size_t i = 0; i < distribution->quantile_count; i++) {
		const struct fathom_quantile *one = &distribution->quantiles[i];
		view_row(view);
		if (one->share <= 0)
			view_name(view, "the fastest");
		else if (one->share >= 1)
			view_name(view, "all");
		else
			name_share(view, one->share);
		view_estimate(view, ESTIMATE(one, latency, _ns));
	}
	view_row(view);
	view_name(view, "mean");
	view_number(view, distribution->mean_ns);
	view_gap(view);
}

static const char *const causes[FATHOM_MODE_KIND_COUNT] = {
	[FATHOM_MODE_UNKNOWN] = "",
	[FATHOM_MODE_REFRESH] = "refresh of memory",
	[FATHOM_MODE_INTERRUPTION] = "interrupt, or the host",
	[FATHOM_MODE_CACHE] = "a cache",
	[FATHOM_MODE_MEMORY] = "memory",
	[FATHOM_MODE_TLB_MISS] = "memory, TLB miss",
	[FATHOM_MODE_ROW_HIT] = "memory, row hit",
	[FATHOM_MODE_ROW_MISS] = "memory, row miss",
};

static void add_modes(struct view *view, const struct fathom_distribution *distribution)
{
	double rest = 1;
	VIEW_TABLE(view, COLUMN("mode", "ns"), COLUMN("share"), COLUMN("from", "ns"),
		   COLUMN("to", "ns"), COLUMN("of"));
	for (size_t i = 0; i < distribution->mode_count; i++) {
		const struct fathom_mode *mode = &distribution->modes[i];
		rest -= mode->share;
		view_row(view);
		view_number(view, mode->latency_ns);
		view_rounded(view, rounding_percent(mode->share));
		view_number(view, mode->low_ns);
		view_number(view, mode->high_ns);
		view_name(view, "%s", mode->level ? mode->level : causes[mode->kind]);
	}
	view_say(
		view, VIEW_NOTE,
		"modes: latencies round which accesses gather; nine tenths of each lie between its "
		"ends; %s of the accesses are of none",
		rounding_percent(fmax(0, rest)).text);
	view_gap(view);
}

static void say_tail(struct view *view, const struct fathom_distribution *distribution)
{
	for (size_t i = 0; i < distribution->quantile_count; i++) {
		const struct fathom_quantile *one = &distribution->quantiles[i];
		if (one->share < 1 && 1 - one->share < 1.01 * RARE)
			view_say(view, VIEW_ITEM, "1 in %zu accesses takes longer than %s ns",
				 one_in(one->share), rounding_number(one->latency_ns).text);
	}
}

struct long_ones { /* that take longer than any refresh */
	size_t count;
	double ns; /* all together */
};

static struct long_ones find_long(const struct fathom_distribution *distribution)
{
	struct long_ones found = {0, 0};
	double from_ns = INFINITY;
	for (size_t i = 0; i < distribution->quantile_count; i++)
		if (distribution->quantiles[i].share >= 0.5 && isinf(from_ns))
			from_ns = distribution->quantiles[i].latency_ns + REFRESH_MOST_WAIT_NS;
	for (size_t i = 0; i < distribution->bin_count; i++) {
		const struct fathom_bin *bin = &distribution->bins[i];
		if (bin->low_ns < from_ns)
			continue;
		found.count += bin->accesses;
		found.ns += (double)bin->accesses * (bin->low_ns + bin->high_ns) / 2;
	}
	return found;
}

/* A cause is named where as much of it was counted as would make half of them. */
static void say_long(struct view *view, const struct fathom_distribution *distribution)
{
	struct long_ones found = find_long(distribution);
	struct text words = {0};
	double half = (double)found.count / 2;
	if (!found.count || !distribution->counter)
		return;
	text_add(&words, "%zu of them took over %s \u00b5s more than the median: ", found.count,
		 rounding_number(REFRESH_MOST_WAIT_NS / NS_A_US).text);
	if (distribution->switches >= half)
		text_add(&words, "the CPU was given to another thread %.0f times meanwhile",
			 distribution->switches);
	else if (distribution->stolen_ns >= found.ns * distribution->run_accesses / 2)
		text_add(&words, "the host took the CPU for %s meanwhile",
			 rounding_time(distribution->stolen_ns, false).text);
	else if (distribution->interrupts >= half)
		text_add(&words, "the CPU had %.0f interrupts meanwhile", distribution->interrupts);
	else
		text_add(&words, "nothing that the OS counts explains them");
	view_take(view, VIEW_ITEM, &words);
}

static void say_timing(struct view *view, const struct fathom_distribution *distribution)
{
	struct text words = {0};
	if (!distribution->counter)
		return;
	if (isfinite(distribution->chain_ns))
		text_add(&words, "of many timed at once each takes %s ns; ",
			 rounding_number(distribution->chain_ns).text);
	text_add(&words,
		 "timing takes %s \u00b1%s ns, which is taken off, and scatters by %s ns, which is "
		 "not",
		 rounding_number(distribution->timing_ns).text,
		 rounding_number((distribution->timing_high_ns - distribution->timing_low_ns) / 2)
			 .text,
		 rounding_number(distribution->timing_spread_ns).text);
	view_take(view, VIEW_NOTE, &words);
	if (distribution->run_accesses > 1)
		view_say(view, VIEW_NOTE,
			 "single accesses here are too short for that: %u were timed together, and "
			 "their mean stands for each",
			 distribution->run_accesses);
}

/* How far what the slowest take differs from slice to slice. */
static void say_slices(struct view *view, const struct fathom_distribution *distribution)
{
	const struct fathom_slice *least = NULL, *most = NULL;
	for (size_t i = 0; i < distribution->slice_count; i++) {
		const struct fathom_slice *slice = &distribution->slices[i];
		if (isnan(slice->p999_ns))
			continue;
		least = !least || slice->p999_ns < least->p999_ns ? slice : least;
		most = !most || slice->p999_ns > most->p999_ns ? slice : most;
	}
	if (!least || distribution->slice_count < 2)
		return;
	struct text words = {0};
	text_add(&words, "over the time, 999 in 1000 take at most %s ns (after %s)",
		 rounding_number(least->p999_ns).text,
		 rounding_time(1e9 * least->start_s, false).text);
	text_add(&words, " to %s ns (after %s)", rounding_number(most->p999_ns).text,
		 rounding_time(1e9 * most->start_s, false).text);
	view_take(view, VIEW_ITEM, &words);
}

static void say_refresh(struct view *view, const struct fathom_result *result,
			const struct fathom_distribution *distribution)
{
	if (result->curves[distribution->curve].warmth == FATHOM_UNTOUCHED)
		return; /* the kernel's work, of which memory is a small part */
	if (!distribution->refresh_looked_for) {
		view_say(
			view, VIEW_ITEM,
			"refresh of memory is not looked for: when each access began is not known");
		return;
	}
	if (isnan(distribution->refresh_period_ns)) {
		view_say(view, VIEW_ITEM,
			 "no refresh of memory is visible, with any period from 1.5 to 16 \u00b5s");
		return;
	}
	struct text words = {0};
	text_add(&words, "memory is refreshed each %s \u00b5s",
		 rounding_number(distribution->refresh_period_ns / NS_A_US).text);
	if (isfinite(distribution->refresh_share))
		text_add(&words, "; %s of the accesses wait for it",
			 rounding_percent(distribution->refresh_share).text);
	view_take(view, VIEW_ITEM, &words);
}

void distribution_view(struct view *view, const struct fathom_result *result)
{
	if (!result->distribution_count)
		return;
	view_part(view, "distribution", "Single accesses");
	figure_add(view, result, (struct figure_wish){.kind = FIGURE_DISTRIBUTION});
	figure_add(view, result, (struct figure_wish){.kind = FIGURE_TAIL});
	figure_add(view, result, (struct figure_wish){.kind = FIGURE_SLICES});
	for (size_t i = 0; i < result->distribution_count; i++) {
		const struct fathom_distribution *one = &result->distributions[i];
		struct text name = {0};
		view_gap(view);
		name_curve(&name, result, one);
		text_add(&name, one->counter ? ": %zu accesses" : ": %zu", one->accesses);
		view_take(view, VIEW_PLAIN, &name);
		add_quantiles(view, one);
		add_modes(view, one);
		say_timing(view, one);
		view_gap(view);
		say_tail(view, one);
		say_long(view, one);
		say_refresh(view, result, one);
		say_slices(view, one);
	}
	view_gap(view);
}

int figure_add_distributions(struct figure *figure, const struct fathom_result *result)
{
	for (size_t i = 0; i < result->distribution_count; i++) {
		const struct fathom_distribution *one = &result->distributions[i];
		struct figure_series *series;
		struct text name = {0};
		size_t longer = one->accesses;
		if (figure->series_count == FIGURE_MOST_SERIES) {
			figure->left_out = result->distribution_count - i;
			break;
		}
		if (!one->accesses)
			continue;
		name_curve(&name, result, one);
		if (figure_add_series(figure, &name, one->bin_count, &series))
			return -1;
		for (size_t k = 0; k < one->bin_count; k++) {
			figure_add_row(series, one->bins[k].low_ns,
				       ESTIMATE_ALONE((double)longer / (double)one->accesses));
			longer -= one->bins[k].accesses;
		}
	}
	return 0;
}

/* ---- over a time ---- */

const struct fathom_distribution *distribution_sliced(const struct fathom_result *result)
{
	for (size_t i = 0; i < result->distribution_count; i++)
		if (result->distributions[i].slice_count > 1)
			return &result->distributions[i];
	return NULL;
}

static const struct tail_line {
	const char *name;
	size_t value; /* offset */
} lines[] = {
	{"half", offsetof(struct fathom_slice, p50_ns)},
	{"99 in 100", offsetof(struct fathom_slice, p99_ns)},
	{"999 in 1000", offsetof(struct fathom_slice, p999_ns)},
	{"all", offsetof(struct fathom_slice, greatest_ns)},
};
#define LINES (sizeof(lines) / sizeof(*lines))

static double at(const struct fathom_slice *slice, const struct tail_line *line)
{
	return *(const double *)(const void *)((const char *)slice + line->value);
}

int figure_add_tail(struct figure *figure, const struct fathom_result *result)
{
	const struct fathom_distribution *one = distribution_sliced(result);
	for (size_t i = 0; i < LINES; i++) {
		struct figure_series *series;
		struct text name = {0};
		text_add(&name, "%s", lines[i].name);
		if (figure_add_series(figure, &name, one->slice_count, &series))
			return -1;
		for (size_t k = 0; k < one->slice_count; k++) {
			const struct fathom_slice *slice = &one->slices[k];
			if (isfinite(at(slice, &lines[i])))
				figure_add_row(series, (slice->start_s + slice->end_s) / 2,
					       ESTIMATE_ALONE(at(slice, &lines[i])));
		}
	}
	return 0;
}

/* Rows of half an octave; where more was timed than there was time for, slices are many. */
#define ROWS_AN_OCTAVE 2
#define MOST_COLUMNS   FATHOM_SLICES
#define MS             1e3

static int row_of(double ns)
{
	return (int)floor(ROWS_AN_OCTAVE * log2(ns) + 1e-9);
}

static int make_cells(const struct fathom_distribution *one, size_t together, int *most,
		      struct figure_matrix *matrix)
{
	int least = INT_MAX;
	*most = INT_MIN;
	for (size_t i = 0; i < one->slice_count; i++)
		for (size_t k = 0; k < one->slices[i].bin_count; k++) {
			int row = row_of(one->slices[i].bins[k].low_ns);
			least = row < least ? row : least;
			*most = row > *most ? row : *most;
		}
	if (*most < least)
		return 0;
	matrix->count = (size_t)(*most - least + 1);
	matrix->column_count = (one->slice_count + together - 1) / together;
	matrix->cpus = calloc(matrix->count, sizeof(*matrix->cpus));
	matrix->begins = calloc(matrix->count, sizeof(*matrix->begins));
	matrix->columns = calloc(matrix->column_count, sizeof(*matrix->columns));
	matrix->values = calloc(matrix->count * matrix->column_count, sizeof(*matrix->values));
	if (!matrix->cpus || !matrix->begins || !matrix->columns || !matrix->values)
		return -1;
	for (size_t i = 0; i < matrix->count; i++)
		matrix->cpus[i] = (int)lround(exp2((double)(*most - (int)i) / ROWS_AN_OCTAVE));
	return 0;
}

/* Of the column's accesses, in percent; NAN: none. */
static void finish_column(const struct fathom_distribution *one, size_t from, size_t together,
			  size_t column, struct figure_matrix *matrix)
{
	double accesses = 0;
	for (size_t i = from; i < from + together && i < one->slice_count; i++)
		accesses += (double)one->slices[i].accesses;
	matrix->columns[column] = (int)lround(MS * one->slices[from].start_s);
	for (size_t row = 0; row < matrix->count; row++) {
		double *value = &matrix->values[row * matrix->column_count + column];
		*value = *value > 0 ? 100 * *value / accesses : NAN;
		matrix->least = fmin(matrix->least, *value);
		matrix->greatest = fmax(matrix->greatest, *value);
	}
}

int figure_add_slices(struct figure *figure, const struct fathom_result *result)
{
	const struct fathom_distribution *one = distribution_sliced(result);
	struct figure_matrix *matrix = &figure->matrix;
	size_t together = (one->slice_count + MOST_COLUMNS - 1) / MOST_COLUMNS;
	int most;
	if (make_cells(one, together, &most, matrix))
		return -1;
	matrix->least = INFINITY;
	for (size_t column = 0; column < matrix->column_count; column++) {
		for (size_t i = column * together;
		     i < (column + 1) * together && i < one->slice_count; i++)
			for (size_t k = 0; k < one->slices[i].bin_count; k++) {
				const struct fathom_bin *bin = &one->slices[i].bins[k];
				size_t row = (size_t)(most - row_of(bin->low_ns));
				matrix->values[row * matrix->column_count + column] +=
					(double)bin->accesses;
			}
		finish_column(one, column * together, together, column, matrix);
	}
	return 0;
}
