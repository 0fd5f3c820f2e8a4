/* Binary search trees, nodes allocated one by one in random order: each is anywhere. */
#include <math.h>

#include "model/predict/structures/structures.h"

/* Of `nodes` of a level an operation visits one with the probability `count`, and goes on to a
 * child with the probability `on`: it reads the key, and after it, from the same line, the child of
 * that side: compare, its flag, that as a word, which is an index. Whether it ends is guessed as is
 * likelier. */
static void add_level(const struct shape *shape, struct layout *layout, double nodes, double count,
		      double on)
{
	LAYOUT_STEP(layout, "level", .count = count,
		    .lines = shape_different(nodes, shape_lines(shape, layout->size_bytes)),
		    .pages = shape_different(nodes, shape_pages(shape, layout->size_bytes)),
		    .instructions = 2, .waiting = 2, .mispredicted = fmin(on, count - on) / count,
		    .astray = true, .turn = count);
	LAYOUT_STEP(layout, "child", .count = on, .cycles = 3 + shape_address_cycles(POINTER_BYTES),
		    .instructions = 5, .waiting = 5);
}

static void lay_balanced(const struct shape *shape, struct layout *layout)
{
	double depth = floor(log2(shape->keys)) + 1;
	layout->size_bytes = shape->keys * shape_node(shape, 2 * POINTER_BYTES);
	layout->mixed = true;
	layout->instructions = 17;
	layout->turn_instructions = 6;
	for (double i = 0, nodes = 1, above = 0; i < depth; i++, nodes *= 2) {
		double level = fmin(nodes, shape->keys - above);
		double count = 1 - above / shape->keys;
		above += level;
		add_level(shape, layout, level, count, fmax(0, 1 - above / shape->keys));
	}
}

const struct structure structure_bst = {
	.name = "bst",
	.words = "balanced binary search tree",
	.operation = "lookup",
	.lay = lay_balanced,
};

/* Keys inserted at random: the depth of a node is near Poisson with mean 2 (H_n - 1) (Mahmoud,
 * Evolution of random search trees, 1992), and no level has more than 2^i nodes. */
static void lay_random(const struct shape *shape, struct layout *layout)
{
	const double euler = 0.5772156649015329;
	double mean = fmax(0.5, 2 * (log(shape->keys) + euler - 1)), weight = exp(-mean);
	double deeper = 1;
	layout->size_bytes = shape->keys * shape_node(shape, 2 * POINTER_BYTES);
	layout->mixed = true;
	layout->instructions = 17;
	layout->turn_instructions = 6;
	for (double i = 0, most = 1; 2 * i < STRUCTURE_STEPS && deeper > 1e-3; i++, most *= 2) {
		double nodes = fmax(1, fmin(most, weight * shape->keys));
		double on = fmax(0, deeper - weight);
		add_level(shape, layout, nodes, deeper, on);
		deeper = on;
		weight *= mean / (i + 1);
	}
}

const struct structure structure_bst_random = {
	.name = "bst-random",
	.words = "binary search tree of keys inserted at random",
	.operation = "lookup",
	.lay = lay_random,
};
