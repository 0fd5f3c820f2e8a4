/* A skip list (Pugh 1990) whose levels have every second node of the one below. On each level a
 * search looks at two nodes on average: one that is not beyond the key, one that is. */
#include <math.h>

#include "model/predict/structures/structures.h"

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
		double nodes = fmax(1, shape->keys / exp2(level));
		/* The node beyond the key is often that of the level above, and in L1 then. */
		LAYOUT_STEP(layout, "level", .count = 1.5,
			    .lines = shape_different(nodes, shape_lines(shape, layout->size_bytes)),
			    .pages = shape_different(nodes, shape_pages(shape, layout->size_bytes)),
			    .cycles = shape_address_cycles(POINTER_BYTES), .instructions = 8,
			    .waiting = 6, .mispredicted = 0.5 / 1.5, .astray = true, .turn = 1,
			    .again = 1 / 3.0);
	}
}

const struct structure structure_skip_list = {
	.name = "skip-list",
	.words = "skip list, every second node on the next level",
	.operation = "lookup",
	.lay = lay,
};
