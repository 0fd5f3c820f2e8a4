/* Percentiles of a series of accesses, with intervals of 95 %. */
#pragma once

#include "fathom.h"

/* Appends them to made->quantiles. `ns`: the latencies in the order of the accesses, `sorted_ns`:
 * the same, ascending. -1: no memory. */
int quantiles_find(struct fathom_distribution *made, const double *ns, const double *sorted_ns,
		   size_t count);
