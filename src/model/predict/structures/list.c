/* Linked lists, node after node: as they were allocated, one behind the other, and shuffled. */
#include <math.h>

#include "model/predict/structures/structures.h"

/* Each load waits for the one before, but prefetchers have brought the line. */
static void lay_in_order(const struct shape *shape, struct layout *layout)
{
	double node_bytes = shape_node(shape, POINTER_BYTES);
	layout->size_bytes = shape->keys * node_bytes;
	layout->keyless = true;
	layout->turn_instructions = 2.8;
	layout->read_bytes = node_bytes;
	LAYOUT_STEP(layout, "node, in the first cache", .count = 1, .lines = 1, .pages = 1,
		    .instructions = 3, .waiting = 1, .turn = 1);
}

const struct structure structure_list = {
	.name = "list",
	.words = "linked list, nodes in the order of their addresses",
	.operation = "node",
	.lay = lay_in_order,
};

/* From the first node to the last, and again. */
static void lay_shuffled(const struct shape *shape, struct layout *layout)
{
	double node_bytes = shape_node(shape, POINTER_BYTES);
	layout->size_bytes = shape->keys * node_bytes;
	layout->keyless = true;
	layout->turn_instructions = 4.5;
	LAYOUT_STEP(layout, "node", .count = 1, .a_line = fmax(1, shape->line_bytes / node_bytes),
		    .lines = shape_lines(shape, layout->size_bytes),
		    .pages = shape_pages(shape, layout->size_bytes), .instructions = 3,
		    .waiting = 1, .turn = 1);
}

const struct structure structure_list_shuffled = {
	.name = "list-shuffled",
	.words = "linked list, nodes anywhere",
	.operation = "node",
	.lay = lay_shuffled,
};
