#include "model/laws/shapes.h"

#include <math.h>
#include <stdlib.h>

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
	{HIT_CYCLE_LRU, SHAPE_LRU, 6, 1, true, true, false},
	{HIT_CYCLE_LRU, SHAPE_LRU, 10, 1, false, true, false},
	{HIT_CYCLE_LRU, SHAPE_LRU, 12, 1, true, true, false},
	{HIT_CYCLE_LRU, SHAPE_LRU, 16, 1, false, false, false},
	{HIT_CYCLE_LRU, SHAPE_LRU, 20, 1, true, true, false},
	{HIT_CYCLE_RANDOM, SHAPE_RANDOM, 8, 1, true, false, false},
	{HIT_CYCLE_RANDOM, SHAPE_RANDOM, 4, 1, false, false, false},
	{HIT_CYCLE_RANDOM, SHAPE_RANDOM, 5, 1, false, true, false},
	{HIT_CYCLE_RANDOM, SHAPE_RANDOM, 12, 1, false, true, false},
	{HIT_CYCLE_RANDOM, SHAPE_RANDOM, 20, 1, true, true, false},
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
	{HIT_SHARED_LINE, SHAPE_SHARED, 8, 16, false, false, false},
	{HIT_INDEPENDENT, SHAPE_SOFT, 8, 1, true, false, false},
	{HIT_INDEPENDENT, SHAPE_SOFT, 4, 1, false, true, false},
	{HIT_INDEPENDENT, SHAPE_SOFT, 16, 1, false, true, false},
	{HIT_CO_TENANTS, SHAPE_TENANTS, 16, 1, false, false, false},
};
#define COUNT (sizeof(table) / sizeof(*table))

/* Pages that a way has room for: one, which is even placement, or ever more. The lines of a set
 * spread as 1 - 1 / colors. */
static const double colors_known[] = {1, 4.0 / 3, 2, 4, 0};
#define COLORS (sizeof(colors_known) / sizeof(*colors_known))

#define VALUES (SHAPES_PLACES + 1)
#define SPARE  (2 * VALUES + HIT_SETS_KNOWN)

/* `x`: VALUES places; `spare`: room for SPARE doubles. */
static void fill(struct shapes *shapes, const double *x, double *spare)
{
	double *hits = spare, *placement_sds = spare + VALUES;
	double *known = spare + 2 * VALUES;
	for (size_t t = 0; t < shapes->table_count; t++) {
		struct shape_table *made = &shapes->tables[t];
		struct hit_shape shape = {table[t / COLORS].law, true, table[t / COLORS].ways,
					  table[t / COLORS].nodes_a_line, colors_known[t % COLORS]};
		hit_shares(&shape, x, VALUES, known, hits);
		if (t % COLORS == 0) /* of very many colors */
			hit_placement_sds(&shape, x, VALUES, known, placement_sds);
		for (size_t i = 0; i < VALUES; i++) {
			made->at[i].missed = 1 - hits[i];
			made->at[i].placement_sd = placement_sds[i];
		}
		size_t half = 0;
		while (made->at[half].missed < 0.5)
			half++;
		made->ln_half = log(x[half]);
	}
}

struct shapes *shapes_make(void)
{
	struct shapes *shapes =
		malloc(sizeof(*shapes) + COUNT * COLORS * sizeof(shapes->tables[0]));
	double *x = malloc((VALUES + SPARE) * sizeof(*x));
	if (shapes && x) {
		shapes->table_count = COUNT * COLORS;
		for (size_t i = 0; i < VALUES; i++)
			x[i] = exp(SHAPES_LN_LOW +
				   (SHAPES_LN_HIGH - SHAPES_LN_LOW) * (double)i / SHAPES_PLACES);
		fill(shapes, x, x + VALUES);
	} else {
		free(shapes);
		shapes = NULL;
	}
	free(x);
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

static size_t soft_of(size_t shape)
{
	size_t soft = shapes_first(SHAPE_SOFT);
	return soft + (table[shape].ways < 6 ? 1 : table[shape].ways > 11 ? 2 : 0);
}

/* Of the numbers of visits in the table the one whose share of first visits is nearest. */
size_t shapes_visited(size_t shape, double line_visits)
{
	size_t nearest = soft_of(shape);
	double least = 1 / line_visits;
	bool cycle = (SHAPE_CYCLE_CLASSES & SHAPE_CLASS_BIT(table[shape].class)) != 0;
	if (!cycle || line_visits <= 1)
		return shape;
	for (size_t s = 0; s < COUNT; s++) {
		double away = fabs(1 / table[s].nodes_a_line - 1 / line_visits);
		if (table[s].class == SHAPE_SHARED && away < least) {
			nearest = s;
			least = away;
		}
	}
	return nearest;
}

double shapes_ln_half(const struct shapes *shapes, size_t table_index)
{
	return shapes->tables[table_index].ln_half;
}
