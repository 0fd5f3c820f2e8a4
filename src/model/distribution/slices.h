/* What single accesses take, slice by slice of the time. */
#pragma once

#include "fathom.h"

/* Of the accesses of the curve, which are in the order of their times, in slices of made->slice_s;
 * NAN: none. Slices without accesses are left out. -1: no memory. */
int slices_find(struct fathom_distribution *made, const struct fathom_curve *curve);
