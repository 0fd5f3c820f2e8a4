/* Search trees of wide nodes: B-trees with pointers, and static ones (S+ trees) whose children are
 * found by arithmetic. Slotin, Algorithms for Modern Hardware, "Static B-trees". */
#include <math.h>

#include "model/predict/structures/structures.h"

#define FULL 0.69 /* share of a B-tree's node in use: ln 2, of random insertion (Yao 1978) */

/* `each`: of each level all but lines and pages. `children` of a node of `node_bytes`, of which
 * `keys` a leaf. */
static void lay_levels(const struct shape *shape, struct layout *layout, double node_bytes,
		       double leaf_keys, double children, const struct step *each)
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
		struct step step = *each;
		step.count = 1;
		step.lines = shape_lines(shape, nodes[levels] * node_bytes);
		step.pages = shape_pages(shape, nodes[levels] * node_bytes);
		layout_add(layout, &step);
	}
}

/* In the node a binary search over its keys: each probe is a load from the first cache, a compare,
 * a move, an address; in how many lines depends on where it goes. */
static void lay_btree(const struct shape *shape, struct layout *layout)
{
	const double l1_cycles = 5, probe_cycles = 3;
	double held = (shape->node_bytes - POINTER_BYTES) / (shape->key_bytes + POINTER_BYTES);
	double leaf = (shape->node_bytes - POINTER_BYTES) / shape_element(shape);
	double keys = fmax(1, FULL * held);
	double probes = log2(keys + 1);
	double key_lines = fmax(1, keys * shape->key_bytes / shape->line_bytes);
	lay_levels(shape, layout, shape->node_bytes, fmax(1, FULL * leaf), keys + 1,
		   &(const struct step){.what = "node",
					.fetched = 1 + log2(key_lines),
					.cycles = probes * (l1_cycles + probe_cycles),
					.instructions = 8 + 6 * probes});
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
	lay_levels(shape, layout, shape->line_bytes, keys, keys + 1,
		   &(const struct step){.what = "node", .cycles = 12, .instructions = 14});
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
