/* What is shown of single accesses. */
#pragma once

#include "fathom.h"
#include "views/view.h"

/* Of each series percentiles, modes and sentences, and the figures; nothing where there are none.
 */
void distribution_view(struct view *view, const struct fathom_result *result);

/* figures.c: adds "64 MiB, thp pages, cold_flushed". */
void accesses_add_name(struct text *text, const struct fathom_result *result,
		       const struct fathom_distribution *distribution);
/* controls.c: is it there to tell what modes of others are of? Of its own the modes alone are of
 * use. */
bool accesses_is_control(const struct fathom_result *result, const struct fathom_distribution *one);
/* What the control of it tells; nothing where none was to be expected. */
void accesses_say_control(struct view *view, const struct fathom_result *result,
			  const struct fathom_distribution *one);
