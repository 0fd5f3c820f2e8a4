#include "model/steps/linear.h"

#include <math.h>
#include <string.h>

#define ITERATIONS 20    /* a bound of work */
#define FREEDOM    4.0   /* of Student's t */
#define RIDGE      1e-9  /* of a column's square: decides between columns that are the same */
#define STILL      0.1   /* a fall of the cost that is not worth another iteration */
#define PATIENCE   5.0   /* times its last fall, the cost may fall yet */
#define WIDE_FIRST 100.0 /* times the variances, before the first solution is judged by them */

#define DOUBLES_OF_ZERO ((sizeof(struct linear_zero) + sizeof(double) - 1) / sizeof(double))

#define MOST_COLUMNS (2 * LINEAR_COLUMNS) /* with one more for each reach */
#define MOVE_WEIGHT  100.0 /* 1 / variance of a move before any value is known: a tenth, squared */

/* Equations to be solved: too large for the stack of a small thread. */
struct linear_normal {
	size_t count;
	const double *columns[MOST_COLUMNS];
	double gram[MOST_COLUMNS][MOST_COLUMNS];
	double moment[MOST_COLUMNS];
};
#define DOUBLES_OF_NORMAL ((sizeof(struct linear_normal) + sizeof(double) - 1) / sizeof(double))

/* Any two doubles, side by side. */
typedef double pair __attribute__((vector_size(2 * sizeof(double)), aligned(sizeof(double))));

size_t linear_scratch_count(size_t rows)
{
	return DOUBLES_OF_NORMAL + rows * (3 * LINEAR_COLUMNS + 8 + DOUBLES_OF_ZERO);
}

void linear_place(struct linear *linear, double *scratch)
{
	size_t rows = linear->rows, places = rows * linear->columns;
	double **arrays[] = {&linear->value,    &linear->error,    &linear->start,
			     &linear->outlying, &linear->variance, &linear->weight,
			     &linear->residual, &linear->spare};
	linear->normal = (struct linear_normal *)(void *)scratch;
	scratch += DOUBLES_OF_NORMAL;
	linear->column = scratch;
	linear->moved = scratch + places;
	linear->slope = scratch + 2 * places;
	scratch += 3 * places;
	for (size_t i = 0; i < sizeof(arrays) / sizeof(*arrays); i++)
		*arrays[i] = scratch + i * rows;
	linear->zeros =
		(struct linear_zero *)(void *)(scratch + sizeof(arrays) / sizeof(*arrays) * rows);
	linear->zero_count = 0;
	memset(linear->column, 0, 3 * places * sizeof(double));
	memset(linear->first, 0, sizeof(linear->first));
}

/* Eight sums at once, as nothing says in which order to add. */
static double product_sum(const double *a, const double *b, size_t first, size_t end)
{
	pair sums[4] = {{0}};
	double rest = 0;
	size_t i = first;
	for (; i + 8 <= end; i += 8) {
		sums[0] += *(const pair *)(a + i) * *(const pair *)(b + i);
		sums[1] += *(const pair *)(a + i + 2) * *(const pair *)(b + i + 2);
		sums[2] += *(const pair *)(a + i + 4) * *(const pair *)(b + i + 4);
		sums[3] += *(const pair *)(a + i + 6) * *(const pair *)(b + i + 6);
	}
	for (; i < end; i++)
		rest += a[i] * b[i];
	sums[0] = (sums[0] + sums[1]) + (sums[2] + sums[3]);
	return rest + sums[0][0] + sums[0][1];
}

static void accumulate(struct linear *linear)
{
	size_t rows = linear->rows;
	double *weighted = linear->spare;
	for (size_t a = 0; a < linear->columns; a++) {
		const double *column = linear->column + a * rows;
		for (size_t i = linear->first[a]; i < rows; i++)
			weighted[i] = linear->weight[i] * column[i];
		linear->moment[a] = product_sum(weighted, linear->value, linear->first[a], rows);
		for (size_t b = 0; b <= a; b++) {
			size_t first = linear->first[a] > linear->first[b] ? linear->first[a]
									   : linear->first[b];
			linear->gram[a][b] =
				product_sum(weighted, linear->column + b * rows, first, rows);
		}
	}
}

/* Cholesky's decomposition, in place, of the lower half. False: not positive definite. */
static bool decompose(double gram[][MOST_COLUMNS], size_t count)
{
	for (size_t a = 0; a < count; a++)
		for (size_t b = 0; b <= a; b++) {
			double sum = gram[a][b];
			for (size_t k = 0; k < b; k++)
				sum -= gram[a][k] * gram[b][k];
			if (a == b && !(sum > 0))
				return false;
			gram[a][b] = a == b ? sqrt(sum) : sum / gram[b][b];
		}
	return true;
}

