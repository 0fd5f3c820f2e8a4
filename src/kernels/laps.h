/* Parts of a lap, lap after lap. */
#pragma once

#include "kernels/kernels.h"

/* The sum over `nodes` nodes from `position` on, position + nodes <= work->nodes. */
typedef uint64_t kernel_sum(const struct kernel_work *work, uint64_t position, uint64_t nodes);

/* `hops` nodes from work->position on, round and round: `whole` takes multiples of KERNEL_UNROLL,
 * `rest` what is left at the end of a lap and of the hops. */
void laps_sum(struct kernel_work *work, uint64_t hops, kernel_sum *whole, kernel_sum *rest);

/* `lines` >= 1 lines from `position` on, position + lines <= work->nodes. `last` is left alone, or
 * becomes the last line that was read. */
#define KERNEL_LINE_WORDS (KERNEL_LINE_BYTES / 8)
typedef void kernel_stream(const struct kernel_work *work, uint64_t position, uint64_t lines,
			   uint64_t last[static KERNEL_LINE_WORDS]);

/* `hops` lines from work->position on, round and round; the cursor becomes cursor XOR the words of
 * what is in `last` at the end. */
void laps_stream(struct kernel_work *work, uint64_t hops, kernel_stream *stream);
