/* The halves, and smaller parts, of what was measured of a pair, in the order measured: what
 * differs between them is no property of the machine. */
#pragma once

#include <stdbool.h>

#include "fathom.h"

#define CORE_PARTS_SEEN 8 /* what differs in more than one of so many parts is seen */

enum core_half { CORE_BOTH, CORE_FIRST_HALF, CORE_SECOND_HALF };

/* The latency of the pair, or the median of one half of its blocks, which are two or more. */
double core_pair_ns(const struct fathom_pair *pair, enum core_half half);
/* How many of the main pairs took much longer in one half of the run than in the other, and how
 * many in one part of it, from a half down to a quarter, than in all; `of`: of how many that is
 * known. */
struct core_moves {
	size_t halves, parts, of;
};
struct core_moves core_halves_moves(const struct fathom_curve *curve);
/* Do the last of its blocks differ as much from all of them? */
bool core_halves_end_apart(const struct fathom_pair *pair, size_t blocks);
/* The intervals of pairs that did so reach to what each part took. */
void core_halves_widen(struct fathom_curve *curve);
/* By which factor the main pairs, in their median, took longer in the slower half, where that is
 * more than lines make; else 1. NAN: out of memory. */
double core_halves_drift(const struct fathom_curve *curve);
