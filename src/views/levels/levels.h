/* What the curves say: the levels of each, and other ways to read it. */
#pragma once

#include "views/rounding.h"
#include "views/view.h"

/* A table for each curve that has levels, and in words what it leaves open. */
void levels_view(struct view *view, const struct fathom_result *result, enum fathom_y wanted);
/* The same in a part of its own, without a row for each cache, each TLB and memory, which a
 * survey's table has. */
void levels_beside_survey(struct view *view, const struct fathom_result *result);
/* readings.c: the same for result->readings. */
void readings_view(struct view *view, const struct fathom_result *result);

/* cliffs.c: how much longer accesses take round the size of each cache that the OS reports; nothing
 * where the curve has no such sizes. */
void levels_cliffs(struct view *view, const struct fathom_result *result,
		   const struct fathom_curve *curve);

/* What the textbook's hyperbola of the level that the size is of makes of it, a time in the curve's
 * unit, and which of these it is; NAN: there is none, nor without fathom_explain. */
double readings_hyperbola(const struct fathom_result *result, size_t curve, double size_bytes,
			  size_t *which);

/* How far the blocks of memory are apart at the size that is quoted, where that is more than noise.
 * Nothing of other levels. */
void levels_memory(struct view *view, const struct fathom_result *result,
		   const struct fathom_level *level);
/* A cell: "48 KiB", "at 1 GiB", "> 8 MiB" where its end was not reached; what is known no better
 * as a range. */
void levels_reach(struct view *view, const struct fathom_level *level);
/* The same in a sentence, of a level whose size is known. */
struct rounded levels_size(const struct fathom_level *level);
/* Of a TLB, as well known as its size. */
struct estimate levels_entries(const struct fathom_level *level);
/* Is it one of those that `reading.latency` has a value for? */
bool levels_is_read(const struct fathom_level *level);
/* Is its size known no better than what is shown as a range? */
bool levels_is_wide(const struct fathom_level *level);
/* Does the OS report another size, by more than caches differ from the laws? */
bool levels_differ(const struct fathom_result *result, const struct fathom_level *level);
/* Is it less sure than what is shown without a mark? */
bool levels_is_unsure(double confidence);
/* The line that says of which curve a table is, where there are several. */
void levels_curve(struct view *view, const struct fathom_result *result, size_t curve);
