/* What modes of memory's are of, as controls tell: the same accesses without misses of TLBs, or
 * with few of rows. */
#pragma once

#include "fathom.h"

/* The chain that the curve of that number is held against: for one on base pages the same on larger
 * ones, for flushed lines in random order the same lines page after page. NULL: there is none. */
const struct fathom_distribution *controls_of(const struct fathom_result *result,
					      const struct fathom_distribution *one);

/* Names modes of kind FATHOM_MODE_MEMORY, while the curves have their accesses. `memory_ns`: no
 * access to memory takes less. -1: no memory. */
int controls_find(struct fathom_result *result, double memory_ns);
