/* The loops that make traffic: of each kind the one that is fastest where all make it at once. */
#pragma once

#include "measure/memory/slice.h"
#include "measure/sampling/team.h"

struct loader_loops {
	const struct kernel *read, *update, *write_nt; /* NULL: this CPU has none */
};

/* What a member of the team streams through. */
struct loader_part {
	struct slice *read, *change;
};

/* By short runs of the team, `count` members, of which the first does nothing: it has the chain.
 * Errors: FAILED (memory). */
int loader_loops_find(struct team *team, const struct loader_part *parts, uint32_t count,
		      struct loader_loops *loops, struct fathom_error *error);
