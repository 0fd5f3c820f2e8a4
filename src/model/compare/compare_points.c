#include "model/compare/compare_points.h"

#include <math.h>
#include <stdlib.h>

#include "base/error.h"
#include "base/patterns.h"
#include "base/stats.h"
#include "model/budget.h"
#include "model/compare/compare_value.h"
#include "model/plateau.h"

#define RESAMPLES   1000
#define LOW_SHARE   0.025
#define RANDOM_SEED 0x636f6d70617265 /* whatever, but always the same */

bool compare_row_known(const struct compare_match *match, size_t row, enum fathom_quantity quantity)
{
	for (size_t run = 0; run < match->runs; run++) {
		const struct fathom_point *point = match->points[row * match->runs + run];
		double value = compare_value_of(point, quantity).value;
		if (!(value > 0) || !isfinite(value))
			return false;
	}
	return true;
}

static enum fathom_quantity quantity_of(const struct compare_set *set,
					const struct compare_match *match, size_t row)
{
	const struct fathom_point *first = match->points[row * match->runs];
	bool core = set->unit == FATHOM_UNIT_AUTO && first->latency_cycles <= COMPARE_CORE_CYCLES &&
		    plateau_has_levels(set->runs[0][0].result, match->curves[row]) &&
		    compare_row_known(match, row, FATHOM_QUANTITY_CYCLES);
	if (pattern_streams(first->spec.pattern))
		return FATHOM_QUANTITY_BYTES_PER_SECOND;
	return core || set->unit == FATHOM_UNIT_CYCLES ? FATHOM_QUANTITY_CYCLES
						       : FATHOM_QUANTITY_NS;
}

/* Where one tool tells cycles alone, and all the others have them too. */
static bool all_in_cycles(const struct compare_set *set, const struct compare_match *match)
{
	bool any = false;
	for (size_t row = 0; row < match->count; row++) {
		if (compare_row_known(match, row, quantity_of(set, match, row)))
			return false;
		any |= compare_row_known(match, row, FATHOM_QUANTITY_CYCLES);
	}
	return any && set->unit == FATHOM_UNIT_AUTO;
}

/* Draws of the logarithm of the speed-up, over what it is. */
static void draw(const struct fathom_point *const *row, size_t runs, double sign,
		 enum fathom_quantity quantity, struct rng *rng, double *scratch, double *draws)
{
	for (size_t i = 0; i < RESAMPLES; i++)
		draws[i] = 0;
	for (size_t run = 0; run < runs; run++)
		compare_add_draws(row[run], quantity,
				  run + 1 < runs ? sign / (double)(runs - 1) : -sign, rng, scratch,
				  draws, RESAMPLES);
}

/* `scratch`: of RESAMPLES values and then twice the most blocks that a point has. */
static void compare_row(const struct fathom_point *const *row, size_t runs, double *scratch,
			struct rng *rng, struct fathom_compared_point *point)
{
	enum fathom_quantity quantity = point->quantity;
	double sign = quantity == FATHOM_QUANTITY_BYTES_PER_SECOND ? -1 : 1, baseline = 0;
	for (size_t run = 0; run + 1 < runs; run++)
		baseline += log(compare_value_of(row[run], quantity).value) / (double)(runs - 1);
	point->baseline = exp(baseline);
	point->value = compare_value_of(row[runs - 1], quantity).value;
	double log_speedup = sign * (baseline - log(point->value));
	draw(row, runs, sign, quantity, rng, scratch + RESAMPLES, scratch);
	point->speedup = exp(log_speedup);
	point->speedup_low = point->speedup_high = NAN;
	if (isnan(scratch[0]))
		return;
	stats_sort(scratch, RESAMPLES);
	size_t low = (size_t)(LOW_SHARE * RESAMPLES);
	point->speedup_low = exp(log_speedup + scratch[low]);
	point->speedup_high = exp(log_speedup + scratch[RESAMPLES - 1 - low]);
}

static int refuse(const struct compare_set *set, struct fathom_error *error)
{
	const char *hint = set->unit == FATHOM_UNIT_CYCLES
				   ? "leave out --unit cycles to compare them in ns"
				   : "convert one of them: ns = cycles / core clock in GHz";
	return error_set(error, FATHOM_BAD_INPUT, hint,
			 "'%s' and '%s' have no unit in common: one is in ns, one in cycles, and "
			 "no core clock is known",
			 compare_set_run(set, 0)->name, set->runs[1]->name);
}

int compare_points(const struct compare_set *set, const struct compare_match *match,
		   struct fathom_compared_run *run, struct fathom_error *error)
{
	struct rng rng = rng_make(RANDOM_SEED);
	bool cycles = all_in_cycles(set, match);
	double *scratch = calloc(RESAMPLES + 2 * compare_most_blocks(match), sizeof(*scratch));
	struct fathom_compared_point *points = calloc(match->count + 1, sizeof(*points));
	size_t count = 0;
	if (!scratch || !points) {
		free(scratch);
		free(points);
		return error_no_memory(error);
	}
	int stopped = 0;
	for (size_t row = 0; row < match->count && !stopped; row++) {
		const struct fathom_point *const *of = match->points + row * match->runs;
		enum fathom_quantity quantity =
			cycles ? FATHOM_QUANTITY_CYCLES : quantity_of(set, match, row);
		if (!compare_row_known(match, row, quantity))
			continue;
		points[count] = (struct fathom_compared_point){
			.spec = of[0]->spec, .curve = match->curves[row], .quantity = quantity};
		compare_row(of, match->runs, scratch, &rng, &points[count++]);
		stopped = budget_check_stop(set->observer, error);
	}
	free(scratch);
	if (stopped || (match->count && !count)) {
		free(points);
		return stopped ? stopped : refuse(set, error);
	}
	run->points = points;
	run->point_count = count;
	return 0;
}
