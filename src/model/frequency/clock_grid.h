/* Latencies of several runs at the sizes that they have in common. */
#pragma once

#include "fathom.h"

struct clock_cell {
	double latency; /* ns, or cycles where the run is in cycles; NAN: not measured */
	double error;   /* standard, by its interval; NAN: not known */
	double hz;      /* by the probe; NAN: not known */
};

struct clock_grid {
	size_t run_count, size_count;
	uint64_t *sizes_bytes;    /* ascending; each of two runs or more */
	struct clock_cell *cells; /* size after size, a cell a run */
	bool *in_cycles;          /* of each run */
};

/* Errors: BAD_INPUT (no size in common), FAILED (memory). */
int clock_grid_make(const struct fathom_curve *const *curves, size_t count, struct clock_grid *grid,
		    struct fathom_error *error);
void clock_grid_free(struct clock_grid *grid);
struct clock_cell *clock_grid_cell(const struct clock_grid *grid, size_t size, size_t run);

/* So many caches are inside the core, as far as there are as many. */
#define CLOCK_CORE_CACHES 2

/* Some of the sizes, those that one level serves. */
struct clock_range {
	const char *level;  /* its name; NULL: it has none */
	size_t first, last; /* of the sizes, both in it */
	size_t cache;       /* how many caches are nearer, with and without sizes */
	bool memory;
};

/* By the levels of result->curves[curve]: sizes that hardly another level serves, and as far as
 * there are enough without translation. Levels without a size are left out. Returns how many. */
size_t clock_ranges_find(const struct fathom_result *result, size_t curve,
			 const struct clock_grid *grid, struct clock_range *ranges, size_t most);
