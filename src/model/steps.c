#include "model/steps.h"

#include <math.h>
#include <string.h>

#define COLUMNS          (STEPS_MOST + 2 * STEPS_CURVES) /* of one curve: bases, last steps */
#define ITERATIONS       5
#define FREEDOM          4.0
#define SOFT_REACH_ERROR 0.01 /* many accesses average over all places */
#define SHAPE_ERROR      0.01 /* of a step, half-way up: the laws are not all of the truth */
#define STEEP_PRICE      10
#define LOW_PRICE        6
#define USUAL_RISE       0.6 /* of a cache, over what is below */
#define NEAR_PRICE       12
#define USUAL_APART_LN   1.3863 /* ln 4: of one cache and the next */
#define RIDGE            1e-9

/* The linear problem of all curves together. */
struct linear {
	size_t rows, columns;
	size_t first_row[STEPS_CURVES];
	size_t base_of[STEPS_CURVES]; /* columns */
	size_t column_of[STEPS_CURVES][STEPS_MOST];
	double *missed; /* rows x columns */
	double *moved;  /* rows x columns: by a standard deviation of the reach */
	double *value, *error, *start,
		*outlying; /* rows: the points, and the errors to start from */
	double *sigma;     /* rows */
	double *weight;    /* rows */
	double gram[COLUMNS][COLUMNS];
	double moment[COLUMNS];
	double solution[COLUMNS];
};

size_t steps_scratch_count(const struct steps_curve *curves, size_t curve_count)
{
	size_t rows = 0;
	for (size_t i = 0; i < curve_count; i++)
		rows += curves[i].count;
	return rows * (2 * COLUMNS + 6);
}

/* Of a step's rise, what the curve shows of it. */
static double share_on(const struct steps_problem *problem, const struct steps_curve *curve,
		       const struct step *step)
{
	return curve->role == STEPS_CONTROL && step->translation ? problem->visits : 1;
}

static size_t shape_on(const struct steps_curve *curve, const struct step *step)
{
	return curve->role == STEPS_SOFT ? shapes_soft_of(step->shape) : step->shape;
}

/* Steps rise as much in another order as in the main curve, but for the last one in windows: of
 * these prefetchers bring more from memory. */
static bool is_tied(const struct steps *steps, size_t which, enum steps_role role)
{
	bool last = !steps->items[which].translation;
	for (size_t s = 0; s < steps->count; s++)
		last &= steps->items[s].translation ||
			steps->items[s].ln_reach <= steps->items[which].ln_reach;
	return role == STEPS_SOFT || !last;
}

static void give_columns(const struct steps_problem *problem, const struct steps *steps,
			 struct linear *linear)
{
	linear->columns = 0;
	for (size_t i = 0; i < problem->curve_count; i++) {
		enum steps_role role = problem->curves[i].role;
		linear->base_of[i] = role == STEPS_CONTROL ? 0 : linear->columns++;
		for (size_t s = 0; s < steps->count; s++) {
			size_t *column = &linear->column_of[i][s];
			if (i > 0 && is_tied(steps, s, role))
				*column = linear->column_of[0][s];
			else
				*column = linear->columns++;
		}
	}
}

static void fill_column(const struct steps_problem *problem, const struct step *step,
			struct linear *linear, size_t i, size_t column)
{
	const struct steps_curve *curve = &problem->curves[i];
	double share = share_on(problem, curve, step);
	size_t shape = shape_on(curve, step), columns = linear->columns;
	double reach_error =
		shapes_class(shape) == SHAPE_SOFT ? SOFT_REACH_ERROR : problem->reach_error;
	for (size_t k = 0; k < curve->count; k++) {
		struct shape_value at =
			shapes_at(problem->shapes, shape, curve->ln_size[k] - step->ln_reach);
		size_t place = (linear->first_row[i] + k) * columns + column;
		linear->missed[place] = share * at.missed;
		linear->moved[place] = share * (at.slope * reach_error +
						SHAPE_ERROR * 4 * at.missed * (1 - at.missed));
	}
}

static void fill_curve(const struct steps_problem *problem, const struct steps *steps,
		       struct linear *linear, size_t i)
{
	const struct steps_curve *curve = &problem->curves[i];
	size_t row = linear->first_row[i], bytes = curve->count * sizeof(double);
	memcpy(linear->value + row, curve->value, bytes);
	memcpy(linear->error + row, curve->error, bytes);
	memcpy(linear->start + row, curve->start_error, bytes);
	for (size_t k = 0; k < curve->count; k++)
		linear->outlying[row + k] = problem->outlying * curve->outlying[k];
	for (size_t k = 0; k < curve->count; k++)
		linear->missed[(row + k) * linear->columns + linear->base_of[i]] = 1;
	for (size_t s = 0; s < steps->count; s++)
		fill_column(problem, &steps->items[s], linear, i, linear->column_of[i][s]);
}

