/* How far apart two accesses to the same place are: how many other places are gone to between them,
 * each counted once (Mattson et al. 1970). An LRU cache of so many lines answers what is nearer,
 * and a random cycle through N lines has N of them between any two accesses: its curve is the cost
 * of an access by that distance. */
#pragma once

#include <stddef.h>

#include "model/predict/structure.h"

#define REUSE_CELLS    352
#define REUSE_A_OCTAVE 8 /* cells: distances from 1 to 2^44 */

/* A distribution of distances: the weight of each cell, 1 in all. */
struct reuse {
	double weights[REUSE_CELLS];
	double times[REUSE_CELLS]; /* between the two accesses, in operations */
	size_t first, end;         /* cells with weight: [first, end) */
};

/* The distance that a cell stands for. */
double reuse_distance(size_t cell);

enum reuse_of { REUSE_OF_LINES, REUSE_OF_PAGES };

/* Address bits below this choose a set and stay as they are in translation; those above are the
 * frame's, and random. */
#define REUSE_SETS_BYTES 4096

/* Of each step, `distances` has room for as many. The accesses to a step's places are independent
 * of each other (but of a cycle), as likely to each, or by Zipf's law with exponent `theta` of the
 * keys: then the place of rank r holds the r-th key, and the others are spread evenly. Places
 * between two accesses to one that is gone to at a rate p: the mean number of different ones in a
 * time that is exponential with mean 1 / p (Che, Tung, Wang 2002).
 *
 * Lines that have few offsets in a page share few sets, and a set has no more room for that: up to
 * `own_lines` (0: not so), the lines of the caches whose sets follow from offsets, a distance is
 * that between lines at the same offset, times the offsets that there are. */
void reuse_find(const struct layout *layout, const struct shape *shape, double theta,
		enum reuse_of of, double own_lines, struct reuse *distances);
