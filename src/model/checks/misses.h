/* May a miss of a TLB cost that much? */
#pragma once

#include "fathom.h"

/* Does it take a third of an access to memory, or more? Page tables are in caches mostly: then it
 * may be a cache that ends there. */
bool misses_are_doubtful(const struct fathom_result *result, const struct fathom_tlb *tlb);
