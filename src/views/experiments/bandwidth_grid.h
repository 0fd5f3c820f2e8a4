/* The curves of streams that belong in one table: of one number of threads, and of one kind of
 * pages, width of vectors and CPU where the result has several. */
#pragma once

#include "fathom.h"

#define BANDWIDTH_STREAMS (FATHOM_UPDATE - FATHOM_READ + 1)

/* Start from {0}. */
struct bandwidth_grid {
	uint32_t threads; /* 0: before the first */
	enum fathom_page page;
	uint32_t vector_bytes; /* where by_width, else 0 */
	enum fathom_sibling sibling;
	int cpu;       /* where by_cpu, else -1 */
	bool by_cpu;   /* the result is of several */
	bool by_page;  /* the result has several kinds */
	bool by_width; /* the same operation was measured with several widths */
	/* By operation, FATHOM_READ first; NULL: it was not measured. */
	const struct fathom_curve *curves[BANDWIDTH_STREAMS];
};

/* The one after `grid`: fewest threads first, then by pages and width; false: there is none. `next`
 * may be `grid`. */
bool bandwidth_grid_next(const struct fathom_result *result, const struct bandwidth_grid *grid,
			 struct bandwidth_grid *next);
/* Of the same pages, width, siblings and CPU? */
bool bandwidth_grid_same_kind(const struct bandwidth_grid *a, const struct bandwidth_grid *b);
/* The next size after `after` that any of its curves has; 0: there is none. */
uint64_t bandwidth_grid_next_size(const struct bandwidth_grid *grid, uint64_t after);
uint64_t bandwidth_grid_largest_size(const struct bandwidth_grid *grid);
/* `stream`: from FATHOM_READ on. NULL: it was not measured. */
const struct fathom_point *bandwidth_grid_point(const struct bandwidth_grid *grid, int stream,
						uint64_t size_bytes);
