/* Patterns at several sizes: a row a size, a column a pattern. */
#include <math.h>
#include <stdlib.h>

#include "base/names.h"
#include "base/text.h"
#include "render/experiments/text_patterns.h"

#define SIZE_COLUMNS   10
#define MATRIX_COLUMNS 20

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

static void add_columns(const struct layout *layout, const struct matrix *matrix, size_t first,
			size_t end)
{
	char size[UNITS_TEXT_BYTES];
	layout_cell(layout, SIZE_COLUMNS, true, "size");
	for (size_t i = first; i < end; i++) {
		layout_take_cell(layout, MATRIX_COLUMNS - 1, true,
				 text_row_name(&matrix->curves[i]->points[0].spec));
		text_add(layout->text, " ");
	}
	layout_end_line(layout);
	for (size_t k = 0; k < matrix->size_count; k++) {
		uint64_t bytes = matrix->sizes_bytes[k];
		layout_cell(layout, SIZE_COLUMNS, true, layout_size(bytes, false, size));
		for (size_t i = first; i < end; i++) {
			const struct fathom_point *point = text_point_at(matrix->curves[i], bytes);
			text_time_cell(layout, MATRIX_COLUMNS, point ? text_time_of(point).ns : NAN,
				       point ? text_mark(point) : 0);
		}
		layout_end_line(layout);
	}
	layout_end_part(layout);
}

/* As wide as the page, and the rest of the columns below. */
static void add_matrix(const struct layout *layout, const struct matrix *matrix,
		       enum fathom_warmth warmth)
{
	size_t room = (layout->columns - SIZE_COLUMNS) / MATRIX_COLUMNS;
	struct text line = {0};
	text_add(&line, "%s, ns an access:", warmth_name((int)warmth));
	layout_item(layout, "", false, &line);
	for (size_t first = 0; first < matrix->curve_count; first += room) {
		size_t left = matrix->curve_count - first;
		add_columns(layout, matrix, first, first + (left < room ? left : room));
	}
}

void text_matrix(const struct layout *layout, const struct fathom_result *result,
		 enum fathom_warmth warmth)
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
			add_matrix(layout, &matrix, warmth);
	} else {
		layout->text->failed = true;
	}
	free(matrix.sizes_bytes);
	free(matrix.curves);
}
