#include "model/steps/behind.h"

#include <math.h>

#define ALL_MISSED     0.9995 /* what is left changes nothing for the caches behind */
#define LEAST_MISSED   1e-3
#define LEAST_OWN      0.1      /* of what the cache before holds */
#define LN_MOST_LEAKED 0.6931   /* ln 2: where half leaks in a lap of the reach, all does */
#define UNKNOWN        INFINITY /* a logarithm, until it is needed */

void behind_missed(const struct behind *behind, size_t count, double ln_size,
		   struct shape_value *values)
{
	double before = 1, ln_asked = ln_size;
	for (size_t i = 0; i < count; i++) {
		if (ln_size - behind->ln_own[i] <= SHAPES_LN_LOW) {
			values[i] = (struct shape_value){0, 0, 0};
			continue;
		}
		double steeper = 1, ln_lines = ln_asked;
		if (behind->held[i] > 0) {
			double size = exp(ln_size), rest = fmax(1, size - behind->held[i]);
			ln_lines = log(rest);
			steeper = size / rest;
		} else if (ln_asked == UNKNOWN) {
			ln_lines = ln_asked = before > 0 ? ln_size + log(before) : -INFINITY;
		}
		struct shape_value at =
			shapes_at(behind->shapes, behind->table[i], ln_lines - behind->ln_own[i]);
		values[i] = (struct shape_value){before * at.missed, before * at.slope * steeper,
						 before * at.luck};
		if (!behind->cycle || values[i].missed > ALL_MISSED)
			continue;
		before = values[i].missed;
		ln_asked = UNKNOWN;
	}
}

double behind_leaked(const struct behind *behind, const struct shape_value *values, double ln_reach,
		     double ln_size)
{
	size_t last = behind->count - 1;
	double asked = behind->count > 1 ? values[last - 1].missed : 1;
	return fmax(0, asked - values[last].missed) * exp(fmin(LN_MOST_LEAKED, ln_size - ln_reach));
}

static void list_caches(const struct steps *steps, struct behind *behind)
{
	behind->count = 0;
	for (size_t s = 0; s < steps->count; s++) {
		double ln_reach = steps->items[s].ln_reach;
		size_t at = behind->count;
		if (steps->items[s].translation)
			continue;
		for (; at > 0 && steps->items[behind->which[at - 1]].ln_reach > ln_reach; at--)
			behind->which[at] = behind->which[at - 1];
		behind->which[at] = s;
		behind->count++;
	}
}

void behind_make(const struct steps_problem *problem, const struct steps *steps, size_t curve,
		 struct behind *behind)
{
	struct shape_value values[STEPS_MOST];
	bool soft = problem->curves[curve].role == STEPS_SOFT;
	list_caches(steps, behind);
	behind->shapes = problem->shapes;
	behind->cycle = !soft;
	for (size_t i = 0; i < behind->count; i++) {
		const struct step *step = &steps->items[behind->which[i]];
		size_t shape = soft ? shapes_soft_of(step->shape) : step->shape;
		behind->cycle &= (SHAPE_CYCLE_CLASSES & SHAPE_CLASS_BIT(shapes_class(shape))) != 0;
		behind->ln_own[i] = step->ln_reach;
		behind->held[i] = 0;
		if (behind->cycle && i > 0 && shapes_is_victim(shape)) {
			behind->held[i] = exp(steps->items[behind->which[i - 1]].ln_reach);
			behind->ln_own[i] = log(fmax(LEAST_OWN * behind->held[i],
						     exp(step->ln_reach) - behind->held[i]));
		}
		double way_pages = steps_way_pages(problem, shape, behind->ln_own[i]);
		behind->way_pages[i] = way_pages;
		if (behind->held[i] > 0)
			way_pages = fmax(1, way_pages) * exp(step->ln_reach - behind->ln_own[i]);
		behind->table[i] = shapes_table(shape, way_pages);
		if (!behind->cycle || i == 0 || behind->held[i] > 0)
			continue;
		behind_missed(behind, i, step->ln_reach, values);
		double asked = fmax(LEAST_MISSED, values[i - 1].missed);
		behind->ln_own[i] += log(asked);
		if (shapes_class(steps->items[behind->which[i - 1]].shape) == SHAPE_RESISTANT)
			behind->table[i] = shapes_table(shape, fmax(1, way_pages) / asked);
	}
}
