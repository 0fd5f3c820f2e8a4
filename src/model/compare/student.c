#include "model/compare/student.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

#define MOST_TERMS 500
#define RELATIVE   1e-15
#define TINY       1e-300
#define LARGEST_T  1e12
#define BISECTIONS 200

/* ---- the distribution ---- */

/* The odd and even coefficients of DLMF 8.17.22, the term after `k` pairs. */
static double coefficient(double a, double b, double x, int term)
{
	double k = term / 2;
	if (term % 2)
		return -(a + k) * (a + b + k) * x / ((a + 2 * k) * (a + 2 * k + 1));
	return k * (b - k) * x / ((a + 2 * k - 1) * (a + 2 * k));
}

static double off_zero(double value)
{
	return fabs(value) < TINY ? TINY : value;
}

/* The continued fraction, by Lentz's method; it converges fast for x < (a + 1) / (a + b + 2). */
static double beta_fraction(double a, double b, double x)
{
	double ratio = 1, upper = 1, lower = 0;
	for (int term = 1; term < MOST_TERMS; term++) {
		double c = coefficient(a, b, x, term);
		lower = 1 / off_zero(1 + c * lower);
		upper = off_zero(1 + c / upper);
		ratio *= upper * lower;
		if (fabs(upper * lower - 1) < RELATIVE)
			break;
	}
	return 1 / ratio;
}

static double incomplete_beta(double a, double b, double x)
{
	if (x <= 0 || x >= 1)
		return x <= 0 ? 0 : 1;
	double ln_front = lgamma(a + b) - lgamma(a) - lgamma(b) + a * log(x) + b * log1p(-x);
	if (x < (a + 1) / (a + b + 2))
		return exp(ln_front) * beta_fraction(a, b, x) / a;
	return 1 - exp(ln_front) * beta_fraction(b, a, 1 - x) / b;
}

double student_tails(double t, double freedom)
{
	if (isinf(t))
		return 0;
	return incomplete_beta(freedom / 2, 0.5, freedom / (freedom + t * t));
}

double student_reach(double tails, double freedom)
{
	double low = 0, high = LARGEST_T;
	for (int i = 0; i < BISECTIONS && high - low > RELATIVE * high; i++) {
		/* By ratio far out: the tail of one degree of freedom is a million long. */
		double middle = low > 1 ? sqrt(low * high) : (low + fmin(high, low + 4)) / 2;
		if (student_tails(middle, freedom) > tails)
			low = middle;
		else
			high = middle;
	}
	return (low + high) / 2;
}

/* ---- several tests ---- */

struct test {
	double probability;
	size_t place;
};

static int compare(const void *a, const void *b)
{
	const struct test *x = a, *y = b;
	return (x->probability > y->probability) - (x->probability < y->probability);
}

/* Those that are tests, the least probable first; what is not is adjusted to NAN. free() it; NULL:
 * out of memory. */
static struct test *sort_tests(const double *probabilities, size_t count, double *adjusted,
			       size_t *known)
{
	struct test *tests = calloc(count + 1, sizeof(*tests));
	*known = 0;
	for (size_t i = 0; tests && i < count; i++) {
		adjusted[i] = NAN;
		if (!isnan(probabilities[i]))
			tests[(*known)++] = (struct test){probabilities[i], i};
	}
	if (tests)
		qsort(tests, *known, sizeof(*tests), compare);
	return tests;
}

int student_adjust(const double *probabilities, size_t count, double *adjusted)
{
	size_t known;
	double before = 0;
	struct test *tests = sort_tests(probabilities, count, adjusted, &known);
	for (size_t i = 0; tests && i < known; i++) {
		before = fmax(before, fmin(1, (double)(known - i) * tests[i].probability));
		adjusted[tests[i].place] = before;
	}
	bool failed = !tests;
	free(tests);
	return failed ? -1 : 0;
}

int student_adjust_share(const double *probabilities, size_t count, double *adjusted)
{
	size_t known;
	double least = 1;
	struct test *tests = sort_tests(probabilities, count, adjusted, &known);
	for (size_t i = tests ? known : 0; i-- > 0;) {
		least = fmin(least, tests[i].probability * (double)known / (double)(i + 1));
		adjusted[tests[i].place] = least;
	}
	bool failed = !tests;
	free(tests);
	return failed ? -1 : 0;
}