/* By the lower factor alone. */
static void substitute(double factor[][MOST_COLUMNS], const double *moment, size_t count,
		       double *solved)
{
	for (size_t a = 0; a < count; a++) {
		double sum = moment[a];
		for (size_t k = 0; k < a; k++)
			sum -= factor[a][k] * solved[k];
		solved[a] = sum / factor[a][a];
	}
}

/* In place. False: not positive definite. */
static bool solve_gram(double gram[][MOST_COLUMNS], const double *moment, size_t count,
		       double *solved)
{
	if (!decompose(gram, count))
		return false;
	substitute(gram, moment, count, solved);
	for (size_t a = count; a-- > 0;) {
		double sum = solved[a];
		for (size_t k = a + 1; k < count; k++)
			sum -= gram[k][a] * solved[k];
		solved[a] = sum / gram[a][a];
	}
	return true;
}

/* The columns of `use` alone, with a ridge that only decides between columns that are the same. */
static bool solve_for(const struct linear *linear, const size_t *use, size_t count, double *solved)
{
	double(*gram)[MOST_COLUMNS] = linear->normal->gram, *moment = linear->normal->moment;
	for (size_t a = 0; a < count; a++) {
		for (size_t b = 0; b <= a; b++)
			gram[a][b] = linear->gram[use[a]][use[b]];
		gram[a][a] += RIDGE * gram[a][a] + 1e-300;
		moment[a] = linear->moment[use[a]];
	}
	return solve_gram(gram, moment, count, solved);
}

static size_t list_used(const struct linear *linear, size_t *use)
{
	size_t count = 0;
	for (size_t c = 0; c < linear->columns; c++)
		if (linear->gram[c][c] > 0)
			use[count++] = c;
	return count;
}

/* Non-negative: what comes out negative is left out, the most negative first. */
static void solve(struct linear *linear)
{
	size_t use[LINEAR_COLUMNS], count = list_used(linear, use);
	double solved[LINEAR_COLUMNS];
	memset(linear->solution, 0, sizeof(linear->solution));
	while (count && !solve_for(linear, use, count, solved))
		count--;
	for (;;) {
		size_t worst = count;
		for (size_t i = 0; i < count; i++)
			if (solved[i] < 0 && (worst == count || solved[i] < solved[worst]))
				worst = i;
		if (worst == count)
			break;
		memmove(use + worst, use + worst + 1, (count - worst - 1) * sizeof(*use));
		count--;
		if (!solve_for(linear, use, count, solved))
			break;
	}
	for (size_t i = 0; i < count; i++)
		linear->solution[use[i]] = fmax(0, solved[i]);
}

static void weigh_first(struct linear *linear)
{
	for (size_t i = 0; i < linear->rows; i++)
		linear->weight[i] =
			1 / ((1 + linear->outlying[i]) * linear->start[i] * linear->start[i]);
}

/* What the solution leaves of the values, and the variance of that. */
static void compare(struct linear *linear)
{
	size_t rows = linear->rows;
	double *moved = linear->variance, *residual = linear->residual;
	memset(moved, 0, rows * sizeof(*moved));
	memcpy(residual, linear->value, rows * sizeof(*residual));
	for (size_t c = 0; c < linear->columns; c++) {
		const double *column = linear->column + c * rows;
		const double *column_moved = linear->moved + c * rows;
		double solution = linear->solution[c];
		if (!(solution > 0))
			continue;
		for (size_t i = linear->first[c]; i < rows; i++) {
			moved[i] += solution * column_moved[i];
			residual[i] -= solution * column[i];
		}
	}
	for (size_t i = 0; i < rows; i++)
		linear->variance[i] = linear->error[i] * linear->error[i] + moved[i] * moved[i];
}

/* A residual r of variance v is as likely as (1 + r^2 / 4 v)^-5/2, as of Student's t of 4 degrees
 * of freedom, over the root of v. */
static inline double plain_of(double residual, double variance)
{
	double share = FREEDOM * variance / (FREEDOM * variance + residual * residual);
	return share * share * sqrt(share);
}

/* Or it is anything, as `outlying`. Sets the weights of rows, and the density of each. */
static void weigh_rows(struct linear *linear, size_t first, size_t end)
{
	const double *restrict variance = linear->variance, *restrict residual = linear->residual;
	const double *restrict outlying = linear->outlying;
	double *restrict weight = linear->weight, *restrict density = linear->spare;
	for (size_t i = first; i < end; i++) {
		double plain = plain_of(residual[i], variance[i]);
		double wide = FREEDOM * variance[i] + residual[i] * residual[i];
		density[i] = plain + outlying[i];
		weight[i] = plain * (FREEDOM + 1) / (density[i] * wide);
	}
}

static void swap(double *a, double *b)
{
	double keep = *a;
	*a = *b;
	*b = keep;
}

