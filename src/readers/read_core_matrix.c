/* Latencies between CPUs, a row a CPU: core-to-core-latency's CSV (the lower triangle, blanks
 * elsewhere, CPUs in order from 0), any other such CSV, and c2clat's table, whose first row and
 * column name the CPUs. Sources: README.md and results/ of nviennot/core-to-core-latency, README.md
 * of rigtorp/c2clat. */
#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/list.h"
#include "document/core_groups.h"
#include "document/table.h"
#include "readers/read_table.h"
#include "readers/read_units.h"
#include "readers/readers.h"

#define SQUARE_HINT "a core-to-core matrix has a row and a column for each CPU"
#define PAIR_HINT   "give each pair of CPUs a latency, in one triangle or in both"
#define VALUE_HINT  "latencies are in ns, one way"
/* Not a statement about memory, but about units: no line crosses in 10 ps or takes a second. */
#define LEAST_NS 0.01
#define MOST_NS  1e9

struct matrix {
	bool names; /* its first row and column do */
	char separator;
	size_t count;
	int *cpus;
	double *ns; /* row by row; NAN: blank */
};

/* ---- what it looks like ---- */

static bool is_named(struct span line)
{
	line = span_trim(line);
	if (!span_starts(line, "CPU"))
		return false;
	line = span_trim(span_after(line, strlen("CPU")));
	return line.length && isdigit((unsigned char)*line.start);
}

static char find_separator(struct span line)
{
	for (const char *c = ",;\t"; *c; c++)
		if (memchr(line.start, *c, line.length))
			return *c;
	return 0;
}

/* A first row of nothing but blanks and numbers that begins with a blank: of the first CPU with
 * itself; or with a 0, where no row of sizes and latencies has so many columns. */
static bool is_first_row(struct span line)
{
	char separator = find_separator(line);
	size_t columns = 0;
	for (bool more = separator != 0; more; columns++) {
		const char *end = memchr(line.start, separator, line.length);
		more = end != NULL;
		struct span cell = {line.start, end ? (size_t)(end - line.start) : line.length};
		double value;
		line = span_after(line, cell.length + more);
		cell = span_trim(cell);
		bool is_number = cell.length && span_number(cell, &value) == cell.length;
		if (cell.length && (!is_number || (columns == 0 && value != 0)))
			return false;
		if (columns == 0 && cell.length &&
		    !(more && memchr(line.start, separator, line.length)))
			return false;
	}
	return columns > 1;
}

bool core_matrix_detect(const char *bytes, size_t length)
{
	struct lines lines = {bytes, bytes + length, 0};
	struct span line;
	return table_next(&lines, &line, NULL) && (is_named(line) || is_first_row(line));
}

/* ---- cells ---- */

static int refuse_count(size_t count, struct fathom_error *error)
{
	return error_set(error, FATHOM_BAD_INPUT,
			 "measure every second CPU, or one socket at a time",
			 "the matrix is of %zu CPUs, and no more than %d are read", count,
			 CORE_GROUPS_MOST_CPUS);
}

static int read_cpu(struct span cell, size_t line, int *cpu, struct fathom_error *error)
{
	double number;
	if (span_number(cell, &number) != cell.length || cell.length == 0 || number < 0 ||
	    number >= CPU_LIST_MOST || number != floor(number))
		return span_refuse(cell, line, "is not the number of a CPU", SQUARE_HINT, error);
	*cpu = (int)number;
	return 0;
}

/* NAN: blank. */
static int read_ns(struct span cell, size_t line, double *ns, struct fathom_error *error)
{
	*ns = NAN;
	if (units_is_missing(cell))
		return 0;
	if (span_number(cell, ns) != cell.length)
		return span_refuse(cell, line, "is not a number", VALUE_HINT, error);
	if (*ns < 0)
		return span_refuse(cell, line, "is negative", VALUE_HINT, error);
	if (*ns > 0 && (*ns < LEAST_NS || *ns > MOST_NS))
		return span_refuse(cell, line, "is no latency between CPUs in ns", VALUE_HINT,
				   error);
	return 0;
}

/* ---- rows ---- */

