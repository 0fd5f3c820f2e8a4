/* Curves along the lanes, for tests of what reads them: how many accesses overlap is known. */
#ifndef LANES_H
#define LANES_H

#include "fathom.h"

#define LANES_SIZE       ((uint64_t)64 << 20)
#define LANES_LATENCY_NS 100.0
#define LANES_DENSE      32 /* lanes of a curve that lists none: 1, 2, 3, ... */

/* How many of them overlap. `limit`: the most that ever do. */
typedef double overlapping(double lanes, double limit);
overlapping lanes_hard;       /* all, up to the limit */
overlapping lanes_soft;       /* bends before it */
overlapping lanes_falling;    /* as hard, and 5 lanes over the limit it falls */
overlapping lanes_hyperbolic; /* for ever a little more */

struct lanes_made {
	overlapping *shape;
	double limit, latency_ns;
	double noise; /* relative standard deviation of a block */
	size_t blocks;
	const unsigned *lanes; /* NULL: LANES_DENSE */
	size_t count;
};

/* Of 100 ns, 1 % noise and 6 blocks. */
struct lanes_made lanes_made(overlapping *shape, double limit);

/* What is added to, and found in. */
extern struct fathom_result lanes_result;
/* For cmocka: empty, and everything given back. */
int lanes_begin(void **state);
int lanes_end(void **state);

/* The place of a new curve. Each of its blocks is on a placement of its own, up to 10 % slower
 * for all lanes. */
size_t lanes_add(struct lanes_made made);
/* The place of a new curve of one point. */
size_t lanes_add_point(const struct fathom_point *point);
struct fathom_point *lanes_points(size_t curve);
/* What the point says, from its blocks. */
void lanes_summarise(struct fathom_point *point);

/* result.parallelism[which], after parallelism_find. */
const struct fathom_parallelism *lanes_find(size_t which);
/* Of that curve alone. */
const struct fathom_parallelism *lanes_find_made(struct lanes_made made);

bool within(double value, double wanted, double share);

#endif