/* A row where a column may be absent is as likely as both ways together, and is taken for the
 * likelier one. */
static void weigh_zero(struct linear *linear, struct linear_zero *zero)
{
	size_t i = zero->row, place = zero->column * linear->rows + i;
	double solution = linear->solution[zero->column];
	double least = linear->error[i] * linear->error[i];
	double moved = sqrt(fmax(0, linear->variance[i] - least)) +
		       solution * (zero->moved - linear->moved[place]);
	double variance = least + moved * moved;
	double residual = linear->residual[i] + solution * (linear->column[place] - zero->entry);
	double share = zero->absent ? zero->probability : 1 - zero->probability;
	double taken = share * linear->spare[i] / sqrt(linear->variance[i]);
	double other =
		(1 - share) * (plain_of(residual, variance) + linear->outlying[i]) / sqrt(variance);
	if (other > taken) {
		swap(&linear->column[place], &zero->entry);
		swap(&linear->moved[place], &zero->moved);
		swap(&linear->slope[place], &zero->slope);
		zero->absent = !zero->absent;
		linear->residual[i] = residual;
		linear->variance[i] = variance;
		weigh_rows(linear, i, i + 1);
	}
	linear->spare[i] = (taken + other) * sqrt(linear->variance[i]);
}

/* -2 ln likelihood of all rows. One logarithm for several rows. */
static double cost_of_rows(const struct linear *linear)
{
	double cost = 0, variances = 1, densities = 1;
	for (size_t i = 0; i < linear->rows; i++) {
		variances *= linear->variance[i];
		densities *= linear->spare[i];
		if (variances > 1e100 || variances < 1e-100 || densities < 1e-100) {
			cost += log(variances) - 2 * log(densities);
			variances = densities = 1;
		}
	}
	return cost + log(variances) - 2 * log(densities);
}

/* New weights. Returns the cost of all rows. */
static double weigh(struct linear *linear)
{
	compare(linear);
	weigh_rows(linear, 0, linear->rows);
	for (size_t i = 0; i < linear->zero_count; i++)
		weigh_zero(linear, &linear->zeros[i]);
	return cost_of_rows(linear);
}

/* As if all errors were larger: what is far pulls as well, but the less the farther it is. Where
 * many points are far, the first solution is between all of them, and from there on the errors as
 * they are would keep whatever is near by chance. */
static void weigh_wide(struct linear *linear)
{
	compare(linear);
	for (size_t i = 0; i < linear->rows; i++)
		linear->variance[i] *= WIDE_FIRST;
	weigh_rows(linear, 0, linear->rows);
}

/* Better and better weights, and the solution with them. */
static double iterate(struct linear *linear, double cost, double limit)
{
	for (int i = 0; i < ITERATIONS; i++) {
		double before = cost;
		accumulate(linear);
		solve(linear);
		cost = weigh(linear);
		double fall = before - cost;
		if (fabs(fall) < STILL || (i > 0 && fall > 0 && cost - PATIENCE * fall > limit))
			break;
	}
	return cost;
}

double linear_solve(struct linear *linear, double limit)
{
	weigh_first(linear);
	accumulate(linear);
	solve(linear);
	weigh_wide(linear);
	return iterate(linear, INFINITY, limit);
}

double linear_solve_again(struct linear *linear, double limit)
{
	return iterate(linear, weigh(linear), limit);
}

/* ---- one column more ---- */

void linear_span_make(struct linear *linear, struct linear_span *span)
{
	for (size_t i = 0; i < linear->rows; i++)
		linear->weight[i] = (FREEDOM + 1) / (FREEDOM * linear->variance[i] +
						     linear->residual[i] * linear->residual[i]);
	accumulate(linear);
	span->count = 0;
	span->factor = linear->normal->gram;
	for (size_t c = 0; c < linear->columns; c++)
		if (linear->solution[c] > 0 && linear->gram[c][c] > 0)
			span->use[span->count++] = c;
	for (size_t a = 0; a < span->count; a++) {
		size_t row = span->use[a];
		for (size_t b = 0; b <= a; b++)
			span->factor[a][b] = linear->gram[row][span->use[b]];
		span->factor[a][a] += RIDGE * span->factor[a][a] + 1e-300;
	}
	if (!decompose(span->factor, span->count)) {
		span->count = 0;
		return;
	}
	double moment[LINEAR_COLUMNS];
	for (size_t i = 0; i < linear->rows; i++)
		linear->spare[i] = linear->weight[i] * linear->residual[i];
	for (size_t a = 0; a < span->count; a++)
		moment[a] = product_sum(linear->spare, linear->column + span->use[a] * linear->rows,
					linear->first[span->use[a]], linear->rows);
	substitute(span->factor, moment, span->count, span->along);
}

