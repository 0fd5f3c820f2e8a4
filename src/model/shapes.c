#include "model/shapes.h"

#include <math.h>
#include <stdlib.h>

/* From a sixteenth of the reach to 64 times: below nothing is missed, above hits fall as 1/x. */
#define LN_LOW  SHAPES_LN_LOW
#define LN_HIGH 4.1588830833596719
#define STEPS   832
#define AN_LN   (STEPS / (LN_HIGH - LN_LOW))

#define FEW_WAYS       6
#define FEW_WAYS_PRICE 5
#define VICTIM_PRICE   3

/* Ways differ less than the noise of a curve where all sets hold as many lines: a few stand for
 * all, and more of them (`fine`) where pages lie at random. Those that are seeds stand for the
 * class where nothing is known yet. */
static const struct {
	enum hit_law law;
	enum shape_class class;
	double ways, nodes_a_line;
	bool seed, fine, victim;
} table[] = {
	{HIT_CYCLE_LRU, SHAPE_LRU, 8, 1, true, false, false},
	{HIT_CYCLE_LRU, SHAPE_LRU, 4, 1, true, false, false},
	{HIT_CYCLE_LRU, SHAPE_LRU, 5, 1, false, true, false},
	{HIT_CYCLE_LRU, SHAPE_LRU, 6, 1, false, true, false},
	{HIT_CYCLE_LRU, SHAPE_LRU, 10, 1, false, true, false},
	{HIT_CYCLE_LRU, SHAPE_LRU, 12, 1, true, true, false},
	{HIT_CYCLE_LRU, SHAPE_LRU, 16, 1, false, false, false},
	{HIT_CYCLE_LRU, SHAPE_LRU, 20, 1, false, true, false},
	{HIT_CYCLE_RANDOM, SHAPE_RANDOM, 8, 1, true, false, false},
	{HIT_CYCLE_RANDOM, SHAPE_RANDOM, 4, 1, false, false, false},
	{HIT_CYCLE_RANDOM, SHAPE_RANDOM, 5, 1, false, true, false},
	{HIT_CYCLE_RANDOM, SHAPE_RANDOM, 12, 1, false, true, false},
	{HIT_CYCLE_RANDOM, SHAPE_RANDOM, 20, 1, false, true, false},
	{HIT_CYCLE_RESISTANT, SHAPE_RESISTANT, 12, 1, true, false, false},
	{HIT_CYCLE_RESISTANT, SHAPE_RESISTANT, 5, 1, false, false, false},
	{HIT_CYCLE_RESISTANT, SHAPE_RESISTANT, 8, 1, false, false, false},
	{HIT_CYCLE_RESISTANT, SHAPE_RESISTANT, 16, 1, false, false, false},
	{HIT_CYCLE_RESISTANT, SHAPE_RESISTANT, 20, 1, false, false, false},
	{HIT_CYCLE_LRU, SHAPE_LRU, 5, 1, false, false, true},
	{HIT_CYCLE_LRU, SHAPE_LRU, 8, 1, false, false, true},
	{HIT_CYCLE_LRU, SHAPE_LRU, 16, 1, false, false, true},
	{HIT_CYCLE_RANDOM, SHAPE_RANDOM, 6, 1, false, false, true},
	{HIT_CYCLE_RANDOM, SHAPE_RANDOM, 12, 1, false, false, true},
	{HIT_SHARED_LINE, SHAPE_SHARED, 8, 2, true, false, false},
	{HIT_SHARED_LINE, SHAPE_SHARED, 8, 4, false, false, false},
	{HIT_SHARED_LINE, SHAPE_SHARED, 8, 8, false, false, false},
	{HIT_INDEPENDENT, SHAPE_SOFT, 8, 1, true, false, false},
	{HIT_INDEPENDENT, SHAPE_SOFT, 4, 1, false, true, false},
	{HIT_INDEPENDENT, SHAPE_SOFT, 16, 1, false, true, false},
};
#define COUNT (sizeof(table) / sizeof(*table))

/* Pages that a way has room for: one, which is even placement, or ever more. The lines of a set
 * spread as 1 - 1 / colors. */
static const double colors_known[] = {1, 4.0 / 3, 2, 4, 0};
#define COLORS (sizeof(colors_known) / sizeof(*colors_known))

