/* What the lines of two chains through as many of them take in the caches: one line a page, against
 * lines side by side. */
#ifndef MODEL_TRANSLATION_CHAIN_LINES_H
#define MODEL_TRANSLATION_CHAIN_LINES_H

#include <stdint.h>

#include "model/steps/hierarchy.h"

/* Caches that the chain side by side leaves, by the number of lines. */
enum { CLIFF_FIRST, CLIFF_SECOND, CLIFF_FAR, CLIFF_COUNT }; /* far: all the others together */

struct chain_cliff {
	double ln_reach; /* in lines side by side; far: of the first of them */
	double rise_ns;  /* 0: there is none */
};

struct chain_lines {
	uint64_t page_lines; /* a page has room for so many, and has one */
	double base_ns;
	struct chain_cliff cliffs[CLIFF_COUNT];
	unsigned first_ways; /* of the first cache, where pages have all of its sets; 0: not so */
	struct steps steps;  /* of lines side by side */
	size_t cliff_of[STEPS_MOST];
	struct steps_problem problem;
};

/* How a cache farther than the first takes lines that lie one a page, and page tables with them.
 * Its sets fill at random. */
struct chain_shape {
	double ways;
	double random;   /* 0: LRU; 1: random replacement; between: tree PLRU */
	double ln_shift; /* so much smaller does it seem */
};

/* Finds the caches in the curve of lines side by side, by their number; what translation costs is
 * not in it. `scratch` as of steps_problem, and `shapes`, are used as long as `lines`. */
void chain_lines_find(const struct shapes *shapes, const struct steps_curve *packed,
		      uint64_t page_lines, double *scratch, struct chain_lines *lines);

/* What so many lines side by side take in a cliff's caches, over what is below. */
double chain_lines_packed_ns(const struct chain_lines *lines, size_t cliff, double count);
/* How far that is from a plateau. */
double chain_lines_moving_ns(const struct chain_lines *lines, size_t cliff, double count);
/* What one line a page takes in the first cache, over what is below. */
double chain_lines_first_ns(const struct chain_lines *lines, double count);
/* What the second cache misses, a share, of so many lines, one a page: for each of `counts`. */
void chain_lines_missed(const struct chain_lines *lines, const struct chain_shape *shape,
			const double *counts, size_t count, double *missed);
/* At most, what one line a page takes more, or less, than a line side by side in the far caches. */
double chain_lines_far_error(const struct chain_lines *lines, double count);

#endif
