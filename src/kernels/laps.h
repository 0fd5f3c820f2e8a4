/* Sums over parts of a lap, lap after lap. */
#ifndef KERNELS_LAPS_H
#define KERNELS_LAPS_H

#include "kernels/kernels.h"

/* The sum over `nodes` nodes from `position` on, position + nodes <= work->nodes. */
typedef uint64_t kernel_sum(const struct kernel_work *work, uint64_t position, uint64_t nodes);

/* `hops` nodes from work->position on, round and round: `whole` takes multiples of KERNEL_UNROLL,
 * `rest` what is left at the end of a lap and of the hops. */
void laps_sum(struct kernel_work *work, uint64_t hops, kernel_sum *whole, kernel_sum *rest);

#endif
