/* Programs that judge simulated machines one by one: SEED COUNT [FIRST]. */
#ifndef BENCH_ACCURACY_RANGE_H
#define BENCH_ACCURACY_RANGE_H

#include "fathom.h"

/* A plain number of an argument; else what is wrong and `usage` are printed, and it exits with 2.
 */
uint64_t accuracy_number(const char *text, const char *usage);

/* Judges the machines of `seed` from FIRST (0) on, until one fails. Returns the exit code. */
int accuracy_range(int argc, char **argv, const char *usage,
		   int (*judge)(uint64_t seed, uint64_t index, struct fathom_error *error));

#endif
