/* Curves that others measured and published, of machines whose caches are documented. */
#ifndef BENCH_ACCURACY_PUBLISHED_H
#define BENCH_ACCURACY_PUBLISHED_H

#include "fathom.h"

/* Fits each curve of `curves_path` (id,size_bytes,value) that `truth_path` describes, and prints
 * what was found beside what is known. Errors: BAD_INPUT, FAILED. */
int accuracy_published(const char *curves_path, const char *truth_path, struct fathom_error *error);

#endif
