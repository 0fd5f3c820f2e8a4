/* Figures of single accesses: what share takes longer than what, and how that changes over a time.
 */
#include <limits.h>
#include <math.h>
#include <stdlib.h>

#include "base/names.h"
#include "views/accesses/accesses.h"
#include "views/figure.h"
#include "views/rounding.h"

void accesses_add_name(struct text *text, const struct fathom_result *result,
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
		if (!one->accesses || accesses_is_control(result, one))
			continue;
		accesses_add_name(&name, result, one);
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
