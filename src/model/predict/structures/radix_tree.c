/* A radix tree (trie) of dense keys: a node has a pointer for each value of --span bits. */
#include <math.h>

#include "model/predict/structures/structures.h"

/* The index in a node: a shift by as much as a register says (2), a mask. Those below the root are
 * known before the pointer. */
#define INDEX_CYCLES 3

static void lay(const struct shape *shape, struct layout *layout)
{
	double levels = fmax(1, ceil(log2(shape->keys) / shape->span_bits - 1e-9));
	layout->instructions = 13;
	layout->turn_instructions = 4.9;
	double values_bytes = shape->keys * fmax(1, shape->payload_bytes);
	for (double level = levels; level >= 1; level--) {
		/* The pointers of a level are the nodes of the next one; of the last, keys. */
		double below = exp2(shape->span_bits * (level - 1));
		double pointers = ceil(shape->keys / below);
		bool last = level == 1;
		double bytes = last ? values_bytes : pointers * POINTER_BYTES;
		layout->size_bytes += bytes;
		LAYOUT_STEP(layout, last ? "value" : "node", .count = 1,
			    .lines = shape_lines(shape, bytes), .pages = shape_pages(shape, bytes),
			    .cycles = shape_address_cycles(POINTER_BYTES) +
				      (level == levels ? INDEX_CYCLES : 0),
			    .instructions = level == levels ? 12 : 7, .waiting = 1, .turn = 1);
	}
}

const struct structure structure_radix_tree = {
	.name = "radix-tree",
	.words = "radix tree of dense keys, --span bits a node",
	.operation = "lookup",
	.lay = lay,
};
