#include "model/predict/crossovers.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/list.h"
#include "model/predict/interval.h"

#define DIFFERS 0.05 /* less is within what a prediction is good for */

/* Two curves, and how their operations follow each other. */
struct pair {
	const struct crossover_curve *a, *b;
	enum fathom_predict_mode mode;
};

/* b over a, in logarithm, and what it takes to be sure of that. */
static double ln_ratio(const struct pair *pair, int i)
{
	return log(pair->b->ns[i] / pair->a->ns[i]);
}

static double ln_sure(const struct pair *pair, int i)
{
	return log(interval_apart(pair->mode, pair->a->is_past[i] || pair->b->is_past[i]));
}

/* From a place where both cost the same, up or down to where it is sure that they do not, or to the
 * end. */
static double edge_of(const struct pair *pair, double place, int step)
{
	double at = place, before = -ln_sure(pair, (int)place);
	int i = step < 0 ? (int)place : (int)place + 1;
	for (; i >= 0 && i < CROSSOVERS_OCTAVES && isfinite(ln_ratio(pair, i)); i += step) {
		double beyond = fabs(ln_ratio(pair, i)) - ln_sure(pair, i);
		if (beyond > 0)
			return at + (i - at) * before / (before - beyond);
		at = i;
		before = beyond;
	}
	return at;
}

/* `ln_apart`: how far they came apart below it. */
static int add(const struct pair *pair, bool turns, double place, double ln_apart,
	       struct fathom_result *result, struct fathom_error *error)
{
	const char *below = (turns ? pair->b : pair->a)->name,
		   *above = (turns ? pair->a : pair->b)->name;
	struct fathom_crossover one = {
		.below = strdup(below),
		.above = strdup(above),
		.keys = (uint64_t)exp2(CROSSOVERS_FIRST + place),
		.low_keys = (uint64_t)exp2(CROSSOVERS_FIRST + edge_of(pair, place, -1)),
		.high_keys = (uint64_t)ceil(exp2(CROSSOVERS_FIRST + edge_of(pair, place, 1))),
		.apart = exp(ln_apart),
		.mode = pair->mode};
	if (one.below && one.above &&
	    LIST_APPEND(&result->crossovers, &result->crossover_count, &one) == 0)
		return 0;
	free(one.below);
	free(one.above);
	return error_no_memory(error);
}

/* Above the last of those from `first` on they come apart so far. */
static void end_side(struct fathom_result *result, size_t first, double ln_apart)
{
	if (result->crossover_count > first) {
		struct fathom_crossover *last = &result->crossovers[result->crossover_count - 1];
		last->apart = fmin(last->apart, exp(ln_apart));
	}
}

static int find_of(const struct pair *pair, struct fathom_result *result,
		   struct fathom_error *error)
{
	double side = 0, before = NAN, place = NAN; /* of which side: b over a, in logarithm */
	double most = 0;                            /* on this side */
	size_t first = result->crossover_count;
	for (int i = 0; i < CROSSOVERS_OCTAVES; i++) {
		double now = ln_ratio(pair, i);
		if (!isfinite(now))
			continue;
		if (isfinite(before) && before * now < 0)
			place = i - 1 + before / (before - now);
		before = now;
		if (fabs(now) < DIFFERS)
			continue;
		if (side * now < 0 && isfinite(place)) {
			end_side(result, first, most);
			if (add(pair, now > 0, place, most, result, error))
				return -1;
			most = 0;
		}
		most = fmax(most, fabs(now));
		side = now;
	}
	end_side(result, first, most);
	return 0;
}

int crossovers_find(const struct crossover_curve *curves, size_t count,
		    enum fathom_predict_mode mode, struct fathom_result *result,
		    struct fathom_error *error)
{
	for (size_t i = 0; i < count; i++)
		for (size_t k = i + 1; k < count; k++)
			if (find_of(&(struct pair){&curves[i], &curves[k], mode}, result, error))
				return -1;
	return 0;
}
