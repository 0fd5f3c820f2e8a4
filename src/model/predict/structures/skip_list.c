/* A skip list (Pugh 1990) whose levels have every second node of the one below. On each level a
 * search looks at the middle node between the one that it is at and the one beyond the key. Either
 * it moves to the middle node, and looks at the one beyond again, or it goes down a level; which of
 * the two cannot be foreseen. Half of the guesses are "down". Then the next load does not wait for
 * the middle node's key, as the pointer is in the node that the search is at; half of these guesses
 * are right. */
#include <math.h>

#include "model/predict/structures/structures.h"

/* From a node to its pointer, which is in the first cache as the node's key is. */
#define POINTER_CYCLES 4

static void lay(const struct shape *shape, struct layout *layout)
{
	double levels = fmax(1, ceil(log2(shape->keys)));
	double share = 0.5; /* of the nodes, that have so many pointers */
	for (double pointers = 1; pointers <= levels; pointers++, share /= 2)
		layout->size_bytes +=
			share * shape->keys * shape_node(shape, pointers * POINTER_BYTES);
	layout->mixed = true;
	layout->instructions = 12;
	layout->turn_instructions = 7.7;
	for (double level = levels - 1; level >= 0 && layout->count < STRUCTURE_STEPS; level--) {
		double nodes = fmax(1, shape->keys / exp2(level + 1));
		struct step middle = {
			.what = "level",
			.count = 0.5,
			.lines = shape_different(nodes, shape_lines(shape, layout->size_bytes)),
			.pages = shape_different(nodes, shape_pages(shape, layout->size_bytes)),
			.cycles = POINTER_CYCLES + shape_address_cycles(POINTER_BYTES),
			.instructions = 8,
			.waiting = 6,
			.mispredicted = 0.5,
			.astray = true,
			.turn = 1,
			.again = 1 / 3.0};
		layout_add(layout, &middle);
		middle.guessed = true;
		middle.turn = middle.again = 0;
		layout_add(layout, &middle);
		LAYOUT_STEP(layout, "beyond", .count = 0.5, .cycles = middle.cycles,
			    .instructions = 8, .waiting = 6);
	}
}

const struct structure structure_skip_list = {
	.name = "skip-list",
	.words = "skip list, every second node on the next level",
	.operation = "lookup",
	.lay = lay,
};
