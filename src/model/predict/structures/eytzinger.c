/* A binary search tree as an array, level by level: the children of k are 2k and 2k + 1 (Eytzinger;
 * Khuong, Morin, Array layouts for comparison-based searching, 2017). Level i has 2^i elements side
 * by side. */
#include <math.h>

#include "model/predict/structures/structures.h"

static void lay(const struct shape *shape, struct layout *layout, const struct step *step)
{
	double element_bytes = shape_element(shape);
	layout->size_bytes = shape->keys * element_bytes;
	for (double elements = 1; elements <= shape->keys; elements *= 2) {
		struct step one = *step;
		double level = fmin(elements, shape->keys + 1 - elements);
		/* The last level may be there in part: whether the search goes there cannot be
		 * foreseen. */
		one.count = one.turn = level / elements;
		one.mispredicted = fmin(one.count, 1 - one.count) / one.count;
		one.lines = shape_lines(shape, level * element_bytes);
		one.pages = shape_pages(shape, level * element_bytes);
		layout_add(layout, &one);
	}
}

/* Back up to where it last went left, to an element that was gone to: complement, count its ones
 * (3), add, shift (2), the first element in place of none, address. */
static void lay_found(const struct shape *shape, struct layout *layout)
{
	LAYOUT_STEP(layout, "found", .count = 1,
		    .cycles = 8 + shape_address_cycles(shape_element(shape)), .instructions = 13,
		    .waiting = 11);
}

/* Compare, its flag, that as a word, 2k + flag. */
static void lay_plain(const struct shape *shape, struct layout *layout)
{
	layout->instructions = 16;
	layout->turn_instructions = 8.7;
	lay(shape, layout,
	    &(const struct step){.what = "level",
				 .cycles = 3 + shape_address_cycles(shape_element(shape)),
				 .instructions = 7,
				 .waiting = 6});
	lay_found(shape, layout);
}

const struct structure structure_eytzinger = {
	.name = "eytzinger",
	.words = "sorted array in Eytzinger's order, without branches",
	.operation = "lookup",
	.lay = lay_plain,
};

/* All elements that a line holds are of one level, and have a common ancestor log2 of as many
 * levels above: there the line is asked for. */
static void lay_prefetch(const struct shape *shape, struct layout *layout)
{
	double elements_a_line = fmax(1, shape->line_bytes / shape_element(shape));
	layout->instructions = 17;
	layout->turn_instructions = 8.8;
	lay(shape, layout,
	    &(const struct step){.what = "level",
				 .cycles = 3 + shape_address_cycles(shape_element(shape)),
				 .instructions = 12,
				 .waiting = 8,
				 .ahead = floor(log2(elements_a_line))});
	lay_found(shape, layout);
}

const struct structure structure_eytzinger_prefetch = {
	.name = "eytzinger-prefetch",
	.words = "the same, asking for a line as many levels ahead as it holds",
	.operation = "lookup",
	.lay = lay_prefetch,
};
