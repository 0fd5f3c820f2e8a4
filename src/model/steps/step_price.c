#include "model/steps/step_price.h"

#include <math.h>

/* What a step must save: BIC's 10 and its parameters. Of translation the first two save less:
 * nearly every machine has two TLBs, seen or not, and a cache that stands for one as well has the
 * wrong latency. */
#define WORTH            14.0
#define FIRST_TLB_WORTH  8.0
#define SECOND_TLB_WORTH 5.0

#define STEEP_PRICE     10
#define FIRST_TLB_LN    6.24 /* ln 512 entries */
#define FIRST_TLB_BASES 3    /* times the first cache's latency */
#define LEAST_TLB_BASES 0.6
#define TABLE_READS     2
#define LOW_PRICE       6
#define SMALL_TLB_PRICE 10  /* of one that reaches less far than the first cache */
#define USUAL_RISE      0.6 /* of a cache, over what is below */
#define NEAR_PRICE      12
#define USUAL_APART_LN  1.3863 /* ln 4: of one cache and the next */
#define MOST_LEAK       0.5    /* of the last cache's lines, in a lap of its reach */

/* -2 ln of how rare a cache is that adds so little, or is so near the one before. */
static double price_of_cache(const struct step *step, const struct step *before, double below)
{
	double relative = step->rise[0] / fmax(below, 1e-9), price = 0;
	if (relative < USUAL_RISE)
		price += LOW_PRICE * log(USUAL_RISE / fmax(relative, 1e-3));
	if (before && step->ln_reach - before->ln_reach < USUAL_APART_LN)
		price += NEAR_PRICE * (USUAL_APART_LN - (step->ln_reach - before->ln_reach));
	return price;
}

/* The two caches of the least reach; NULL: there is none. */
static void first_caches(const struct steps *steps, const struct step **first,
			 const struct step **second)
{
	*first = *second = NULL;
	for (size_t i = 0; i < steps->count; i++) {
		const struct step *other = &steps->items[i];
		if (other->translation)
			continue;
		if (!*first || other->ln_reach < (*first)->ln_reach) {
			*second = *first;
			*first = other;
		} else if (!*second || other->ln_reach < (*second)->ln_reach) {
			*second = other;
		}
	}
}

double step_usual_translation(const struct steps_problem *problem, const struct steps *steps,
			      const struct step *step, double below)
{
	const struct step *first, *second;
	double base = steps->base[0];
	first_caches(steps, &first, &second);
	if (base == 0)
		return below;
	if (step->ln_reach - problem->ln_page < FIRST_TLB_LN)
		return fmin(below, FIRST_TLB_BASES * base);
	if (second)
		return fmin(below, TABLE_READS * (base + first->rise[0]));
	return below;
}

/* A second TLB takes no fewer cycles than the first cache, or not by much, and a walk more. */
static double price_of_translation(const struct steps_problem *problem, const struct steps *steps,
				   const struct step *step, double below)
{
	double most = fmax(1e-9, step_usual_translation(problem, steps, step, below));
	double least = LEAST_TLB_BASES * steps->base[0];
	double rise = fmax(1e-3 * least, step->rise[0]);
	if (rise > most)
		return STEEP_PRICE * log(rise / most);
	return rise < least ? LOW_PRICE * log(least / rise) : 0;
}

/* Latency of all that is nearer than the step. */
static double value_below(const struct steps *steps, const struct step *step,
			  const struct step **cache)
{
	double below = steps->base[0];
	*cache = NULL;
	for (size_t i = 0; i < steps->count; i++) {
		const struct step *other = &steps->items[i];
		if (other == step || other->ln_reach > step->ln_reach)
			continue;
		below += other->rise[0];
		if (!other->translation && (!*cache || other->ln_reach > (*cache)->ln_reach))
			*cache = other;
	}
	return below;
}

bool step_is_steep(const struct steps_problem *problem, const struct steps *steps, size_t which)
{
	const struct step *step = &steps->items[which], *before;
	double below = value_below(steps, step, &before);
	return step->translation &&
	       step->rise[0] > step_usual_translation(problem, steps, step, below);
}

bool step_is_low(const struct steps *steps, size_t which)
{
	const struct step *step = &steps->items[which], *before;
	double below = value_below(steps, step, &before);
	return !step->translation && before && step->rise[0] < USUAL_RISE * below;
}

bool step_is_last_cache(const struct steps *steps, size_t which)
{
	bool last = !steps->items[which].translation;
	for (size_t s = 0; s < steps->count; s++)
		last &= steps->items[s].translation ||
			steps->items[s].ln_reach <= steps->items[which].ln_reach;
	return last;
}

bool step_is_first_cache(const struct steps *steps, size_t which)
{
	const struct step *before;
	value_below(steps, &steps->items[which], &before);
	return before == NULL;
}

double step_worths(const struct steps *steps)
{
	static const double tlb_worths[] = {FIRST_TLB_WORTH, SECOND_TLB_WORTH};
	double worths = 0;
	size_t tlbs = 0;
	for (size_t i = 0; i < steps->count; i++) {
		bool tlb = steps->items[i].translation && tlbs < 2;
		worths += tlb ? tlb_worths[tlbs++] : WORTH;
	}
	return worths;
}

/* Others seldom take so much; the last cache's rise is what a line costs that they took. */
static double price_of_leak(const struct steps *steps)
{
	double most = steps->leak;
	if (!(steps->leak > 0))
		return 0;
	for (size_t s = 0; s < steps->count; s++)
		if (step_is_last_cache(steps, s))
			most = fmin(most, MOST_LEAK * fmax(1e-9, steps->items[s].rise[0]));
	return STEEP_PRICE * log(steps->leak / most);
}

double step_price(const struct steps_problem *problem, const struct steps *steps)
{
	double price = step_worths(steps) + price_of_leak(steps);
	for (size_t s = 0; s < steps->count; s++) {
		const struct step *step = &steps->items[s], *before;
		double below = value_below(steps, step, &before);
		price += shapes_price(step->shape, before == NULL);
		price += step->translation ? price_of_translation(problem, steps, step, below)
					   : price_of_cache(step, before, below);
		if (step->translation && !before)
			price += SMALL_TLB_PRICE;
	}
	return price;
}
