/* Search trees of wide nodes: B-trees with pointers, and static ones (S+ trees) whose children are
 * found by arithmetic. Slotin, Algorithms for Modern Hardware, "Static B-trees". */
#include <math.h>

#include "model/predict/structures/structures.h"

#define FULL 0.69 /* share of a B-tree's node in use: ln 2, of random insertion (Yao 1978) */

/* Nodes of each level, from the leaves up: how many levels. `leaf_keys` a leaf, `children` a node.
 */
static size_t find_levels(double keys, double leaf_keys, double children,
			  double nodes[STRUCTURE_STEPS])
{
	size_t levels = 0;
	for (double count = ceil(keys / leaf_keys); levels < STRUCTURE_STEPS;
	     count = ceil(count / children)) {
		nodes[levels++] = count;
		if (count <= 1)
			break;
	}
	return levels;
}

/* In one of so many nodes, with so many keys, a binary search over these. Its first probe waits for
 * their number (shift, address), each is a load from the first cache, a compare and a move, and one
 * more tells on which side of the last key. It goes to other lines of keys where there are. The
 * child, or value, has a place behind the room of all keys: where is known last. Of a probe's eight
 * instructions three wait for the probe before, the others for the number of keys, which half of
 * the nodes have. The last comparison is among the node's own. */
static void add_node(const struct shape *shape, struct layout *layout, double nodes, double keys)
{
	const double l1_cycles = 5, probe_cycles = 2, first_cycles = 2;
	double probes = ceil(log2(fmax(1, keys)) - 1e-9) + 1;
	double key_lines = fmax(1, (POINTER_BYTES + keys * shape->key_bytes) / shape->line_bytes);
	double lines = shape->node_bytes / shape->line_bytes;
	const double probe_instructions = 8, probe_waiting = 6;
	LAYOUT_STEP(layout, "node", .count = 1, .lines = nodes * fmin(1, lines),
		    .pages = shape_pages(shape, nodes * shape->node_bytes),
		    .cycles = first_cycles + probes * (l1_cycles + probe_cycles),
		    .instructions = 11 + probe_instructions * (probes - 1),
		    .waiting = 8 + probe_waiting * probes, .turn = 1);
	if (key_lines > 1)
		LAYOUT_STEP(layout, "keys", .count = 1 - 1 / key_lines,
			    .lines = nodes * (key_lines - 1), .beside = true);
	LAYOUT_STEP(layout, "child", .count = 1,
		    .lines = lines > 1 ? nodes * fmax(1, FULL * lines / 2) : 0, .beside = true,
		    .cycles = 1, .instructions = 4, .waiting = 4);
}

/* Keys with the pointers between them in an inner node, with their payload in a leaf. */
static double held_btree(const struct shape *shape)
{
	return (shape->node_bytes - POINTER_BYTES) / (shape->key_bytes + POINTER_BYTES);
}

static double leaf_btree(const struct shape *shape)
{
	return (shape->node_bytes - POINTER_BYTES) / shape_element(shape);
}

static bool has_room_btree(const struct shape *shape)
{
	return held_btree(shape) >= 1 && leaf_btree(shape) >= 1;
}

static void lay_btree(const struct shape *shape, struct layout *layout)
{
	double held = held_btree(shape), leaf = leaf_btree(shape);
	double nodes[STRUCTURE_STEPS], below = shape->keys;
	double children = floor(fmax(1, FULL * held)) + 1;
	size_t levels = find_levels(shape->keys, fmax(1, FULL * leaf), children, nodes);
	layout->instructions = 28;
	layout->turn_instructions = 11;
	for (size_t i = 0; i < levels; i++)
		layout->size_bytes += nodes[i] * shape->node_bytes;
	double keys[STRUCTURE_STEPS]; /* between as many children, and one more; all of a leaf */
	for (size_t i = 0; i < levels; below = nodes[i++])
		keys[i] = below / nodes[i] - (i > 0);
	while (levels-- > 0)
		add_node(shape, layout, nodes[levels], keys[levels]);
}

const struct structure structure_btree = {
	.name = "btree",
	.words = "B-tree, nodes of --node-bytes, binary search in each",
	.operation = "lookup",
	.has_room = has_room_btree,
	.lay = lay_btree,
};

/* Two keys in a line. */
static bool has_room_stree(const struct shape *shape)
{
	return 2 * shape->key_bytes <= shape->line_bytes;
}

/* A node is a line of keys. Where they are compared by vectors: compare 1 cycle, pack 1, mask 3,
 * count 3, then the child's index: multiply 3, add 1; eight keys one after the other (compare,
 * flag, seven additions with borrow, index, address) take 13. Instructions are those of the latter,
 * which gcc 12 makes of src/structures; a comparison with memory counts twice, as a Zen 4 has room
 * for 112 of them behind a miss, and for 195 loads. */
static void lay_stree(const struct shape *shape, struct layout *layout)
{
	double keys = fmax(2, floor(shape->line_bytes / shape->key_bytes));
	double nodes[STRUCTURE_STEPS];
	size_t levels = find_levels(shape->keys, keys, keys + 1, nodes);
	layout->size_bytes = shape->keys * shape->payload_bytes;
	layout->instructions = 11;
	layout->turn_instructions = 10.7;
	while (levels-- > 0) {
		layout->size_bytes += nodes[levels] * shape->line_bytes;
		LAYOUT_STEP(layout, "node", .count = 1, .lines = nodes[levels],
			    .pages = shape_pages(shape, nodes[levels] * shape->line_bytes),
			    .cycles = 12, .instructions = 11 + 3 * keys, .waiting = 8 + 2 * keys,
			    .turn = 1);
	}
	if (shape->payload_bytes > 0)
		LAYOUT_STEP(layout, "payload", .count = 1,
			    .lines = shape_lines(shape, shape->keys * shape->payload_bytes),
			    .pages = shape_pages(shape, shape->keys * shape->payload_bytes),
			    .instructions = 6, .waiting = 6);
}

const struct structure structure_stree = {
	.name = "stree",
	.words = "static B+ tree, nodes of a line, compared by vectors",
	.operation = "lookup",
	.has_room = has_room_stree,
	.lay = lay_stree,
};
