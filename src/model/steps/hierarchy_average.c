#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "model/steps/prior.h"
#include "model/steps/search.h"

#define MOST        64   /* hierarchies that are listed, */
#define ROUNDS      8    /* ... and whose neighbours are */
#define NEAR_COST   12.0 /* over the best: dearer ones are left out */
#define NEAR_LIKELY 4.0  /* of -2 ln of the likelihood: the neighbours of others are left out */

/* A hierarchy, and -2 ln of how likely it is. */
struct candidate {
	struct steps steps;
	double unlikely;
	bool opened; /* its neighbours are listed, too */
};

/* The likeliest first. */
struct candidates {
	struct candidate items[MOST];
	size_t count;
};

/* What the curves say of it counts less than it says; how rare it is, in full. */
static double unlikely(const struct steps_problem *problem, const struct steps *steps)
{
	double price = prior_cost(problem, steps);
	return (steps->cost - price) / HIERARCHY_TEMPER + price;
}

static bool are_alike(const struct steps *one, const struct steps *other)
{
	for (size_t i = 0; i < one->count; i++)
		if (one->items[i].shape != other->items[i].shape)
			return false;
	return true;
}

static bool is_listed(const struct candidates *candidates, const struct steps *steps)
{
	for (size_t i = 0; i < candidates->count; i++)
		if (are_alike(&candidates->items[i].steps, steps))
			return true;
	return false;
}

/* Where the list is full, the least likely one falls out. */
static void list(const struct steps_problem *problem, const struct steps *steps,
		 struct candidates *candidates)
{
	struct candidate candidate = {*steps, unlikely(problem, steps), false};
	size_t at = candidates->count;
	while (at > 0 && candidates->items[at - 1].unlikely > candidate.unlikely)
		at--;
	if (at == MOST)
		return;
	candidates->count += candidates->count < MOST;
	memmove(&candidates->items[at + 1], &candidates->items[at],
		(candidates->count - 1 - at) * sizeof(candidate));
	candidates->items[at] = candidate;
}

/* Lists those that differ by the shape of one cache. */
static void open_one(const struct search *search, double limit, const struct steps *steps,
		     struct candidates *candidates)
{
	for (size_t i = 0; i < steps->count; i++) {
		bool first = prior_is_first_cache(steps, i);
		for (size_t shape = 0; shape < shapes_count(); shape++) {
			struct steps like = *steps, found = {.cost = limit};
			like.items[i].shape = shape;
			if (steps->items[i].translation || (first && shapes_is_victim(shape)) ||
			    !search_allows(search, shape, steps->items[i].ln_reach) ||
			    is_listed(candidates, &like))
				continue;
			search_try_shape(search, steps, i, shape, false, &found);
			if (found.cost < limit)
				list(search->problem, &found, candidates);
		}
	}
}

/* The likeliest first. */
static void open_likely(const struct search *search, double limit, struct candidates *candidates)
{
	for (int round = 0; round < ROUNDS; round++) {
		size_t at = 0;
		while (at < candidates->count && candidates->items[at].opened)
			at++;
		struct candidate *next = &candidates->items[at];
		if (at == candidates->count ||
		    next->unlikely > candidates->items[0].unlikely + NEAR_LIKELY)
			return;
		struct steps steps = next->steps; /* the list moves */
		next->opened = true;
		open_one(search, limit, &steps, candidates);
	}
}

static void add_sums(const struct steps *steps, double weight, struct hierarchy_sum *sums)
{
	double sum = steps->base[0];
	for (size_t i = 0, out = 0; i <= steps->count; i++) {
		if (i > 0 && !step_adds_to_hits(&steps->items[i - 1]))
			continue;
		if (i > 0)
			sum += steps->items[i - 1].rise[0];
		sums[out].value += weight * sum;
		sums[out++].deviation += weight * sum * sum;
	}
}

static void average(const struct candidates *candidates, size_t count, struct hierarchy_sum *sums)
{
	double weights = 0;
	memset(sums, 0, (STEPS_MOST + 1) * sizeof(*sums));
	for (size_t i = 0; i < candidates->count; i++) {
		const struct candidate *at = &candidates->items[i];
		double weight = exp((candidates->items[0].unlikely - at->unlikely) / 2);
		weights += weight;
		add_sums(&at->steps, weight, sums);
	}
	for (size_t i = 0; i < count; i++) {
		double mean = sums[i].value / weights;
		double variance = sums[i].deviation / weights - mean * mean;
		sums[i] = (struct hierarchy_sum){mean, sqrt(fmax(0, variance))};
	}
}

int hierarchy_average(const struct steps_problem *problem, const struct hierarchy_options *options,
		      const struct steps *steps, struct hierarchy_sum sums[STEPS_MOST + 1],
		      struct fathom_error *error)
{
	const struct search search = {problem, options, false};
	struct candidates *candidates = calloc(1, sizeof(*candidates));
	struct steps best = *steps;
	if (!candidates)
		return error_no_memory(error);
	steps_solve(problem, &best);
	list(problem, &best, candidates);
	open_likely(&search, best.cost + NEAR_COST, candidates);
	average(candidates, steps->count + 1, sums);
	free(candidates);
	return 0;
}
