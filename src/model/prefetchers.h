/* What a prefetcher is worth: the difference of two patterns that only it tells apart. */
#pragma once

#include "fathom.h"

/* Fills result->effects from the curves of FATHOM_ABLATION, at each size that both patterns of a
 * pair have; none where there are no such curves. Errors: FAILED (memory). */
int prefetchers_find(struct fathom_result *result, struct fathom_error *error);
