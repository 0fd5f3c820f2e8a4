/* Hash tables: chained, open addressing, cuckoo. Lookups of keys that are there. */
#include <math.h>

#include "model/predict/structures/structures.h"

/* Keys lie anywhere: an addition, a product, a shift and an exclusive or make one of its number
 * (src/structures/operate.h). */
#define HASH_INSTRUCTIONS  5
#define KEY_INSTRUCTIONS   5
#define KEY_CYCLES         6
#define KEY_PRODUCT_CYCLES 1

/* A head of 8 bytes a bucket, nodes anywhere. With L keys a bucket a lookup reads 1 + L / 2 nodes
 * (Knuth, The Art of Computer Programming 3, 6.4), and whether there is another cannot be
 * foreseen. A head and the node that it points to are one turn. */
static void lay_chained(const struct shape *shape, struct layout *layout)
{
	double heads_bytes = shape->keys / shape->load * POINTER_BYTES;
	double payload_bytes = shape->payload_apart ? shape->keys * shape->payload_bytes : 0;
	struct shape node = *shape;
	if (shape->payload_apart)
		node.payload_bytes = POINTER_BYTES;
	double nodes_bytes = shape->keys * shape_node(&node, POINTER_BYTES);
	double nodes = 1 + shape->load / 2;
	double another = (nodes - 1) / nodes;
	layout->size_bytes = heads_bytes + nodes_bytes + payload_bytes;
	layout->instructions = 14;
	layout->turn_instructions = 4.9;
	layout->product_cycles = KEY_PRODUCT_CYCLES + HASH_PRODUCT_CYCLES;
	layout->key_cycles = KEY_CYCLES;
	LAYOUT_STEP(layout, "bucket", .count = 1, .lines = shape_lines(shape, heads_bytes),
		    .pages = shape_pages(shape, heads_bytes),
		    .cycles = HASH_CYCLES + shape_address_cycles(POINTER_BYTES),
		    .instructions = 2 + KEY_INSTRUCTIONS + HASH_INSTRUCTIONS, .asked = true);
	LAYOUT_STEP(layout, "node", .count = nodes, .lines = shape_lines(shape, nodes_bytes),
		    .pages = shape_pages(shape, nodes_bytes), .instructions = 3, .waiting = 3,
		    .mispredicted = fmin(another, 1 - another), .turn = 1, .again = another);
	if (shape->payload_apart)
		LAYOUT_STEP(layout, "payload", .count = 1,
			    .lines = shape_lines(shape, payload_bytes),
			    .pages = shape_pages(shape, payload_bytes), .instructions = 2,
			    .waiting = 2);
}

const struct structure structure_chained_hash = {
	.name = "chained-hash",
	.words = "hash table with chains",
	.operation = "lookup",
	.load = 1,
	.most_load = 64,
	.lay = lay_chained,
};

/* Linear probing looks at (1 + 1 / (1 - L)) / 2 slots (Knuth, the same place), side by side: as a
 * rule in the same line. Whether there is another cannot be foreseen. */
static void lay_open(const struct shape *shape, struct layout *layout)
{
	double slot_bytes = shape_element(shape);
	double probes = (1 + 1 / (1 - shape->load)) / 2;
	double another = (probes - 1) / probes;
	layout->size_bytes = shape->keys / shape->load * slot_bytes;
	layout->instructions = 10.4;
	layout->turn_instructions = 4.9;
	layout->product_cycles = KEY_PRODUCT_CYCLES + HASH_PRODUCT_CYCLES;
	layout->key_cycles = KEY_CYCLES;
	LAYOUT_STEP(layout, "slot", .count = 1, .lines = shape_lines(shape, layout->size_bytes),
		    .pages = shape_pages(shape, layout->size_bytes),
		    .fetched = 1 + (probes - 1) * slot_bytes / shape->line_bytes,
		    .cycles = HASH_CYCLES + shape_address_cycles(slot_bytes),
		    .instructions = 13 + KEY_INSTRUCTIONS + HASH_INSTRUCTIONS, .waiting = 4,
		    .asked = true, .mispredicted = fmin(another, 1 - another), .turn = 1,
		    .again = another);
	LAYOUT_STEP(layout, "next slot", .count = probes - 1, .instructions = 7, .waiting = 2,
		    .mispredicted = fmin(another, 1 - another));
}

const struct structure structure_open_hash = {
	.name = "open-hash",
	.words = "hash table, open addressing with linear probing",
	.operation = "lookup",
	.load = 0.5,
	.most_load = 0.95,
	.lay = lay_open,
};

/* Both places of a key are read at once, and the right one is chosen without a branch: compare, its
 * flag, that as a word, negated, and three of and, or, not. */
static void lay_cuckoo(const struct shape *shape, struct layout *layout)
{
	layout->size_bytes = shape->keys / shape->load * shape_element(shape);
	layout->instructions = 11;
	layout->turn_instructions = 5.7;
	layout->product_cycles = KEY_PRODUCT_CYCLES + 2 * HASH_PRODUCT_CYCLES;
	layout->key_cycles = KEY_CYCLES;
	LAYOUT_STEP(layout, "both slots", .count = 1,
		    .lines = shape_lines(shape, layout->size_bytes),
		    .pages = shape_pages(shape, layout->size_bytes), .fetched = 2, .awaited = 2,
		    .cycles = HASH_CYCLES + shape_address_cycles(shape_element(shape)) + 7,
		    .instructions = 24 + KEY_INSTRUCTIONS + 2 * HASH_INSTRUCTIONS, .waiting = 18,
		    .asked = true, .turn = 1);
}

const struct structure structure_cuckoo = {
	.name = "cuckoo",
	.words = "cuckoo hash table, two places a key",
	.operation = "lookup",
	.load = 0.45,
	.most_load = 0.5,
	.lay = lay_cuckoo,
};