static void build(const struct steps_problem *problem, const struct steps *steps,
		  struct linear *linear)
{
	linear->rows = 0;
	for (size_t i = 0; i < problem->curve_count; i++) {
		linear->first_row[i] = linear->rows;
		linear->rows += problem->curves[i].count;
	}
	give_columns(problem, steps, linear);
	size_t places = linear->rows * linear->columns;
	linear->missed = problem->scratch;
	linear->moved = linear->missed + places;
	linear->sigma = linear->moved + places;
	linear->weight = linear->sigma + linear->rows;
	linear->value = linear->weight + linear->rows;
	linear->error = linear->value + linear->rows;
	linear->start = linear->error + linear->rows;
	linear->outlying = linear->start + linear->rows;
	memset(linear->missed, 0, 2 * places * sizeof(double));
	for (size_t i = 0; i < problem->curve_count; i++)
		fill_curve(problem, steps, linear, i);
}

static void accumulate(struct linear *linear)
{
	size_t columns = linear->columns;
	memset(linear->gram, 0, sizeof(linear->gram));
	memset(linear->moment, 0, sizeof(linear->moment));
	for (size_t i = 0; i < linear->rows; i++) {
		const double *row = linear->missed + i * columns;
		for (size_t a = 0; a < columns; a++) {
			double weighted = linear->weight[i] * row[a];
			if (weighted == 0)
				continue;
			linear->moment[a] += weighted * linear->value[i];
			for (size_t b = 0; b <= a; b++)
				linear->gram[a][b] += weighted * row[b];
		}
	}
}

/* The columns of `use` alone, by Cholesky's decomposition with a ridge that only decides between
 * columns that are the same. False: not positive definite. */
static bool solve_for(const struct linear *linear, const size_t *use, size_t count, double *solved)
{
	double lower[COLUMNS][COLUMNS];
	for (size_t a = 0; a < count; a++)
		for (size_t b = 0; b <= a; b++) {
			double sum = linear->gram[use[a]][use[b]];
			if (a == b)
				sum += RIDGE * sum + 1e-300;
			for (size_t k = 0; k < b; k++)
				sum -= lower[a][k] * lower[b][k];
			if (a == b && !(sum > 0))
				return false;
			lower[a][b] = a == b ? sqrt(sum) : sum / lower[b][b];
		}
	for (size_t a = 0; a < count; a++) {
		double sum = linear->moment[use[a]];
		for (size_t k = 0; k < a; k++)
			sum -= lower[a][k] * solved[k];
		solved[a] = sum / lower[a][a];
	}
	for (size_t a = count; a-- > 0;) {
		double sum = solved[a];
		for (size_t k = a + 1; k < count; k++)
			sum -= lower[k][a] * solved[k];
		solved[a] = sum / lower[a][a];
	}
	return true;
}

