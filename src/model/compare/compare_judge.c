#include "model/compare/compare_judge.h"

#include <math.h>
#include <stdlib.h>

#include "base/error.h"
#include "model/compare/student.h"

#define LEVEL          0.05
#define SPREAD_FREEDOM 8.0 /* of what the blocks of one run tell of the spread between runs */

struct estimate {
	double variance, freedom; /* of one run; NAN: not known */
};

static double mean_square_spread(const struct compare_sample *sample)
{
	double sum = 0;
	size_t known = 0;
	for (size_t i = 0; i < sample->runs; i++)
		if (isfinite(sample->spread[i])) {
			sum += sample->spread[i] * sample->spread[i];
			known++;
		}
	return known ? sum / (double)known : NAN;
}

static double mean_of_baselines(const struct compare_sample *sample)
{
	double sum = 0;
	for (size_t i = 0; i + 1 < sample->runs; i++)
		sum += sample->ln[i];
	return sum / (double)(sample->runs - 1);
}

static struct estimate estimate_variance(const struct compare_sample *sample)
{
	double placed = mean_square_spread(sample), mean = mean_of_baselines(sample), between = 0;
	double freedom = (double)sample->runs - 2;
	if (freedom < 1)
		return (struct estimate){placed, SPREAD_FREEDOM};
	for (size_t i = 0; i + 1 < sample->runs; i++)
		between += (sample->ln[i] - mean) * (sample->ln[i] - mean) / freedom;
	if (isnan(placed))
		return (struct estimate){between, freedom};
	double pooled = (SPREAD_FREEDOM * placed + freedom * between) / (SPREAD_FREEDOM + freedom);
	return (struct estimate){fmax(pooled, between), SPREAD_FREEDOM + freedom};
}

void compare_estimate(const struct compare_sample *sample, struct fathom_compared_part *part)
{
	double log_speedup = mean_of_baselines(sample) - sample->ln[sample->runs - 1];
	struct estimate estimate = estimate_variance(sample);
	double error = sqrt(estimate.variance * (1 + 1 / (double)(sample->runs - 1)));
	compare_set_log_speedup(log_speedup, error, estimate.freedom, part);
}

void compare_set_log_speedup(double log_speedup, double error, double freedom,
			     struct fathom_compared_part *part)
{
	double reach = isnan(error) ? NAN : student_reach(LEVEL, freedom) * error;
	part->speedup = exp(log_speedup);
	part->speedup_low = exp(log_speedup - reach);
	part->speedup_high = exp(log_speedup + reach);
	if (isnan(error))
		part->probability = NAN;
	else if (error == 0) /* of a machine without noise */
		part->probability = log_speedup == 0 ? 1 : 0;
	else
		part->probability = student_tails(fabs(log_speedup) / error, freedom);
	part->error = error;
	part->freedom = freedom;
}

static enum fathom_verdict verdict_of(const struct fathom_compared_part *part, double threshold)
{
	double least = log1p(threshold), log_speedup = log(part->speedup);
	if (isnan(part->probability))
		return FATHOM_VERDICT_UNKNOWN;
	if (part->probability < LEVEL && fabs(log_speedup) > least)
		return log_speedup > 0 ? FATHOM_FASTER : FATHOM_SLOWER;
	bool inside = log(part->speedup_low) >= -least && log(part->speedup_high) <= least;
	return inside || part->probability < LEVEL ? FATHOM_SAME : FATHOM_VERDICT_UNKNOWN;
}

/* The smallest difference that would have had a verdict, as the smallest of so many tests. */
static double visible(const struct fathom_compared_part *part, size_t tests, double threshold)
{
	if (isnan(part->error))
		return NAN;
	double reach = student_reach(LEVEL / fmax(1, (double)tests), part->freedom);
	return fmax(threshold, expm1(reach * part->error));
}

static size_t count_tests(const struct fathom_compared_run *run)
{
	size_t count = 0;
	for (size_t i = 0; i < run->part_count; i++)
		count += !isnan(run->parts[i].probability);
	return count;
}

int compare_judge(struct fathom_compared_run *run, double threshold, struct fathom_error *error)
{
	size_t count = run->part_count, tests = count_tests(run);
	double *probabilities = calloc(2 * count + 1, sizeof(*probabilities));
	int failed = !probabilities;
	for (size_t i = 0; !failed && i < count; i++)
		probabilities[i] = run->parts[i].probability;
	failed = failed || student_adjust(probabilities, count, probabilities + count);
	for (size_t i = 0; !failed && i < count; i++) {
		struct fathom_compared_part *part = &run->parts[i];
		part->probability = probabilities[count + i];
		part->visible = visible(part, tests, threshold);
		if (part->quantity != FATHOM_QUANTITY_HZ)
			part->verdict = verdict_of(part, threshold);
		run->faster |= part->verdict == FATHOM_FASTER;
		run->slower |= part->verdict == FATHOM_SLOWER;
	}
	free(probabilities);
	return failed ? error_no_memory(error) : 0;
}
