/* Cycles that two CPUs walk: who drives out of a cache what another one has in it? */
#pragma once

#include "measure/cores/pairs_run.h"

#define SHARING_BLOCKS      6 /* as few as have an interval */
#define SHARING_MOST_BLOCKS 12

struct sharing_blocks { /* of a hop of the first CPU, each with memory of its own */
	double ns[SHARING_MOST_BLOCKS];
	size_t count;
};

/* Of cpu_a, along a cycle of `bytes`; with cpu_b at least 0 while that one walks another. Adds
 * `blocks` to what was found, or fewer where others are disturbed; start from {0}. Errors: UNABLE
 * (a CPU may not be used any more: *lost; no memory), FAILED. */
int sharing_walk(struct crew *crew, int cpu_a, int cpu_b, uint64_t bytes, size_t blocks,
		 uint64_t key, struct sharing_blocks *found, int *lost, struct fathom_error *error);

struct sharing_cycle {
	uint64_t bytes;  /* fits in the cache, and twice of it does not; 0: no such was found */
	double twice_ns; /* a hop along twice as much */
	bool disturbed;  /* none was found, as all walks of one length were disturbed */
	bool cut;        /* the budget was spent, or a stop was asked for, before all were tried */
	bool measured;   /* not of the size that the OS reports */
};

/* A cycle that tells of a cache of `size_bytes`, as the OS reports, behind one of `inner_bytes` (0:
 * none): of two thirds of it or more, if a hop takes longer along twice as much; else the longest
 * of ascending ones at which it does most. Errors: as sharing_walk. */
int sharing_find_cycle(struct pairs_run *run, int cpu, uint64_t inner_bytes, uint64_t size_bytes,
		       uint64_t key, struct sharing_cycle *cycle, int *lost,
		       struct fathom_error *error);
