/* What is shown of a point: its time, whether that is as exact as was wanted, and what it is of. */
#pragma once

#include "views/view.h"

/* What can be shown of a point. */
struct points_quantity {
	const char *name, *unit; /* of the column; the unit begins with a blank, or is "" */
};
const struct points_quantity *points_quantity(enum fathom_y y);

/* Of a dependent hop, in the unit of the column. */
struct estimate points_value(const struct fathom_point *point, enum fathom_y y);
/* Of an access, of whatever kind, in ns or cycles. */
struct estimate points_time(const struct fathom_point *point, enum fathom_y y);
/* In GB/s. */
struct estimate points_bandwidth(const struct fathom_point *point);

/* '~': its interval is wider than wanted; '?': it has none; 0: fine, not measured, or nothing was
 * wanted. */
char points_mark(const struct fathom_point *point, struct estimate value);
/* How many points of the result are within what was wanted, and what the marks mean. */
void points_exactness(struct view *view, const struct fathom_result *result);

/* What a range in the place of a value means, where there are any. */
void points_ranges(struct view *view, const struct fathom_result *result);

/* How many points of the curve have that value. */
size_t points_count(const struct fathom_curve *curve, enum fathom_y y);
/* Of a curve along sizes, at exactly that one; NULL: it has none. */
const struct fathom_point *points_exactly(const struct fathom_curve *curve, uint64_t size_bytes);
/* Of the curve, at that size but for a rest of less than a node; NULL: it has none. */
const struct fathom_point *points_at(const struct fathom_curve *curve, uint64_t size_bytes);
/* Of a curve along the lanes the first whose cursors do not all have a register, and in *before the
 * last whose do; NULL: there are none. */
const struct fathom_point *points_spilled(const struct fathom_curve *curve,
					  const struct fathom_point **before);
/* Of those that are nearest to the same power of two as points[first]: the nearest, and in *end
 * where the next ones begin. */
size_t points_octave(const struct fathom_curve *curve, size_t first, size_t *end);
/* "4 KiB" of the pages that were obtained; "mixed" where points differ, or have it in part. */
struct rounded points_obtained(const struct fathom_curve *curve);
/* Did every point get the same pages, all of its buffer? A curve without points did. */
bool points_same_pages(const struct fathom_curve *curve);

/* Of a buffer: all of it, but for its ends. */
#define POINTS_WHOLE_SHARE 0.995

/* In a sentence: "36.1 ns"; what is wide as "about 390 ns (61 to 450)". */
void points_add_estimate(struct text *words, struct estimate estimate, const char *unit);
/* "81 times (76 to 88)" */
void points_add_times(struct text *words, struct estimate ratio);
/* The kind of pages that was asked for: "thp", "unknown". */
const char *points_page(const struct fathom_spec *spec);
/* What all specs of a curve share: "random_cycle, nodes of 64 B, pointer links"; of a read curve
 * whose accesses overlap (result_overlaps) "random order, accesses overlap". */
void points_add_spec(struct text *words, const struct fathom_spec *spec, bool overlaps);
/* "random cycle", "strided 256 B *": the star says that accesses overlap. */
void points_add_order(struct text *words, const struct fathom_spec *spec);
/* The same in a cell. */
void points_order(struct view *view, const struct fathom_spec *spec);
