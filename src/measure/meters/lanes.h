/* Which loop walks so many lanes: where more than one can, the faster, found out by timing them. */
#ifndef MEASURE_METERS_LANES_H
#define MEASURE_METERS_LANES_H

#include "fathom.h"
#include "kernels/kernels.h"

/* Start from {0}. */
struct lanes {
	const struct kernel *chosen[KERNEL_INDEX32 + 1][KERNEL_MOST_LANES + 1];
};

/* The loop for `count` lanes, 2 to KERNEL_MOST_LANES, of KERNEL_POINTER or KERNEL_INDEX32: the one
 * that keeps all cursors in registers, else the faster of those there are where every line is in
 * the first cache; they are timed when first asked for. */
const struct kernel *lanes_kernel(struct lanes *lanes, enum kernel_kind kind, unsigned count);
enum fathom_lane_store lanes_store(const struct kernel *kernel);

#endif
