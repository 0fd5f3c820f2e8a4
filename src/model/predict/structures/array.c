/* Arrays: in order, and at random by an index that the last element gave. */
#include "model/predict/structures/structures.h"

static void lay_in_order(const struct shape *shape, struct layout *layout)
{
	layout->instructions = 2.4;
	layout->size_bytes = shape->keys * shape_element(shape);
	layout->read_bytes = shape_element(shape);
	layout->independent = true;
	LAYOUT_STEP(layout, "next element", .count = 1, .instructions = 3);
}

const struct structure structure_array = {
	.name = "array",
	.words = "array, its elements in order",
	.operation = "element",
	.lay = lay_in_order,
};

/* The index is compared with the length, scaled and added: what waits for it are the latter two. */
static void lay_random(const struct shape *shape, struct layout *layout)
{
	layout->instructions = 10;
	layout->turn_instructions = 3.6;
	layout->size_bytes = shape->keys * shape_element(shape);
	LAYOUT_STEP(layout, "element", .count = 1, .lines = shape_lines(shape, layout->size_bytes),
		    .pages = shape_pages(shape, layout->size_bytes),
		    .cycles = shape_address_cycles(shape_element(shape)), .instructions = 4,
		    .turn = 1);
}

const struct structure structure_array_random = {
	.name = "array-random",
	.words = "array, elements by their index",
	.operation = "access",
	.lay = lay_random,
};