struct shapes {
	double missed[COUNT * COLORS][STEPS + 1];
	double luck[COUNT][STEPS + 1]; /* of very many colors */
	double ln_half[COUNT * COLORS];
};

struct shapes *shapes_make(void)
{
	struct shapes *shapes = malloc(sizeof(*shapes));
	double x[STEPS + 1];
	for (size_t i = 0; i <= STEPS; i++)
		x[i] = exp(LN_LOW + (LN_HIGH - LN_LOW) * (double)i / STEPS);
	for (size_t t = 0; shapes && t < COUNT * COLORS; t++) {
		double *missed = shapes->missed[t];
		struct hit_shape shape = {table[t / COLORS].law, true, table[t / COLORS].ways,
					  table[t / COLORS].nodes_a_line, colors_known[t % COLORS]};
		hit_shares(&shape, x, STEPS + 1, missed);
		for (size_t i = 0; i <= STEPS; i++)
			missed[i] = 1 - missed[i];
		size_t half = 0;
		while (missed[half] < 0.5)
			half++;
		shapes->ln_half[t] = log(x[half]);
		if (t % COLORS == 0)
			hit_lucks(&shape, x, STEPS + 1, shapes->luck[t / COLORS]);
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

double shapes_price(size_t shape, bool first)
{
	static const double prices[SHAPE_CLASS_COUNT] = {
		[SHAPE_RANDOM] = 2.5, [SHAPE_RESISTANT] = 3};
	static const double first_prices[SHAPE_CLASS_COUNT] = {
		[SHAPE_RANDOM] = 4, [SHAPE_RESISTANT] = 12};
	enum shape_class class = table[shape].class;
	if (first)
		return first_prices[class];
	if (table[shape].victim)
		return prices[class] + VICTIM_PRICE;
	return prices[class] + (table[shape].ways < FEW_WAYS ? FEW_WAYS_PRICE : 0);
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

bool shapes_is_fine(size_t shape)
{
	return table[shape].fine;
}

size_t shapes_table(size_t shape, double way_pages)
{
	double spread = way_pages > 1 ? 1 - 1 / way_pages : 0;
	size_t nearest = 0;
	for (size_t c = 1; c < COLORS; c++) {
		double known = colors_known[c] > 0 ? 1 - 1 / colors_known[c] : 1;
		double before = 1 - 1 / colors_known[c - 1];
		if (spread > (known + before) / 2)
			nearest = c;
	}
	return shape * COLORS + nearest;
}

bool shapes_is_victim(size_t shape)
{
	return table[shape].victim;
}

double shapes_ways(size_t shape)
{
	return table[shape].ways;
}

size_t shapes_translation(void)
{
	return shapes_first(SHAPE_SOFT);
}

size_t shapes_soft_of(size_t shape)
{
	size_t soft = shapes_first(SHAPE_SOFT);
	if (table[shape].class == SHAPE_SOFT)
		return shape;
	return soft + (table[shape].ways < 6 ? 1 : table[shape].ways > 11 ? 2 : 0);
}

double shapes_ln_half(const struct shapes *shapes, size_t table_index)
{
	return shapes->ln_half[table_index];
}

struct shape_value shapes_at(const struct shapes *shapes, size_t table_index, double ln_ratio)
{
	const double *missed = shapes->missed[table_index];
	if (ln_ratio <= LN_LOW)
		return (struct shape_value){0, 0, 0};
	const double *luck = shapes->luck[table_index / COLORS];
	if (ln_ratio >= LN_HIGH && missed[STEPS] == 1)
		return (struct shape_value){1, 0, 0}; /* spares an exponential */
	if (ln_ratio >= LN_HIGH) {
		double hit = (1 - missed[STEPS]) * exp(LN_HIGH - ln_ratio);
		return (struct shape_value){1 - hit, hit, 0};
	}
	double place = (ln_ratio - LN_LOW) * AN_LN;
	size_t i = (size_t)place;
	double share = place - (double)i, rise = missed[i + 1] - missed[i];
	return (struct shape_value){missed[i] + share * rise, rise * AN_LN,
				    luck[i] + share * (luck[i + 1] - luck[i])};
}
