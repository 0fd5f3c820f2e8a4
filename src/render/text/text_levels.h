/* What the curves say, for people: the table of levels, and of other ways to read a curve. */
#ifndef RENDER_TEXT_TEXT_LEVELS_H
#define RENDER_TEXT_TEXT_LEVELS_H

#include "render/text/layout.h"

/* A table for each curve that has levels, after an empty line; under it in words what the table
 * leaves open. Nothing where there are no levels. */
void text_levels(const struct layout *layout, const struct fathom_result *result,
		 enum fathom_y wanted);
/* text_readings.c: the same for result->readings. */
void text_readings(const struct layout *layout, const struct fathom_result *result);

/* How far the blocks of memory are apart at the size that is quoted, where that is more than noise.
 * Nothing of other levels. */
void text_memory(const struct layout *layout, const struct fathom_result *result,
		 const struct fathom_level *level);

/* Is it one of those that `reading.latency` has a value for? */
bool text_level_is_read(const struct fathom_level *level);
/* The line that says of which curve a table is, where there are several. */
void text_curve_title(const struct layout *layout, const struct fathom_result *result,
		      size_t curve);

#endif