double linear_gain(const struct linear *linear, const struct linear_span *span,
		   const double *column)
{
	size_t rows = linear->rows;
	double *weighted = linear->spare, moment[LINEAR_COLUMNS], along[LINEAR_COLUMNS];
	for (size_t i = 0; i < rows; i++)
		weighted[i] = linear->weight[i] * column[i];
	double all = product_sum(weighted, column, 0, rows), left = all;
	double pull = product_sum(weighted, linear->residual, 0, rows);
	for (size_t a = 0; a < span->count; a++)
		moment[a] = product_sum(weighted, linear->column + span->use[a] * rows,
					linear->first[span->use[a]], rows);
	substitute(span->factor, moment, span->count, along);
	for (size_t a = 0; a < span->count; a++) {
		left -= along[a] * along[a];
		pull -= along[a] * span->along[a];
	}
	return pull > 0 && left > RIDGE * all ? pull * pull / left : 0;
}

/* ---- where the reaches should move ---- */

static void make_normal(struct linear *linear, double *weighted, struct linear_normal *normal)
{
	size_t rows = linear->rows;
	for (size_t a = 0; a < normal->count; a++) {
		for (size_t i = 0; i < rows; i++)
			weighted[i] = linear->weight[i] * normal->columns[a][i];
		normal->moment[a] = product_sum(weighted, linear->residual, 0, rows);
		for (size_t b = 0; b <= a; b++)
			normal->gram[a][b] = product_sum(weighted, normal->columns[b], 0, rows);
	}
}

/* The columns that count, and for each reach what the values lose where it grows. */
static size_t list_columns(struct linear *linear, const size_t *reach_of, size_t count,
			   double *spare, struct linear_normal *normal)
{
	size_t rows = linear->rows, plain = 0;
	memset(spare, 0, count * rows * sizeof(*spare));
	for (size_t c = 0; c < linear->columns; c++) {
		if (!(linear->solution[c] > 0))
			continue;
		normal->columns[plain++] = linear->column + c * rows;
		if (reach_of[c] >= count)
			continue;
		double *moved = spare + reach_of[c] * rows;
		const double *slope = linear->slope + c * rows;
		for (size_t i = linear->first[c]; i < rows; i++)
			moved[i] -= linear->solution[c] * slope[i];
	}
	for (size_t s = 0; s < count; s++)
		normal->columns[plain + s] = spare + s * rows;
	normal->count = plain + count;
	return plain;
}

bool linear_moves(struct linear *linear, const size_t *reach_of, size_t count, double *spare,
		  double *moves)
{
	struct linear_normal *normal = linear->normal;
	double solved[MOST_COLUMNS];
	size_t plain = list_columns(linear, reach_of, count, spare, normal);
	make_normal(linear, linear->variance, normal);
	for (size_t a = 0; a < normal->count; a++)
		normal->gram[a][a] += a < plain ? RIDGE * normal->gram[a][a] : MOVE_WEIGHT;
	if (!solve_gram(normal->gram, normal->moment, normal->count, solved))
		return false;
	memcpy(moves, solved + plain, count * sizeof(*moves));
	return true;
}

double linear_log_determinant(struct linear *linear, const size_t *reach_of, size_t count,
			      double *spare, const double *reach_precisions,
			      double solution_precision, size_t *free_count)
{
	struct linear_normal *normal = linear->normal;
	double scale[MOST_COLUMNS], ln = 0;
	size_t plain = 0;
	for (size_t c = 0; c < linear->columns; c++)
		if (linear->solution[c] > 0)
			scale[plain++] = linear->solution[c];
	list_columns(linear, reach_of, count, spare, normal);
	make_normal(linear, linear->variance, normal);
	for (size_t a = 0; a < normal->count; a++) {
		for (size_t b = 0; b <= a; b++)
			normal->gram[a][b] *=
				(a < plain ? scale[a] : 1) * (b < plain ? scale[b] : 1);
		normal->gram[a][a] += a < plain ? solution_precision : reach_precisions[a - plain];
	}
	*free_count = normal->count;
	if (!decompose(normal->gram, normal->count))
		return INFINITY;
	for (size_t a = 0; a < normal->count; a++)
		ln += 2 * log(normal->gram[a][a]);
	return ln;
}

/* Var(c'x) = c' G^-1 c: solve G y = c, then c'y. */
double linear_variance(struct linear *linear, const double *sum)
{
	size_t use[LINEAR_COLUMNS] = {0};
	double solved[LINEAR_COLUMNS], variance = 0;
	accumulate(linear);
	size_t count = list_used(linear, use);
	memcpy(linear->moment, sum, sizeof(linear->moment));
	if (solve_for(linear, use, count, solved))
		for (size_t k = 0; k < count; k++)
			variance += sum[use[k]] * solved[k];
	return variance;
}
