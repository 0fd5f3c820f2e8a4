/* The parts of what is shown of lanes: how many accesses overlap in each level. */
#ifndef VIEWS_EXPERIMENTS_PARALLELISM_H
#define VIEWS_EXPERIMENTS_PARALLELISM_H

#include "views/view.h"

/* throughput.c: a row for each of result->parallelism, latency against throughput, and in words
 * what limits. Nothing where there is none. */
void throughput_view(struct view *view, const struct fathom_result *result);
/* Adds "L2, 512 KiB", "512 KiB" where the level is not known; with `pages` "L2, 512 KiB, thp
 * pages". */
void parallelism_add_name(struct text *words, const struct fathom_result *result,
			  const struct fathom_curve *curve, bool pages);

#endif
