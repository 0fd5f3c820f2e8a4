/* Sorted arrays. Step i of a binary search goes to one of 2^i elements, equally far apart, half of
 * that from the element before: nearer than a line, that is in the same line as often as not,
 * nearer than a page in the same page. Of a power of two, all middles of the first steps are at the
 * same place of their pages. */
#include <math.h>
#include <string.h>

#include "model/predict/reuse.h"
#include "model/predict/structures/structures.h"

/* Where in a page, to the byte, searches are at a step: the first of `left` elements. */
struct searches {
	uint64_t left;
	bool at[REUSE_SETS_BYTES], next[REUSE_SETS_BYTES];
};

/* Of the 64ths of a page, those of the line that an address is in. */
static uint64_t line_at(uint64_t offset, double line_bytes)
{
	const uint64_t part_bytes = REUSE_SETS_BYTES / 64;
	uint64_t parts = line_bytes > part_bytes ? (uint64_t)line_bytes / part_bytes : 1;
	uint64_t first = offset / part_bytes / parts * parts;
	return (parts < 64 ? (1ull << parts) - 1 : UINT64_MAX) << first;
}

/* Where in a page a middle of this step can be; goes on to the next one. */
static uint64_t next_offsets(struct searches *searches, const struct shape *shape)
{
	uint64_t half = searches->left / 2, element_bytes = (uint64_t)shape_element(shape);
	uint64_t offsets = 0;
	memcpy(searches->next, searches->at, sizeof(searches->next));
	for (uint64_t i = 0; i < REUSE_SETS_BYTES; i++) {
		uint64_t middle = (i + half * element_bytes) % REUSE_SETS_BYTES;
		if (!searches->at[i])
			continue;
		searches->next[middle] = true;
		offsets |= line_at(middle, shape->line_bytes);
	}
	memcpy(searches->at, searches->next, sizeof(searches->at));
	searches->left -= half;
	return offsets;
}

/* A part of a step; 0 lines, or pages, are those of the step before. */
static void add(struct layout *layout, const struct step *step, double share, double lines,
		double pages)
{
	struct step one = *step;
	one.count = share;
	one.lines = lines;
	one.pages = pages;
	if (share > 0)
		layout_add(layout, &one);
}

/* `step`: all but how many lines and pages there are. */
static void lay(const struct shape *shape, struct layout *layout, const struct step *step)
{
	double element_bytes = shape_element(shape);
	layout->size_bytes = shape->keys * element_bytes;
	layout->mixed = true;
	struct searches searches = {.left = (uint64_t)shape->keys, .at = {true}};
	double elements = 1;
	for (double left = shape->keys; left > 1; left /= 2, elements *= 2) {
		double away_bytes = left / 2 * element_bytes;
		double other_line = fmin(1, away_bytes / shape->line_bytes);
		double other_page = fmin(1, away_bytes / shape->page_bytes);
		double lines = fmin(elements, shape_lines(shape, layout->size_bytes));
		double pages = fmin(elements, shape_pages(shape, layout->size_bytes));
		struct step part = *step;
		part.offsets = shape->exact ? next_offsets(&searches, shape) : 0;
		size_t first = layout->count;
		add(layout, &part, other_page, lines, pages);
		add(layout, &part, other_line - other_page, lines, 0);
		add(layout, &part, 1 - other_line, 0, 0);
		layout->steps[first].turn = 1;
	}
	LAYOUT_STEP(layout, "found", .turn = 1); /* in a line that was gone to */
}

/* Compare, conditional move, address of the next middle; what is left of the array, and half of it,
 * are worked out ahead. */
static void lay_branchless(const struct shape *shape, struct layout *layout)
{
	layout->instructions = 20;
	layout->turn_instructions = 9.9;
	lay(shape, layout,
	    &(const struct step){.what = "middle", .cycles = 3, .instructions = 9, .waiting = 3});
}

const struct structure structure_bsearch = {
	.name = "bsearch",
	.words = "sorted array, binary search without branches",
	.operation = "lookup",
	.lay = lay_branchless,
};

/* Either half is as likely, so that half of the branches are mispredicted; the next middle is that
 * of the half which is guessed, and its load does not wait. All searches take as many steps:
 * whichever halves are guessed, the core comes to the next one. */
static void lay_branchy(const struct shape *shape, struct layout *layout)
{
	layout->instructions = 19;
	layout->turn_instructions = 9.4;
	lay(shape, layout,
	    &(const struct step){.what = "middle",
				 .cycles = 3,
				 .instructions = 7.5,
				 .waiting = 3,
				 .mispredicted = 0.5,
				 .guessed = true});
}

const struct structure structure_bsearch_branchy = {
	.name = "bsearch-branchy",
	.words = "sorted array, binary search with branches",
	.operation = "lookup",
	.lay = lay_branchy,
};

/* Both possible next middles are asked for before the comparison. */
static void lay_prefetch(const struct shape *shape, struct layout *layout)
{
	layout->instructions = 22;
	layout->turn_instructions = 10.7;
	lay(shape, layout,
	    &(const struct step){.what = "middle",
				 .fetched = 2,
				 .cycles = 3,
				 .instructions = 17,
				 .waiting = 6,
				 .ahead = 1});
}

const struct structure structure_bsearch_prefetch = {
	.name = "bsearch-prefetch",
	.words = "sorted array, binary search that prefetches both next middles",
	.operation = "lookup",
	.lay = lay_prefetch,
};
