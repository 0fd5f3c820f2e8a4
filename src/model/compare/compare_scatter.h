/* Where no run tells intervals: how far the ratios of two curves scatter from size to size. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "fathom.h"

#define COMPARE_SCATTER_FEWEST 3 /* sizes, that their scatter is one */

/* Sums over the sizes inside one level, or over several levels. */
struct compare_scatter {
	double squares; /* of the logarithms of the ratios, off their mean */
	double freedom; /* sizes, less one a level */
};

/* Of the logarithms of the ratios at neighbouring sizes. */
struct compare_scatter compare_scatter_of(const double *ln_ratios, size_t count);

struct compare_scatter_sample {
	const double *ln_ratios; /* of neighbouring sizes */
	size_t count;
	double rounding;            /* standard error, as values are given in so many digits */
	struct compare_scatter all; /* of all levels */
};
/* Fills what compare_estimate does of the median ratio, whose logarithm `log_speedup` is. Its error
 * is by the scatter at the sizes themselves, neighbours' correlation allowed for; held against t
 * with one degree of freedom less than there are effective sizes, of 2,500 draws of no difference 2
 * to 3 % were under 5 % (3 to 24 sizes; independent errors), 3 to 5 % (neighbours correlated by
 * 0.3), 6 to 11 % (0.6), 0 to 1 % (errors of Student's t of 2 degrees). Fewer than
 * COMPARE_SCATTER_FEWEST are held against the scatter of all levels; where that is not known either
 * there is no probability, but an error. */
void compare_scatter_estimate(const struct compare_scatter_sample *sample, double log_speedup,
			      struct fathom_compared_part *part);

/* Standard error of the logarithm of a value that is given in multiples of `step`. */
double compare_rounding_error(double value, double step);
/* The step, a power of ten of at most 1, that all values are multiples of; 0: none is. */
double compare_rounding_step(const double *values, size_t count);
