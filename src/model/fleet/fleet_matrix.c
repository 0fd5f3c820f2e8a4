#include "model/fleet/fleet_matrix.h"

#include <math.h>

bool fleet_matrix_factor(struct fleet_matrix *matrix)
{
	for (int i = 0; i < matrix->size; i++) {
		for (int j = 0; j <= i; j++) {
			double sum = matrix->at[i][j];
			for (int k = 0; k < j; k++)
				sum -= matrix->at[i][k] * matrix->at[j][k];
			if (i == j && !(sum > 0))
				return false;
			matrix->at[i][j] = i == j ? sqrt(sum) : sum / matrix->at[j][j];
		}
	}
	return true;
}

double fleet_matrix_log_root(const struct fleet_matrix *factor)
{
	double sum = 0;
	for (int i = 0; i < factor->size; i++)
		sum += log(factor->at[i][i]);
	return sum;
}

void fleet_matrix_lower(const struct fleet_matrix *factor, double *x)
{
	for (int i = 0; i < factor->size; i++) {
		for (int k = 0; k < i; k++)
			x[i] -= factor->at[i][k] * x[k];
		x[i] /= factor->at[i][i];
	}
}

void fleet_matrix_solve(const struct fleet_matrix *factor, double *x)
{
	fleet_matrix_lower(factor, x);
	for (int i = factor->size; i-- > 0;) {
		for (int k = i + 1; k < factor->size; k++)
			x[i] -= factor->at[k][i] * x[k];
		x[i] /= factor->at[i][i];
	}
}
