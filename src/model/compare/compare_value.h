/* What a point says in one quantity, and how far such a value spreads. */
#pragma once

#include "base/rng.h"
#include "fathom.h"

struct compare_value {
	double value, low, high; /* 95 %; NAN: not known */
};

/* Of pattern_streams bytes a second stand in place of ns. */
struct compare_value compare_value_of(const struct fathom_point *point,
				      enum fathom_quantity quantity);

/* The standard deviation of the logarithm of one block, that is of one placement of the nodes: of
 * the blocks themselves, as 1.4826 times their median deviation with Croux and Rousseeuw's factor
 * for few values (Time-efficient algorithms for two highly robust estimators of scale, COMPSTAT
 * 1992); without blocks from the interval, which is taken as that of the value itself. Of cycles,
 * in which blocks are not kept, the smaller of two: that of the blocks in ns, which has the hops of
 * the clock in it, and that of the interval of their median, which one odd block in six widens.
 * NAN: neither is known. `scratch`: room for point->block_count values. */
double compare_spread(const struct fathom_point *point, enum fathom_quantity quantity,
		      double *scratch);

/* Adds `share` of the logarithm of a median of blocks drawn anew, over the median itself, to each
 * of the draws; of the interval where there are too few blocks for one. NAN: no interval either.
 * `scratch`: room for twice as many values as the point has blocks. */
void compare_add_draws(const struct fathom_point *point, enum fathom_quantity quantity,
		       double share, struct rng *rng, double *scratch, double *draws, size_t count);
