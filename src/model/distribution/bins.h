/* Histograms with as many bins in each octave, evenly. */
#pragma once

#include "fathom.h"

/* Appends the bins that have some of the `count` values, which ascend. -1: no memory. */
int bins_add(struct fathom_bin **bins, size_t *bin_count, const double *sorted_ns, size_t count,
	     int an_octave);
