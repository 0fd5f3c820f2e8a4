/* Patterns at several sizes: a row a size, a column a pattern. */
#include <math.h>
#include <stdlib.h>

#include "base/names.h"
#include "views/experiments/patterns.h"
#include "views/points.h"

struct matrix {
	const struct fathom_result *result;
	uint64_t *sizes_bytes; /* ascending: a row each */
	size_t size_count;
	const struct fathom_curve **curves; /* a column each */
	size_t curve_count;
};

static int compare_sizes(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
	return (x > y) - (x < y);
}

/* Is the point shown in the row of a larger size, which its nodes do not fill? */
static bool has_row(const struct matrix *matrix, const struct fathom_point *point)
{
	uint64_t own = point->spec.size_bytes;
	for (size_t i = 0; i < matrix->size_count; i++)
		if (matrix->sizes_bytes[i] > own &&
		    matrix->sizes_bytes[i] - own < point->spec.node_bytes)
			return true;
	return false;
}

static bool needs_row(const struct matrix *matrix, uint64_t size_bytes)
{
	for (size_t i = 0; i < matrix->result->curve_count; i++) {
		const struct fathom_curve *curve = &matrix->result->curves[i];
		for (size_t k = 0; k < curve->point_count; k++)
			if (curve->points[k].spec.size_bytes == size_bytes &&
			    !has_row(matrix, &curve->points[k]))
				return true;
	}
	return false;
}

/* The sizes of all curves, each once. */
static void find_sizes(struct matrix *matrix)
{
	const struct fathom_result *result = matrix->result;
	uint64_t *sizes_bytes = matrix->sizes_bytes;
	size_t all = 0, kept = 0;
	for (size_t i = 0; i < result->curve_count; i++)
		for (size_t k = 0; k < result->curves[i].point_count; k++)
			sizes_bytes[all++] = result->curves[i].points[k].spec.size_bytes;
	qsort(sizes_bytes, all, sizeof(*sizes_bytes), compare_sizes);
	matrix->size_count = all;
	for (size_t i = 0; i < all; i++)
		if ((kept == 0 || sizes_bytes[i] != sizes_bytes[kept - 1]) &&
		    needs_row(matrix, sizes_bytes[i]))
			sizes_bytes[kept++] = sizes_bytes[i];
	matrix->size_count = kept;
}

static void find_curves(struct matrix *matrix, enum fathom_warmth warmth)
{
	for (size_t i = 0; i < matrix->result->curve_count; i++) {
		const struct fathom_curve *curve = &matrix->result->curves[i];
		if (curve->point_count && curve->points[0].spec.warmth == warmth)
			matrix->curves[matrix->curve_count++] = curve;
	}
}

static void add_column(struct view *view, const struct fathom_spec *spec)
{
	struct text name = {0};
	points_add_order(&name, spec);
	view->failed |= name.failed;
	view_column(view, name.data, NULL);
	text_free(&name);
}

static void add_matrix(struct view *view, const struct matrix *matrix, enum fathom_warmth warmth)
{
	view_say(view, VIEW_PLAIN, "%s, ns per access:", warmth_name((int)warmth));
	view_table(view);
	view_column(view, "size", NULL);
	for (size_t i = 0; i < matrix->curve_count; i++)
		add_column(view, &matrix->curves[i]->points[0].spec);
	for (size_t k = 0; k < matrix->size_count; k++) {
		view_row(view);
		view_size(view, (double)matrix->sizes_bytes[k]);
		for (size_t i = 0; i < matrix->curve_count; i++)
			patterns_time(view, points_at(matrix->curves[i], matrix->sizes_bytes[k]),
				      FATHOM_Y_NS);
	}
	view_gap(view);
}

void matrix_view(struct view *view, const struct fathom_result *result, enum fathom_warmth warmth)
{
	struct matrix matrix = {.result = result};
	size_t points = 0;
	for (size_t i = 0; i < result->curve_count; i++)
		points += result->curves[i].point_count;
	matrix.sizes_bytes = calloc(points + 1, sizeof(*matrix.sizes_bytes));
	matrix.curves = calloc(result->curve_count + 1, sizeof(*matrix.curves));
	if (matrix.sizes_bytes && matrix.curves) {
		find_sizes(&matrix);
		find_curves(&matrix, warmth);
		if (matrix.size_count > 1)
			add_matrix(view, &matrix, warmth);
	} else {
		view->failed = true;
	}
	free(matrix.sizes_bytes);
	free(matrix.curves);
}
