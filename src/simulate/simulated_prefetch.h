/* What simulated prefetchers would fetch after a miss: a stride prefetcher, which follows equal
 * steps inside a page of 4 KiB, and an adjacent-line one, which fetches the other line of a pair.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "simulate/simulated_spec.h"

#define PREFETCH_STREAMS 32
#define PREFETCH_MOST    (32 + 1) /* lines after one miss */

struct prefetch_stream { /* of a page */
	uint32_t page;   /* + 1; 0: none */
	uint32_t line;   /* the last that was missed */
	int32_t step;    /* from the one before, in lines */
};

struct simulated_prefetch {
	uint64_t lines_ahead;
	bool adjacent;
	uint32_t page_lines; /* lines in a page */
	struct prefetch_stream streams[PREFETCH_STREAMS];
};

struct simulated_prefetch simulated_prefetch_make(const struct simulated_spec *spec);
/* `line` missed in the first cache, and beyond all that is prefetched into where `far`. Fills the
 * lines to be fetched, PREFETCH_MOST at most, and tells how many. */
size_t simulated_prefetch_lines(struct simulated_prefetch *prefetch, uint32_t line, bool far,
				uint32_t *lines);
