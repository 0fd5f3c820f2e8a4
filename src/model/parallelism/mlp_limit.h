/* What keeps more accesses from overlapping: the loop, too few lanes, page walks, bandwidth, or the
 * misses that a cache can have outstanding. What is known of each is asked in that order, and the
 * first that explains the plateau is named. */
#pragma once

#include "fathom.h"
#include "model/parallelism/saturation.h"

/* Beside each of result->parallelism. */
struct mlp {
	struct saturation saturation;
	bool in_first_cache; /* there are no misses to overlap */
};

/* Fills limit and evidence of all. Errors: FAILED (memory). */
int mlp_limit_find(struct fathom_result *result, const struct mlp *mlps,
		   struct fathom_error *error);
