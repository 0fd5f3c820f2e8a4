/* Curves that others measured and published, of machines whose caches are documented. */
#ifndef BENCH_ACCURACY_PUBLISHED_H
#define BENCH_ACCURACY_PUBLISHED_H

#include "fathom.h"

/* Fits the curves of bench/published-curves.csv that bench/published-truth.csv describes. Of each
 * one of the set `tune` it prints what was found beside what is known; of `validate`, which nothing
 * is tuned on, the totals alone. `tune` (may be NULL): only curves of that set are fitted whose id
 * begins so. Errors: BAD_INPUT, FAILED. */
int accuracy_published(const char *tune, struct fathom_error *error);

#endif
