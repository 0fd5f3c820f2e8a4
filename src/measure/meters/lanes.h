/* Which loop walks so many lanes: where more than one can, the faster, found out by timing them. */
#pragma once

#include "fathom.h"
#include "kernels/kernels.h"

/* Start from {0}. */
struct lanes {
	const struct kernel *chosen[KERNEL_INDEX32 + 1][FATHOM_MOST_LANES + 1];
};

/* The loop for `count` lanes, 2 to FATHOM_MOST_LANES, of KERNEL_POINTER or KERNEL_INDEX32: the one
 * that keeps all cursors in registers, else the faster of those in vectors and in an array where
 * every line is in the first cache; they are timed when first asked for. */
const struct kernel *lanes_kernel(struct lanes *lanes, enum kernel_kind kind, unsigned count);
/* The loop whose cursors live where they are asked to; with FATHOM_STORE_VECTORS in registers as
 * long as these have room. NULL: there is none. */
const struct kernel *lanes_kernel_in(enum fathom_lane_store store, enum kernel_kind kind,
				     unsigned count);
/* The most lanes that lanes_kernel_in has a loop for; 1: none. */
unsigned lanes_most_in(enum fathom_lane_store store, enum kernel_kind kind);
enum fathom_lane_store lanes_store(const struct kernel *kernel);
