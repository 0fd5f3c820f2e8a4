/* The figures of NUMA nodes, and of words that threads share. */
#include <math.h>
#include <stdlib.h>

#include "base/names.h"
#include "views/figure.h"

/* ---- nodes ---- */

/* Its place in the list, added where it is not there. */
static size_t place_of(int *list, size_t *count, int number)
{
	for (size_t i = 0; i < *count; i++)
		if (list[i] == number)
			return i;
	list[*count] = number;
	return (*count)++;
}

static int row_name(const struct fathom_node_access *access)
{
	return access->cpu_node >= 0 ? access->cpu_node : access->cpu;
}

int figure_add_nodes(struct figure *figure, const struct fathom_result *result)
{
	struct figure_matrix *matrix = &figure->matrix;
	size_t most = result->node_count + 1;
	matrix->cpus = calloc(most, sizeof(*matrix->cpus));
	matrix->columns = calloc(most, sizeof(*matrix->columns));
	matrix->begins = calloc(most, sizeof(*matrix->begins));
	if (!matrix->cpus || !matrix->columns || !matrix->begins)
		return -1;
	for (size_t i = 0; i < result->node_count; i++) {
		place_of(matrix->cpus, &matrix->count, row_name(&result->nodes[i]));
		place_of(matrix->columns, &matrix->column_count, result->nodes[i].memory_node);
	}
	size_t cells = matrix->count * matrix->column_count;
	matrix->values = malloc((cells + 1) * sizeof(*matrix->values));
	if (!matrix->values)
		return -1;
	for (size_t i = 0; i < cells; i++)
		matrix->values[i] = NAN;
	matrix->least = INFINITY;
	for (size_t i = 0; i < result->node_count; i++) {
		const struct fathom_node_access *access = &result->nodes[i];
		size_t row = place_of(matrix->cpus, &matrix->count, row_name(access));
		size_t column =
			place_of(matrix->columns, &matrix->column_count, access->memory_node);
		matrix->values[row * matrix->column_count + column] = access->latency_ns;
		matrix->least = fmin(matrix->least, access->latency_ns);
		matrix->greatest = fmax(matrix->greatest, access->latency_ns);
	}
	return 0;
}

/* ---- contention ---- */

static bool is_of(const struct fathom_contention *one, int class, enum fathom_operation operation,
		  enum fathom_layout layout)
{
	return one->core_class == class && one->operation == operation && one->layout == layout &&
	       one->threads > 1 && isfinite(one->op_ns);
}

/* "one word, same cache" */
static int add_series(struct figure *figure, const struct fathom_result *result, int class,
		      enum fathom_operation operation, enum fathom_layout layout, const char *words)
{
	struct figure_series *series;
	struct text name = {0};
	size_t count = 0;
	for (size_t i = 0; i < result->contention_count; i++)
		count += is_of(&result->contention[i], class, operation, layout);
	if (count < 2)
		return 0;
	if (figure->series_count == FIGURE_MOST_SERIES) {
		figure->left_out++;
		return 0;
	}
	const char *kind = core_class_words((int)result->core_classes[class].kind);
	text_add(&name, "%s, %s", words, kind ? kind : "unknown");
	if (figure_add_series(figure, &name, count, &series))
		return -1;
	for (size_t i = 0; i < result->contention_count; i++)
		if (is_of(&result->contention[i], class, operation, layout))
			figure_add_row(series, result->contention[i].threads,
				       ESTIMATE(&result->contention[i], op, _ns));
	return 0;
}

/* What is wanted most first: where there are many classes the last ones have no place. */
int figure_add_contention(struct figure *figure, const struct fathom_result *result)
{
	static const struct {
		enum fathom_operation operation;
		enum fathom_layout layout;
		const char *words;
	} shown[] = {
		{FATHOM_OPERATION_ADD, FATHOM_LAYOUT_OWN_WORDS, "one line"},
		{FATHOM_OPERATION_ADD, FATHOM_LAYOUT_ONE_WORD, "one word"},
		{FATHOM_OPERATION_READ, FATHOM_LAYOUT_ONE_WORD, "read what one adds to"},
		{FATHOM_OPERATION_ADD, FATHOM_LAYOUT_OWN_LINES, "own lines"},
	};
	for (size_t k = 0; k < sizeof(shown) / sizeof(*shown); k++)
		for (size_t i = 0; i < result->core_class_count; i++)
			if (add_series(figure, result, (int)i, shown[k].operation, shown[k].layout,
				       shown[k].words))
				return -1;
	return 0;
}
