/* The two halves of what was measured of a pair: what differs between them is no property of the
 * machine. */
#pragma once

#include "fathom.h"

enum core_half { CORE_BOTH, CORE_FIRST_HALF, CORE_SECOND_HALF };

/* The latency of the pair, or the median of one half of its blocks, which are two or more. */
double core_pair_ns(const struct fathom_pair *pair, enum core_half half);
/* How many of the main pairs took much longer in one half than in the other; *of: of how many that
 * is known. */
size_t core_halves_differ(const struct fathom_curve *curve, size_t *of);
/* By which factor the main pairs, in their median, took longer in the slower half, where that is
 * more than lines make; else 1. NAN: out of memory. */
double core_halves_drift(const struct fathom_curve *curve);
