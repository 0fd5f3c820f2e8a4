/* Student's t distribution, and what several tests at once ask of it. */
#pragma once

#include <stddef.h>

/* P(|T| >= t) for t >= 0 with `freedom` > 0 degrees of freedom, as the regularised incomplete beta
 * function I_x(freedom / 2, 1 / 2), x = freedom / (freedom + t^2). Source: DLMF 8.17. */
double student_tails(double t, double freedom);
/* The t that |T| reaches with probability `tails`, 0 < tails < 1. */
double student_reach(double tails, double freedom);

/* Holm's step-down adjustment: adjusted[i] < a tells which of the tests fail so that with
 * probability 1 - a not one of them fails by chance, however they depend on each other. What is NAN
 * was no test and stays so. 0, or -1: out of memory. Source: Holm, A simple sequentially rejective
 * multiple test procedure, Scandinavian Journal of Statistics 6 (1979). */
int student_adjust(const double *probabilities, size_t count, double *adjusted);
/* The same, such that of the tests with adjusted[i] < a a share of a fails by chance, where they
 * are independent. Source: Benjamini and Hochberg, Controlling the false discovery rate, J. R.
 * Statist. Soc. B 57 (1995). */
int student_adjust_share(const double *probabilities, size_t count, double *adjusted);
