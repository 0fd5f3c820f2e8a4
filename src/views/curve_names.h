/* What a curve is called, as no other of the result is. */
#pragma once

#include "base/text.h"
#include "fathom.h"

/* Adds its level, its order or node spacing, and what else tells it from the others, for a legend:
 * "windows of 128 KiB", "nodes of 64 B, 4k pages". */
void curve_names_add(struct text *words, const struct fathom_result *result,
		     const struct fathom_curve *curve);
/* For a column, the one trait that tells it there, else its number: "windows", "64 B", "4k". */
void curve_names_add_brief(struct text *words, const struct fathom_result *result,
			   const struct fathom_curve *curve);
/* That of a legend among `count` curves of the result alone, of which it is the which-th. */
void curve_names_add_among(struct text *words, const struct fathom_result *result,
			   const size_t *curves, size_t count, size_t which);
