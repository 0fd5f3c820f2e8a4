/* Small symmetric matrices. */
#pragma once

#include <stdbool.h>

#include "model/fleet/fleet_numbers.h"

struct fleet_matrix {
	int size;
	double at[FLEET_NUMBERS][FLEET_NUMBERS];
};

/* Its Cholesky factor in the lower half, in place. False: it is not positive definite. */
bool fleet_matrix_factor(struct fleet_matrix *matrix);
/* Of the factored one: half the logarithm of the determinant. */
double fleet_matrix_log_root(const struct fleet_matrix *factor);
/* x: vector, then the inverse of the lower factor times it. */
void fleet_matrix_lower(const struct fleet_matrix *factor, double *x);
/* x: vector, then the inverse of the whole matrix times it. */
void fleet_matrix_solve(const struct fleet_matrix *factor, double *x);
