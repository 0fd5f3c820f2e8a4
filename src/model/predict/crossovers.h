/* From how many keys on one structure is cheaper than another. */
#pragma once

#include <stdbool.h>

#include "fathom.h"

#define CROSSOVERS_OCTAVES 24 /* from 2^4 keys on */
#define CROSSOVERS_FIRST   4

/* Nanoseconds of a structure at 2^(CROSSOVERS_FIRST + i) keys; NAN: not predicted there. */
struct crossover_curve {
	const char *name;
	double ns[CROSSOVERS_OCTAVES];
	bool is_past[CROSSOVERS_OCTAVES]; /* the caches of a core */
};

/* Appends to the result's list each place where two of the curves change places, and differ by more
 * than 5 % on either side of it, with the interval that it may be in. Errors: FAILED. */
int crossovers_find(const struct crossover_curve *curves, size_t count,
		    enum fathom_predict_mode mode, struct fathom_result *result,
		    struct fathom_error *error);
