/* Non-negative least squares that points far from the model pull at little: sum of solution_c *
 * column_c near the values. */
#ifndef MODEL_STEPS_LINEAR_H
#define MODEL_STEPS_LINEAR_H

#include <stdbool.h>
#include <stddef.h>

#define LINEAR_COLUMNS 19

/* A zero-inflated entry: with that probability the column has nothing at the row. */
struct linear_zero {
	size_t row, column;
	double probability;
	bool absent;                /* as it is taken at present, and the column has nothing: */
	double entry, moved, slope; /* then what it would have; 0 else */
};

/* Arrays over the rows; those of the columns one after the other. All are the caller's; those from
 * `variance` to `spare` are filled here, and `zeros` say which entries may be zero-inflated. */
struct linear {
	size_t rows, columns;
	double *column;   /* columns x rows */
	double *moved;    /* columns x rows: standard deviation of the column, as it scales */
	double *slope;    /* columns x rows: what it gains where its ln reach falls by 1 */
	double *value;    /* rows */
	double *error;    /* standard deviation of each value, > 0 */
	double *start;    /* the same before any solution is there */
	double *outlying; /* density of errors that can be anything, that of no error being 1 */
	double *variance; /* of the row, with what the columns have */
	double *weight;
	double *residual;
	double *spare;
	struct linear_normal *normal; /* equations while they are solved */
	struct linear_zero *zeros;    /* room for one a row */
	size_t zero_count;
	size_t first[LINEAR_COLUMNS]; /* rows before are 0 in the column */
	double gram[LINEAR_COLUMNS][LINEAR_COLUMNS];
	double moment[LINEAR_COLUMNS];
	double solution[LINEAR_COLUMNS];
};

/* Doubles that the arrays take. */
size_t linear_scratch_count(size_t rows);
/* Places the arrays in the scratch, all of `columns` zero; `rows` and `columns` are set. */
void linear_place(struct linear *linear, double *scratch);

/* Sets the solution. Returns -2 ln likelihood but for a constant; once it is clear that it will not
 * come below `limit`, what it was then. The errors are taken as Student's t of 4 degrees of
 * freedom, or as anything at all. Leaves columns and `zeros` as the likelier ways have them. */
double linear_solve(struct linear *linear, double limit);
/* The same, beginning with the solution that is there: in less time where that is near. */
double linear_solve_again(struct linear *linear, double limit);

/* Where the reaches that the columns depend on should move, by Gauss and Newton's method at the
 * solution. Column c goes with reach `reach_of[c]` of `count`, at most LINEAR_COLUMNS; with none
 * where that is not below `count`. Sets moves[count]. False: it does not say. `spare`: count x rows
 * doubles. */
bool linear_moves(struct linear *linear, const size_t *reach_of, size_t count, double *spare,
		  double *moves);

/* ln of the determinant of the second derivatives of -ln posterior, at the solution, by the
 * logarithms of the columns' solutions that are above 0 and by the reaches; *free_count: how many
 * they are. `reach_precisions`, `solution_precision`: 1 / variance of each before any value is
 * known. Arguments else as of linear_moves(). */
double linear_log_determinant(struct linear *linear, const size_t *reach_of, size_t count,
			      double *spare, const double *reach_precisions,
			      double solution_precision, size_t *free_count);

/* The columns that a solution uses, decomposed, until the next solution is made; no point is taken
 * for an outlier. */
struct linear_span {
	size_t count, use[LINEAR_COLUMNS];
	double (*factor)[2 * LINEAR_COLUMNS]; /* Cholesky's, lower half; in linear->normal */
	double along[LINEAR_COLUMNS];         /* what these columns would take of the residuals */
};
void linear_span_make(struct linear *linear, struct linear_span *span);
/* By how much one column more would lower the weighted squares of the residuals, the others being
 * free: orthogonal least squares (Chen, Billings and Luo 1989). 0: it would have to be negative. */
double linear_gain(const struct linear *linear, const struct linear_span *span,
		   const double *column);

/* Variance of the sum of those columns' solutions whose `sum` is 1, at the solution. */
double linear_variance(struct linear *linear, const double *sum);

#endif