static int read_names(struct span line, size_t number, struct matrix *matrix, struct cells *cells,
		      struct fathom_error *error)
{
	if (table_split(line, ' ', number, cells, error))
		return -1;
	matrix->count = cells->count - 1;
	if (matrix->count > CORE_GROUPS_MOST_CPUS)
		return refuse_count(matrix->count, error);
	matrix->cpus = calloc(matrix->count, sizeof(*matrix->cpus));
	if (!matrix->cpus)
		return error_no_memory(error);
	for (size_t i = 0; i < matrix->count; i++) {
		if (read_cpu(cells->items[i + 1], number, &matrix->cpus[i], error))
			return -1;
		if (i && matrix->cpus[i] <= matrix->cpus[i - 1])
			return span_refuse(cells->items[i + 1], number, "does not ascend",
					   SQUARE_HINT, error);
	}
	return 0;
}

/* One CPU a row, from 0 on. */
static int count_rows(struct lines lines, struct matrix *matrix, struct fathom_error *error)
{
	struct span line;
	while (table_next(&lines, &line, NULL))
		matrix->count++;
	if (matrix->count > CORE_GROUPS_MOST_CPUS)
		return refuse_count(matrix->count, error);
	matrix->cpus = calloc(matrix->count, sizeof(*matrix->cpus));
	for (size_t i = 0; matrix->cpus && i < matrix->count; i++)
		matrix->cpus[i] = (int)i;
	return matrix->cpus ? 0 : error_no_memory(error);
}

static int read_row(const struct cells *cells, size_t line, size_t row, struct matrix *matrix,
		    struct fathom_error *error)
{
	double *ns = matrix->ns + row * matrix->count, value;
	size_t first = matrix->names;
	int cpu = 0;
	if (first && read_cpu(cells->items[0], line, &cpu, error))
		return -1;
	if (first && cpu != matrix->cpus[row])
		return error_set(error, FATHOM_BAD_INPUT, SQUARE_HINT,
				 "line %zu: the row of CPU %d stands where that of CPU %d belongs",
				 line, cpu, matrix->cpus[row]);
	for (size_t i = 0; i < matrix->count; i++)
		ns[i] = NAN;
	for (size_t i = first; i < cells->count; i++) {
		if (read_ns(cells->items[i], line, &value, error))
			return -1;
		if (!isnan(value) && i - first >= matrix->count)
			return error_set(error, FATHOM_BAD_INPUT, SQUARE_HINT,
					 "line %zu: there are more columns than the %zu CPUs", line,
					 matrix->count);
		if (value == 0 && i - first != row)
			return span_refuse(cells->items[i], line, "is the latency of two CPUs",
					   PAIR_HINT, error);
		if (i - first < matrix->count)
			ns[i - first] = value;
	}
	return 0;
}

static int read_rows(struct lines lines, struct matrix *matrix, struct cells *cells,
		     struct fathom_error *error)
{
	struct span line;
	size_t row = 0;
	while (table_next(&lines, &line, NULL)) {
		if (row == matrix->count)
			return error_set(error, FATHOM_BAD_INPUT, SQUARE_HINT,
					 "line %zu: there are more rows than the %zu CPUs",
					 lines.number, matrix->count);
		if (table_split(line, matrix->separator, lines.number, cells, error) ||
		    read_row(cells, lines.number, row++, matrix, error))
			return -1;
	}
	return row == matrix->count
		       ? 0
		       : error_set(error, FATHOM_BAD_INPUT, SQUARE_HINT,
				   "there are %zu rows for %zu CPUs: the matrix is not square", row,
				   matrix->count);
}

/* ---- pairs ---- */

static bool has_triangle(const struct matrix *matrix, bool upper)
{
	for (size_t row = 0; row < matrix->count; row++)
		for (size_t column = 0; column < row; column++)
			if (!isnan(matrix->ns[upper ? column * matrix->count + row
						    : row * matrix->count + column]))
				return true;
	return false;
}

static int refuse_hole(const struct matrix *matrix, size_t a, size_t b, struct fathom_error *error)
{
	return error_set(error, FATHOM_BAD_INPUT, PAIR_HINT,
			 "there is no latency in the row of CPU %d for CPU %d", matrix->cpus[a],
			 matrix->cpus[b]);
}

