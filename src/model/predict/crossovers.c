#include "model/predict/crossovers.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/list.h"

#define DIFFERS 0.05 /* less is within what a prediction is good for */

/* `ln_apart`: how far they came apart below it. */
static int add(const char *below, const char *above, double octaves, double ln_apart,
	       enum fathom_predict_mode mode, struct fathom_result *result,
	       struct fathom_error *error)
{
	struct fathom_crossover one = {.below = strdup(below),
				       .above = strdup(above),
				       .keys = (uint64_t)exp2(octaves),
				       .apart = exp(ln_apart),
				       .mode = mode};
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

static int find_of(const struct crossover_curve *a, const struct crossover_curve *b,
		   enum fathom_predict_mode mode, struct fathom_result *result,
		   struct fathom_error *error)
{
	double side = 0, before = NAN, place = NAN; /* of which side: b over a, in logarithm */
	double most = 0;                            /* on this side */
	size_t first = result->crossover_count;
	for (int i = 0; i < CROSSOVERS_OCTAVES; i++) {
		double now = log(b->ns[i] / a->ns[i]);
		if (!isfinite(now))
			continue;
		if (isfinite(before) && before * now < 0)
			place = i - 1 + before / (before - now);
		before = now;
		if (fabs(now) < DIFFERS)
			continue;
		if (side * now < 0 && isfinite(place)) {
			end_side(result, first, most);
			if (add(now > 0 ? b->name : a->name, now > 0 ? a->name : b->name,
				CROSSOVERS_FIRST + place, most, mode, result, error))
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
			if (find_of(&curves[i], &curves[k], mode, result, error))
				return -1;
	return 0;
}
