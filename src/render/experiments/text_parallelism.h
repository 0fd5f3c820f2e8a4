/* What is shown of lanes: how many accesses overlap in each level, and what that yields. */
#ifndef RENDER_EXPERIMENTS_TEXT_PARALLELISM_H
#define RENDER_EXPERIMENTS_TEXT_PARALLELISM_H

#include "render/text/layout.h"

/* text_parallelism.c: the levels of the sweep, where there was one; for each size a row a number of
 * lanes, its kinds of pages side by side; a plot of the speed-up; then text_throughput. */
void text_parallelism(const struct layout *layout, const struct fathom_result *result);
/* text_throughput.c: a row for each of result->parallelism, latency against throughput, and in
 * words what limits. Nothing where there is none. */
void text_throughput(const struct layout *layout, const struct fathom_result *result);
/* "0.162", "13.7", "265", "-" for what is not known. free() it; NULL: out of memory. */
char *text_three_digits(double value);
/* "L2, 512 KiB", "512 KiB" where the level is not known; with `pages` "L2, 512 KiB, thp pages".
 * free() it; NULL: out of memory. */
char *text_lanes_name(const struct layout *layout, const struct fathom_result *result,
		      const struct fathom_curve *curve, bool pages);

#endif