/* Both directions of a pair are two blocks, unless the tool wrote one value twice. */
static int make_pair(double forth_ns, double back_ns, struct fathom_pair *pair,
		     struct fathom_error *error)
{
	bool both = !isnan(forth_ns) && !isnan(back_ns) && forth_ns != back_ns;
	pair->latency_ns = isnan(forth_ns)  ? back_ns
			   : isnan(back_ns) ? forth_ns
					    : (forth_ns + back_ns) / 2;
	pair->blocks_ns = both ? malloc(2 * sizeof(*pair->blocks_ns)) : NULL;
	if (!both)
		return 0;
	if (!pair->blocks_ns)
		return error_no_memory(error);
	pair->blocks_ns[0] = forth_ns;
	pair->blocks_ns[1] = back_ns;
	pair->block_count = 2;
	return 0;
}

static int add_pairs(const struct matrix *matrix, struct fathom_curve *curve,
		     struct fathom_error *error)
{
	bool lower = has_triangle(matrix, false), upper = has_triangle(matrix, true);
	for (size_t row = 0; row < matrix->count; row++)
		for (size_t column = 0; column < row; column++) {
			struct fathom_pair *pair = &curve->pairs[curve->pair_count];
			double back_ns = matrix->ns[row * matrix->count + column];
			double forth_ns = matrix->ns[column * matrix->count + row];
			if (isnan(back_ns) && (lower || !upper))
				return refuse_hole(matrix, row, column, error);
			if (isnan(forth_ns) && upper)
				return refuse_hole(matrix, column, row, error);
			table_unknown(&pair_table, pair);
			pair->cpu_a = matrix->cpus[column];
			pair->cpu_b = matrix->cpus[row];
			if (make_pair(forth_ns, back_ns, pair, error))
				return -1;
			curve->pair_count++;
		}
	return 0;
}

static int add_curve(const struct matrix *matrix, struct fathom_result *result,
		     struct fathom_error *error)
{
	struct fathom_curve curve;
	table_unknown(&curve_table, &curve);
	curve.experiment = FATHOM_CORE_TO_CORE;
	curve.tool = strdup(matrix->names ? "c2clat" : "core-to-core-latency");
	curve.pairs = calloc(matrix->count * (matrix->count - 1) / 2, sizeof(*curve.pairs));
	int failed = curve.tool && curve.pairs ? add_pairs(matrix, &curve, error)
					       : error_no_memory(error);
	if (!failed && LIST_APPEND(&result->curves, &result->curve_count, &curve))
		failed = error_no_memory(error);
	if (failed)
		table_clear(&curve_table, &curve);
	return failed;
}

/* ---- all ---- */

static int read_matrix(struct lines lines, struct matrix *matrix, struct cells *cells,
		       struct fathom_error *error)
{
	struct lines after = lines;
	struct span line;
	table_next(&after, &line, NULL);
	matrix->names = is_named(line);
	matrix->separator = matrix->names ? ' ' : find_separator(line);
	if (matrix->names ? read_names(line, after.number, matrix, cells, error)
			  : count_rows(lines, matrix, error))
		return -1;
	if (matrix->count < 2)
		return error_set(error, FATHOM_BAD_INPUT, PAIR_HINT, "one CPU makes no pair");
	matrix->ns = malloc(matrix->count * matrix->count * sizeof(*matrix->ns));
	if (!matrix->ns)
		return error_no_memory(error);
	return read_rows(matrix->names ? after : lines, matrix, cells, error);
}

int core_matrix_read(const char *bytes, size_t length, const struct fathom_input *input,
		     struct fathom_result *result, struct fathom_error *error)
{
	struct matrix matrix = {0};
	struct cells cells = {0};
	(void)input;
	int failed = read_matrix((struct lines){bytes, bytes + length, 0}, &matrix, &cells, error);
	if (!failed)
		failed = add_curve(&matrix, result, error);
	cells_free(&cells);
	free(matrix.cpus);
	free(matrix.ns);
	return failed;
}
