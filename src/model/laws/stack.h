/* The mean latency of cache levels over memory, from the law of hits that each follows. */
#pragma once

#include <stddef.h>

#include "model/laws/hit_law.h"

struct stack_level {
	double reach_bytes; /* of all levels up to this one: of a victim cache, with what it adds */
	double latency;     /* of a hit, from load to use; any unit */
	struct hit_shape shape;
};

/* Which share of the accesses to `size_bytes` > 0 each of the levels answers, and, the last of
 * count + 1, memory; they sum to 1. The levels ascend in reach. With h_j the law of level j at
 * size / reach, level j answers h_j - h_(j-1): what it has, less what one before it has as well.
 * Where its law says less than that of a level before (one fades slowly past the cliff of the
 * next) it answers nothing. */
void stack_shares(const struct stack_level *levels, size_t count, double size_bytes,
		  double *shares);

/* E[L], the sum of those shares times the latencies. It is the average memory access time of the
 * textbooks (Hennessy and Patterson, Computer Architecture, appendix B), by global miss rates:
 * l_1 + sum of (l_(j+1) - l_j) (1 - h_j), and so the curve base + sum of rise * missed(size /
 * reach) of steps.h, but for laws that cross: there a rise counts once only. */
double stack_latency(const struct stack_level *levels, size_t count, double memory_latency,
		     double size_bytes);
