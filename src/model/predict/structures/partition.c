/* Radix partition, and the hash join that rests on it. Of each partition one line is written to at
 * a time, so that `fanout` lines and as many pages are gone to. */
#include <math.h>

#include "model/predict/structures/structures.h"

/* So many passes over the tuples. */
static void add_partition(const struct shape *shape, struct layout *layout, double passes)
{
	double tuple_bytes = shape_element(shape);
	double pages = fmin(shape->fanout, shape_pages(shape, shape->keys * tuple_bytes));
	layout->read_bytes += passes * tuple_bytes;
	layout->written_bytes += passes * tuple_bytes;
	LAYOUT_STEP(layout, "end of a partition", .count = passes, .lines = shape->fanout,
		    .pages = pages, .instructions = 8, .waiting = 4, .turn = 1);
}

static void lay_partition(const struct shape *shape, struct layout *layout)
{
	layout->size_bytes = 2 * shape->keys * shape_element(shape);
	layout->independent = true;
	layout->instructions = 11;
	add_partition(shape, layout, 1);
}

const struct structure structure_radix_partition = {
	.name = "radix-partition",
	.words = "radix sort: a pass that partitions into --fanout parts",
	.operation = "tuple",
	.lay = lay_partition,
};

/* Both sides are partitioned; then a table of each part of one is built, and asked for the tuples
 * of the other. */
static void lay_join(const struct shape *shape, struct layout *layout)
{
	double part = fmax(1, shape->keys / shape->fanout);
	double table_bytes = part / 0.5 * shape_element(shape);
	layout->size_bytes = 4 * shape->keys * shape_element(shape);
	layout->independent = true;
	layout->instructions = 10;
	add_partition(shape, layout, 2);
	LAYOUT_STEP(layout, "slot of a part's table, built and asked", .count = 2,
		    .lines = shape_lines(shape, table_bytes),
		    .pages = shape_pages(shape, table_bytes), .cycles = 5, .instructions = 14,
		    .waiting = 4, .mispredicted = 0.3, .turn = 1);
}

const struct structure structure_hash_join = {
	.name = "hash-join",
	.words = "hash join of two tables of as many tuples, in --fanout parts",
	.operation = "tuple",
	.lay = lay_join,
};
