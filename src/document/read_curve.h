/* A curve of some other tool, put together from its sizes and latencies. */
#pragma once

#include "document/read_span.h"
#include "fathom.h"

#define CURVES_MOST 256 /* in one file of some other tool, or of CSV */
#define CURVES_HINT "split the file into several"
/* Of what no measurement gives. */
#define CURVE_WRONG_HINT "fathom did not write this, or the file was changed since"

struct curve_row {
	uint64_t size_bytes;
	double value;
	size_t order; /* in the file */
};

/* Start from {0} and the first part. */
struct curve_rows {
	const char *tool;         /* name of the format or tool */
	const char *where;        /* what warnings concern, NULL: the only curve */
	struct fathom_point like; /* what all points share; see curve_unknown_point */
	bool cycles;              /* the unit, else ns */
	bool relative_to_l1;      /* and 0 is a value */

	struct curve_row *rows;
	size_t row_count, row_capacity;
	size_t without_value, negative, zero, without_size, overlapping; /* left out */
	bool unsorted;
};

/* Nothing is known of it. */
struct fathom_point curve_unknown_point(void);
/* Of a curve along the lanes: has the point more than the one before? True of other curves. */
bool curve_lanes_ascend(const struct fathom_curve *curve, size_t point);
/* Has the point what no measurement gives: a latency that is not above 0 or not the median of its
 * blocks, an interval that its value is outside of? Then *name is that of the field, and *what is
 * what it is. */
bool curve_find_wrong(const struct fathom_curve *curve, size_t point, const char **name,
		      const char **what);

/* A row of the file. Without a value (NAN), with one that is negative or (unless relative_to_l1) 0,
 * or of size 0 it is left out and counted. Errors: BAD_INPUT (no memory is so fast or slow: a wrong
 * unit), FAILED. */
int curve_add(struct curve_rows *rows, uint64_t size_bytes, double value, size_t line,
	      struct fathom_error *error);
/* Adds the curve to the result, sorted, with warnings for what was left out; where a size comes
 * more than once its rows are the blocks of one point. Errors: BAD_INPUT (not one row is left, too
 * many curves), FAILED. */
int curve_finish(struct curve_rows *rows, struct fathom_result *result, struct fathom_error *error);
void curve_rows_free(struct curve_rows *rows);
/* All of that for a block of lines: rows up to the first that `read_row` says is none (1; 0: it is
 * one, -1: it is refused), at which the lines then go on. Frees the rows. Errors: of both. */
typedef int curve_row_reader(struct span line, size_t number, struct curve_rows *rows,
			     struct fathom_error *error);
int curve_read_block(struct lines *lines, curve_row_reader *read_row, struct curve_rows *rows,
		     struct fathom_result *result, struct fathom_error *error);
