#include "model/shapes.h"

#include <math.h>
#include <stdlib.h>

/* From a sixteenth of the reach to 64 times: below nothing is missed, above hits fall as 1/x. */
#define LN_LOW  (-2.7725887222397811)
#define LN_HIGH 4.1588830833596719
#define STEPS   832

/* Ways differ less than the noise of a curve: a few stand for all. Those that are seeds
 * stand for it where nothing is known yet (shapes_is_seed). */
static const struct {
	struct hit_shape shape;
	enum shape_class class;
	bool seed;
} table[] = {
	{{HIT_CYCLE_LRU, false, 8, 1}, SHAPE_LRU, true},
	{{HIT_CYCLE_LRU, true, 12, 1}, SHAPE_LRU, true},
	{{HIT_CYCLE_LRU, true, 4, 1}, SHAPE_LRU, true},
	{{HIT_CYCLE_LRU, false, 4, 1}, SHAPE_LRU, false},
	{{HIT_CYCLE_LRU, false, 16, 1}, SHAPE_LRU, false},
	{{HIT_CYCLE_LRU, true, 5, 1}, SHAPE_LRU, false},
	{{HIT_CYCLE_LRU, true, 6, 1}, SHAPE_LRU, false},
	{{HIT_CYCLE_LRU, true, 8, 1}, SHAPE_LRU, false},
	{{HIT_CYCLE_LRU, true, 10, 1}, SHAPE_LRU, false},
	{{HIT_CYCLE_LRU, true, 16, 1}, SHAPE_LRU, false},
	{{HIT_CYCLE_LRU, true, 20, 1}, SHAPE_LRU, false},
	{{HIT_CYCLE_RANDOM, false, 8, 1}, SHAPE_RANDOM, true},
	{{HIT_CYCLE_RANDOM, true, 8, 1}, SHAPE_RANDOM, true},
	{{HIT_CYCLE_RANDOM, false, 4, 1}, SHAPE_RANDOM, false},
	{{HIT_CYCLE_RANDOM, true, 4, 1}, SHAPE_RANDOM, false},
	{{HIT_CYCLE_RANDOM, true, 5, 1}, SHAPE_RANDOM, false},
	{{HIT_CYCLE_RANDOM, true, 12, 1}, SHAPE_RANDOM, false},
	{{HIT_CYCLE_RANDOM, true, 20, 1}, SHAPE_RANDOM, false},
	{{HIT_CYCLE_RESISTANT, false, 12, 1}, SHAPE_RESISTANT, true},
	{{HIT_CYCLE_RESISTANT, false, 5, 1}, SHAPE_RESISTANT, false},
	{{HIT_CYCLE_RESISTANT, false, 8, 1}, SHAPE_RESISTANT, false},
	{{HIT_CYCLE_RESISTANT, false, 16, 1}, SHAPE_RESISTANT, false},
	{{HIT_CYCLE_RESISTANT, false, 20, 1}, SHAPE_RESISTANT, false},
	{{HIT_CYCLE_RESISTANT, true, 5, 1}, SHAPE_RESISTANT, false},
	{{HIT_CYCLE_RESISTANT, true, 8, 1}, SHAPE_RESISTANT, false},
	{{HIT_CYCLE_RESISTANT, true, 16, 1}, SHAPE_RESISTANT, false},
	{{HIT_SHARED_LINE, false, 8, 2}, SHAPE_SHARED, true},
	{{HIT_SHARED_LINE, false, 8, 4}, SHAPE_SHARED, false},
	{{HIT_SHARED_LINE, false, 8, 8}, SHAPE_SHARED, false},
	{{HIT_INDEPENDENT, false, 8, 1}, SHAPE_SOFT, true},
	{{HIT_INDEPENDENT, true, 8, 1}, SHAPE_SOFT, false},
	{{HIT_INDEPENDENT, true, 4, 1}, SHAPE_SOFT, false},
	{{HIT_INDEPENDENT, true, 16, 1}, SHAPE_SOFT, false},
};
#define COUNT (sizeof(table) / sizeof(*table))

struct shapes {
	double missed[COUNT][STEPS + 1];
};

struct shapes *shapes_make(void)
{
	struct shapes *shapes = malloc(sizeof(*shapes));
	for (size_t s = 0; shapes && s < COUNT; s++)
		for (size_t i = 0; i <= STEPS; i++) {
			double ln = LN_LOW + (LN_HIGH - LN_LOW) * (double)i / STEPS;
			shapes->missed[s][i] = 1 - hit_share(&table[s].shape, exp(ln));
		}
	return shapes;
}

void shapes_free(struct shapes *shapes)
{
	free(shapes);
}

size_t shapes_count(void)
{
	return COUNT;
}

enum shape_class shapes_class(size_t shape)
{
	return table[shape].class;
}

double shapes_price(size_t shape)
{
	static const double prices[SHAPE_CLASS_COUNT] = {[SHAPE_RANDOM] = 3, [SHAPE_RESISTANT] = 4};
	return prices[table[shape].class];
}

size_t shapes_first(enum shape_class class)
{
	size_t shape = 0;
	while (table[shape].class != class)
		shape++;
	return shape;
}

bool shapes_is_seed(size_t shape)
{
	return table[shape].seed;
}

size_t shapes_translation(void)
{
	return shapes_first(SHAPE_SOFT);
}

size_t shapes_soft_of(size_t shape)
{
	if (table[shape].class == SHAPE_SOFT)
		return shape;
	size_t soft = shapes_first(SHAPE_SOFT);
	return table[shape].shape.scattered ? soft + 1 : soft;
}

struct shape_value shapes_at(const struct shapes *shapes, size_t shape, double ln_ratio)
{
	const double *missed = shapes->missed[shape];
	if (ln_ratio <= LN_LOW)
		return (struct shape_value){0, 0};
	if (ln_ratio >= LN_HIGH) {
		double hit = (1 - missed[STEPS]) * exp(LN_HIGH - ln_ratio);
		return (struct shape_value){1 - hit, hit};
	}
	double place = (ln_ratio - LN_LOW) * STEPS / (LN_HIGH - LN_LOW);
	size_t i = (size_t)place;
	double rise = missed[i + 1] - missed[i];
	return (struct shape_value){missed[i] + (place - (double)i) * rise,
				    rise * STEPS / (LN_HIGH - LN_LOW)};
}
