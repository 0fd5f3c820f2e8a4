/* Search trees of wide nodes: B-trees with pointers, and static ones (S+ trees) whose children are
 * found by arithmetic. Slotin, Algorithms for Modern Hardware, "Static B-trees". */
#include <math.h>

#include "model/predict/structures/structures.h"

#define FULL 0.69 /* share of a B-tree's node in use: ln 2, of random insertion (Yao 1978) */

/* `each`: the `count` steps in a node, their lines those of one node, and no pages. `children` of a
 * node of `node_bytes`, of which `leaf_keys` a leaf. */
static void lay_levels(const struct shape *shape, struct layout *layout, double node_bytes,
		       double leaf_keys, double children, const struct step *each,
		       size_t step_count)
{
	double nodes[STRUCTURE_STEPS];
	size_t levels = 0;
	double count = ceil(shape->keys / leaf_keys);
	for (; levels < STRUCTURE_STEPS; count = ceil(count / children)) {
		nodes[levels++] = count;
		layout->size_bytes += count * node_bytes;
		if (count <= 1)
			break;
	}
	while (levels-- > 0) {
		for (size_t i = 0; i < step_count; i++) {
			struct step step = each[i];
			step.lines *= nodes[levels];
			step.pages = i ? 0 : shape_pages(shape, nodes[levels] * node_bytes);
			if (step.count > 0)
				layout_add(layout, &step);
		}
	}
}

/* In the node a binary search over its keys, which begins in the first line, after their number:
 * each probe is a load from the first cache, a compare, a move, an address, and one more tells on
 * which side of the last key. It goes to other lines of keys where there are. The child, or value,
 * has a place behind the room of all keys: where is known last (subtract, shift, add). */
static void lay_btree(const struct shape *shape, struct layout *layout)
{
	const double l1_cycles = 5, probe_cycles = 3;
	double held = (shape->node_bytes - POINTER_BYTES) / (shape->key_bytes + POINTER_BYTES);
	double leaf = (shape->node_bytes - POINTER_BYTES) / shape_element(shape);
	double keys = fmax(1, FULL * held);
	double probes = log2(keys + 1) + 1;
	double key_lines = fmax(1, (POINTER_BYTES + keys * shape->key_bytes) / shape->line_bytes);
	double lines = shape->node_bytes / shape->line_bytes;
	const struct step steps[] = {
		{.what = "node",
		 .count = 1,
		 .lines = fmin(1, lines),
		 .cycles = probes * (l1_cycles + probe_cycles),
		 .instructions = 8 + 6 * probes},
		{.what = "keys", .count = 1 - 1 / key_lines, .lines = key_lines - 1},
		{.what = "child",
		 .count = 1,
		 .lines = lines > 1 ? fmax(1, FULL * lines / 2) : 0,
		 .cycles = 3,
		 .instructions = 4},
	};
	lay_levels(shape, layout, shape->node_bytes, fmax(1, FULL * leaf), keys + 1, steps,
		   sizeof(steps) / sizeof(*steps));
}

const struct structure structure_btree = {
	.name = "btree",
	.words = "B-tree, nodes of --node-bytes, binary search in each",
	.operation = "lookup",
	.lay = lay_btree,
};

/* A node is a line of keys. They are compared by vectors: compare 1 cycle, pack 1, mask 3, count 3,
 * then the child's index: multiply 3, add 1. */
static void lay_stree(const struct shape *shape, struct layout *layout)
{
	double keys = fmax(2, floor(shape->line_bytes / shape->key_bytes));
	layout->size_bytes = shape->keys * shape->payload_bytes;
	lay_levels(
		shape, layout, shape->line_bytes, keys, keys + 1,
		&(const struct step){
			.what = "node", .count = 1, .lines = 1, .cycles = 12, .instructions = 14},
		1);
	if (shape->payload_bytes > 0)
		LAYOUT_STEP(layout, "payload", .count = 1,
			    .lines = shape_lines(shape, shape->keys * shape->payload_bytes),
			    .pages = shape_pages(shape, shape->keys * shape->payload_bytes),
			    .instructions = 2);
}

const struct structure structure_stree = {
	.name = "stree",
	.words = "static B+ tree, nodes of a line, compared by vectors",
	.operation = "lookup",
	.lay = lay_stree,
};
