#include "model/fleet/fleet_usual.h"

#include <math.h>
#include <stdlib.h>

#include "base/stats.h"
#include "model/compare/student.h"
#include "model/fleet/fleet_groups.h"

#define BOUND         1.5
#define BOUNDED_MEAN  0.77846 /* of min(z^2, BOUND^2), z normal */
#define LEAST_SIGMA   0.001   /* nodes that agree to every digit are not known so well */
#define MOST_SPREAD   4.0
#define BISECTIONS    60
#define FREEDOM_SHARE 0.8 /* efficiency of the bounded spread against the standard deviation */

static int compare_values(const void *a, const void *b)
{
	const struct fleet_value *x = a, *y = b;
	return (x->value > y->value) - (x->value < y->value);
}

static double error_of(const struct fleet_value *value)
{
	return value->error > 0 ? value->error : 0;
}

static double variance_of(double spread, double error)
{
	return spread * spread + error * error + LEAST_SIGMA * LEAST_SIGMA;
}

static double bounded_mean(const struct fleet_value *values, size_t count, double centre,
			   double spread)
{
	double sum = 0;
	for (size_t i = 0; i < count; i++) {
		double off = values[i].value - centre;
		double square = off * off / variance_of(spread, error_of(&values[i]));
		sum += fmin(square, BOUND * BOUND);
	}
	return sum / (double)(count - 1); /* the centre is of the same values */
}

static double find_spread(const struct fleet_value *values, size_t count, double centre)
{
	double low = 0, high = MOST_SPREAD;
	if (bounded_mean(values, count, centre, 0) <= BOUNDED_MEAN)
		return 0;
	for (int i = 0; i < BISECTIONS; i++) {
		double middle = (low + high) / 2;
		if (bounded_mean(values, count, centre, middle) > BOUNDED_MEAN)
			low = middle;
		else
			high = middle;
	}
	return high;
}

/* The middle one of those that are known. */
static double median_error(const struct fleet_value *values, size_t count)
{
	double *errors = calloc(count + 1, sizeof(*errors));
	size_t known = 0;
	for (size_t i = 0; errors && i < count; i++)
		if (values[i].error > 0)
			errors[known++] = values[i].error;
	double median = known ? stats_median(errors, known) : 0;
	free(errors);
	return median;
}

struct fleet_usual fleet_usual_find(struct fleet_value *values, size_t count)
{
	struct fleet_usual usual = {.centre = NAN, .spread = NAN, .error = NAN};
	size_t known = 0;
	for (size_t i = 0; i < count; i++)
		if (isfinite(values[i].value))
			values[known++] = values[i];
	usual.count = known;
	if (known < FLEET_LEAST_NODES)
		return usual;
	qsort(values, known, sizeof(*values), compare_values);
	usual.centre = (values[(known - 1) / 2].value + values[known / 2].value) / 2;
	usual.spread = find_spread(values, known, usual.centre);
	usual.error = median_error(values, known);
	return usual;
}

double fleet_usual_sigmas(const struct fleet_usual *usual, struct fleet_value value)
{
	double centre_error = STATS_MEDIAN_ERROR * STATS_MEDIAN_ERROR / (double)usual->count;
	double variance = variance_of(usual->spread, error_of(&value)) +
			  centre_error * variance_of(usual->spread, usual->error);
	return (value.value - usual->centre) / sqrt(variance);
}

double fleet_usual_tails(const struct fleet_usual *usual, double sigmas)
{
	return isfinite(sigmas)
		       ? student_tails(fabs(sigmas), FREEDOM_SHARE * (double)(usual->count - 1))
		       : NAN;
}
