/* The figure of a core-to-core matrix: CPUs in the order of the classes found, so that groups stand
 * together. */
#include <math.h>
#include <stdlib.h>

#include "base/point.h"
#include "document/core_groups.h"
#include "views/figure.h"

/* From the outermost class inwards, and last by number. */
static bool comes_before(const struct core_groups *groups, size_t a, size_t b)
{
	for (size_t k = groups->class_count; k-- > 0;) {
		const size_t *of = groups->group_of + k * groups->cpu_count;
		if (of[a] != of[b])
			return of[a] < of[b];
	}
	return a < b;
}

/* By insertion: they are nearly in order. */
static void sort_places(const struct core_groups *groups, size_t *places)
{
	for (size_t i = 0; i < groups->cpu_count; i++) {
		size_t at = i;
		for (; at > 0 && comes_before(groups, i, places[at - 1]); at--)
			places[at] = places[at - 1];
		places[at] = i;
	}
}

static void fill_values(const struct fathom_curve *curve, const struct core_groups *groups,
			const size_t *row_of, struct figure_matrix *matrix)
{
	for (size_t i = 0; i < matrix->count * matrix->count; i++)
		matrix->values[i] = NAN;
	matrix->least = INFINITY;
	matrix->greatest = 0;
	for (size_t i = 0; i < curve->pair_count; i++) {
		const struct fathom_pair *pair = &curve->pairs[i];
		size_t a = row_of[core_groups_place(groups, pair->cpu_a)];
		size_t b = row_of[core_groups_place(groups, pair->cpu_b)];
		if (!pair_is_main(curve, pair))
			continue;
		matrix->values[a * matrix->count + b] = pair->latency_ns;
		matrix->values[b * matrix->count + a] = pair->latency_ns;
		matrix->least = fmin(matrix->least, pair->latency_ns);
		matrix->greatest = fmax(matrix->greatest, pair->latency_ns);
	}
}

/* What was not measured is shown as the median of its class. */
static void fill_rest(const struct core_groups *groups, const size_t *row_of,
		      struct figure_matrix *matrix)
{
	for (size_t a = 0; a < groups->cpu_count; a++)
		for (size_t b = 0; b < groups->cpu_count; b++) {
			double *value = &matrix->values[row_of[a] * matrix->count + row_of[b]];
			size_t class = core_groups_class(groups, a, b);
			if (a == b || !isnan(*value) || class == groups->class_count)
				continue;
			*value = groups->classes[class]->latency_ns;
		}
}

static bool fill(const struct fathom_curve *curve, const struct core_groups *groups,
		 struct figure_matrix *matrix)
{
	size_t count = groups->cpu_count;
	size_t *places = calloc(2 * count + 1, sizeof(*places)), *row_of = places + count;
	matrix->count = matrix->column_count = count;
	matrix->cpus = calloc(count + 1, sizeof(*matrix->cpus));
	matrix->begins = calloc(count + 1, sizeof(*matrix->begins));
	matrix->values = malloc((count * count + 1) * sizeof(*matrix->values));
	/* Threads of a core are too small a group to be told apart. */
	size_t core = groups->class_count && groups->classes[0]->kind == FATHOM_CORES_SMT;
	bool made = places && matrix->cpus && matrix->begins && matrix->values;
	if (made) {
		sort_places(groups, places);
		for (size_t i = 0; i < count; i++) {
			row_of[places[i]] = i;
			matrix->cpus[i] = groups->cpus[places[i]];
			matrix->begins[i] =
				i && core_groups_class(groups, places[i - 1], places[i]) > core;
		}
		fill_values(curve, groups, row_of, matrix);
		fill_rest(groups, row_of, matrix);
	}
	free(places);
	return made;
}

int figure_add_cores(struct figure *figure, const struct fathom_result *result)
{
	size_t curve = 0;
	struct core_groups groups;
	while (!result->curves[curve].pair_count)
		curve++;
	if (core_groups_make(result, curve, &groups, NULL))
		return -1; /* it was checked when it was made or read */
	bool made = fill(&result->curves[curve], &groups, &figure->matrix);
	core_groups_free(&groups);
	return made ? 0 : -1;
}

int figure_column(const struct figure_matrix *matrix, size_t column)
{
	return matrix->columns ? matrix->columns[column] : matrix->cpus[column];
}

void figure_free_matrix(struct figure_matrix *matrix)
{
	free(matrix->cpus);
	free(matrix->columns);
	free(matrix->begins);
	free(matrix->values);
	*matrix = (struct figure_matrix){0};
}
