/* What fathom and the naive readers find of caches that are known, by their size alone, side by
 * side. */
#ifndef BENCH_BASELINES_READINGS_H
#define BENCH_BASELINES_READINGS_H

#include "fathom.h"

/* A size within this share of the truth is found; so is one between the same two points. */
#define READINGS_TOLERANCE 0.30

enum reader {
	READER_FATHOM,
	READER_SLOPE_PEAKS,
	READER_HALF_HEIGHT,
	READER_CHANGE_POINTS,
	READER_COUNT
};

struct reading {
	size_t wanted; /* known caches that end within the curve, before half its last size */
	size_t found, false_caches;
};

/* Lets each reader read `curve`, of whose caches `count` end at `truths` (0: there is none); fathom
 * has read `levels`. Errors: BAD_INPUT (no or too many points), FAILED. */
int readings_take(const struct fathom_curve *curve, const struct fathom_level *levels,
		  size_t level_count, const double *truths, size_t count,
		  struct reading readings[READER_COUNT], struct fathom_error *error);

struct readings_row { /* a set of curves */
	const char *name;
	size_t curves;
	struct reading sums[READER_COUNT];
	size_t right[READER_COUNT]; /* curves of which all is found, and no cache is false */
	/* Of these, where fathom is right and the reader is not, and the other way round. */
	size_t fathom_alone[READER_COUNT], reader_alone[READER_COUNT];
	size_t right_by_any;
};

void readings_add(struct readings_row *row, const struct reading readings[READER_COUNT]);
/* The rows that have curves. */
void readings_print(const struct readings_row *rows, size_t count);

#endif
