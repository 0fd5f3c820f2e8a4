/* What the patterns that overlap read: words that follow from where they are, so that the sum of
 * any stretch of accesses is known without reading it. */
#pragma once

#include "measure/memory/chain.h"

/* Writes the words, and the indexes of FATHOM_INDEX_ARRAY behind the span. */
void stream_build(const struct chain *chain);
/* What the kernels work on, at `position` of a lap, nothing summed yet. */
struct kernel_work stream_work(const struct chain *chain, uint64_t position);
/* How many of the kernel's nodes `accesses` are: those of a sum may hold several. */
uint64_t stream_hops(const struct fathom_spec *spec, uint64_t accesses);
/* The sum `accesses` after it was `from` at `position` of a lap. */
uint64_t stream_sum_after(const struct chain *chain, uint64_t from, uint64_t position,
			  uint64_t accesses);
/* The byte offset that access number `position` of a lap reads first. */
uint64_t stream_offset(const struct chain *chain, uint64_t position);