/* Non-negative: what comes out negative is left out, the most negative first. */
static void solve(struct linear *linear)
{
	size_t use[COLUMNS], count = 0;
	double solved[COLUMNS];
	for (size_t c = 0; c < linear->columns; c++)
		if (linear->gram[c][c] > 0)
			use[count++] = c;
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

/* How likely such a residual is, 1 for none at all; *share: of a plain error in that. */
static double likely(double outlying, double ratio, double *share)
{
	double wide = 1 + ratio * ratio / FREEDOM;
	double plain = 1 / (wide * wide * sqrt(wide)); /* Student's t of 4 degrees of freedom */
	*share = plain / (plain + outlying);
	return plain + outlying;
}

static void weigh(struct linear *linear, bool first)
{
	size_t columns = linear->columns;
	for (size_t i = 0; i < linear->rows; i++) {
		double moved = 0, value = 0, share;
		for (size_t c = 0; c < columns && !first; c++) {
			moved += linear->solution[c] * linear->moved[i * columns + c];
			value += linear->solution[c] * linear->missed[i * columns + c];
		}
		double error = first ? linear->start[i] : linear->error[i];
		double variance = error * error + moved * moved;
		double residual = first ? 0 : linear->value[i] - value;
		linear->sigma[i] = sqrt(variance);
		likely(linear->outlying[i], residual / linear->sigma[i], &share);
		linear->weight[i] = share * (FREEDOM + 1) /
				    (FREEDOM + residual * residual / variance) / variance;
	}
}

static double cost_of(const struct linear *linear)
{
	double cost = 0, product = 1;
	size_t columns = linear->columns;
	for (size_t i = 0; i < linear->rows; i++) {
		double value = 0, share;
		for (size_t c = 0; c < columns; c++)
			value += linear->solution[c] * linear->missed[i * columns + c];
		double density = likely(linear->outlying[i],
					(linear->value[i] - value) / linear->sigma[i], &share) /
				 linear->sigma[i];
		product /= density * density; /* one logarithm for several points */
		if (product > 1e100 || product < 1e-100) {
			cost += log(product);
			product = 1;
		}
	}
	return cost + log(product);
}

static void solve_all(struct linear *linear)
{
	for (int i = 0; i < ITERATIONS; i++) {
		weigh(linear, i == 0);
		accumulate(linear);
		solve(linear);
	}
	weigh(linear, false);
}

/* -2 ln of how rare a cache is that adds so little, or is so near the one before. */
static double price_of_cache(const struct step *step, const struct step *before, double below)
{
	double relative = step->rise[0] / fmax(below, 1e-9), price = 0;
	if (relative < USUAL_RISE)
		price += LOW_PRICE * log(USUAL_RISE / fmax(relative, 1e-3));
	if (before && step->ln_reach - before->ln_reach < USUAL_APART_LN)
		price += NEAR_PRICE * (USUAL_APART_LN - (step->ln_reach - before->ln_reach));
	return price;
}

/* Translation seldom costs more than what is below it. */
static double price_of_translation(const struct step *step, double below)
{
	return step->rise[0] > below ? STEEP_PRICE * log(step->rise[0] / fmax(below, 1e-9)) : 0;
}

/* Latency of all that is nearer than the step. */
static double value_below(const struct steps *steps, const struct step *step,
			  const struct step **cache)
{
	double below = steps->base[0];
	*cache = NULL;
	for (size_t i = 0; i < steps->count; i++) {
		const struct step *other = &steps->items[i];
		if (other == step || other->ln_reach > step->ln_reach)
			continue;
		below += other->rise[0];
		if (!other->translation && (!*cache || other->ln_reach > (*cache)->ln_reach))
			*cache = other;
	}
	return below;
}

static double price_of(const struct steps *steps)
{
	double price = 0;
	for (size_t s = 0; s < steps->count; s++) {
		const struct step *step = &steps->items[s], *before;
		double below = value_below(steps, step, &before);
		price += shapes_price(step->shape);
		price += step->translation ? price_of_translation(step, below)
					   : price_of_cache(step, before, below);
	}
	return price;
}

void steps_solve(const struct steps_problem *problem, struct steps *steps)
{
	struct linear linear;
	build(problem, steps, &linear);
	solve_all(&linear);
	steps->cost = cost_of(&linear);
	for (size_t i = 0; i < problem->curve_count; i++) {
		steps->base[i] = linear.solution[linear.base_of[i]];
		for (size_t s = 0; s < steps->count; s++) {
			struct step *step = &steps->items[s];
			step->rise[i] = linear.solution[linear.column_of[i][s]] *
					share_on(problem, &problem->curves[i], step);
		}
	}
	steps->cost += price_of(steps);
}

double steps_value(const struct steps_problem *problem, const struct steps *steps, size_t curve,
		   double ln_size)
{
	double value = steps->base[curve];
	for (size_t s = 0; s < steps->count; s++) {
		const struct step *step = &steps->items[s];
		size_t shape = shape_on(&problem->curves[curve], step);
		value += step->rise[curve] *
			 shapes_at(problem->shapes, shape, ln_size - step->ln_reach).missed;
	}
	return value;
}

/* Var(c'x) = c' G^-1 c: solve G y = c, then c'y. */
void steps_errors(const struct steps_problem *problem, const struct steps *steps, double *sums)
{
	struct linear linear;
	size_t all[COLUMNS], count = 0, out = 0;
	double solved[COLUMNS];
	build(problem, steps, &linear);
	solve_all(&linear);
	accumulate(&linear);
	for (size_t c = 0; c < linear.columns; c++)
		if (linear.gram[c][c] > 0)
			all[count++] = c;
	memset(linear.moment, 0, sizeof(linear.moment));
	for (size_t s = 0; s <= steps->count; s++) {
		if (s > 0 && steps->items[s - 1].translation)
			continue;
		linear.moment[s ? linear.column_of[0][s - 1] : linear.base_of[0]] = 1;
		double variance = 0;
		if (solve_for(&linear, all, count, solved))
			for (size_t k = 0; k < count; k++)
				variance += linear.moment[all[k]] * solved[k];
		sums[out++] = sqrt(fmax(0, variance));
	}
}
