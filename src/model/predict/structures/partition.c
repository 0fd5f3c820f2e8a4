/* Radix partition, and the hash join that rests on it. Of each part one line is written to at a
 * time, so that `fanout` lines and as many pages are gone to. */
#include <math.h>

#include "model/predict/structures/structures.h"

/* Whether there is another slot to look at, with linear probing and twice as many slots as tuples:
 * as in hash.c, of (1 + 1 / (1 - 0.5)) / 2 that are looked at all but the first. */
#define ANOTHER (1 / 3.0)

/* So many passes over the tuples. */
static void add_partition(const struct shape *shape, struct layout *layout, double passes)
{
	double tuple_bytes = shape_element(shape);
	double pages = fmin(shape->fanout, shape_pages(shape, shape->keys * tuple_bytes));
	layout->read_bytes += passes * tuple_bytes;
	layout->written_bytes += passes * tuple_bytes;
	LAYOUT_STEP(layout, "end of a part", .count = passes,
		    .lines = fmin(shape->fanout, shape_lines(shape, shape->keys * tuple_bytes)),
		    .pages = pages, .instructions = 8, .waiting = 4);
}

static void lay_partition(const struct shape *shape, struct layout *layout)
{
	layout->size_bytes = 2 * shape->keys * shape_element(shape);
	layout->independent = true;
	layout->instructions = 11;
	layout->product_cycles = HASH_PRODUCT_CYCLES;
	add_partition(shape, layout, 1);
	LAYOUT_STEP(layout, "next line of a part",
		    .count = fmin(1, shape_element(shape) / shape->line_bytes),
		    .lines = shape_lines(shape, shape->keys * shape_element(shape)),
		    .streams = shape->fanout);
}

const struct structure structure_radix_partition = {
	.name = "radix-partition",
	.words = "radix sort: a pass that partitions into --fanout parts",
	.operation = "tuple",
	.lay = lay_partition,
};

/* Both sides are partitioned; then a table of each part of one is built, and asked for the tuples
 * of the other. What a pass waits for next lines is little beside that. */
static void lay_join(const struct shape *shape, struct layout *layout)
{
	double part = fmax(1, shape->keys / shape->fanout);
	double table_bytes = part / 0.5 * shape_element(shape);
	layout->size_bytes = 4 * shape->keys * shape_element(shape);
	layout->independent = true;
	layout->read_bytes = 2 * shape_element(shape);
	layout->instructions = 22;
	layout->product_cycles = 4 * HASH_PRODUCT_CYCLES;
	add_partition(shape, layout, 2);
	LAYOUT_STEP(layout, "slot of a part's table, built and asked", .count = 2,
		    .lines = shape_lines(shape, table_bytes),
		    .pages = shape_pages(shape, table_bytes), .cycles = HASH_CYCLES,
		    .instructions = 15.5, .waiting = 4, .mispredicted = ANOTHER);
	LAYOUT_STEP(layout, "next slot", .count = 2 * ANOTHER / (1 - ANOTHER), .instructions = 7,
		    .waiting = 2, .mispredicted = ANOTHER);
}

const struct structure structure_hash_join = {
	.name = "hash-join",
	.words = "hash join of two tables of as many tuples, in --fanout parts",
	.operation = "tuple",
	.lay = lay_join,
};
