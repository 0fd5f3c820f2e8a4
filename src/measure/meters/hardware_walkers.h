/* Threads of a team that each walk a cycle of their own at the same time. */
#pragma once

#include <stdatomic.h>

#include "measure/crew.h"
#include "measure/memory/buffer.h"
#include "measure/memory/chain.h"
#include "measure/sampling/team.h"

struct walker {
	struct hardware_walkers *all;
	int cpu;
	struct buffer buffer;
	struct chain chain;
	uint64_t hops;
	double ns;
	bool through, proven, away; /* through: with the laps that are not timed */
	int status;
	struct fathom_error error; /* owned */
};

struct hardware_walkers {
	const struct fathom_machine *machine;
	struct team *team; /* whose first members are seated */
	struct walker members[CREW_MOST_WALKERS];
	uint64_t bytes, key, hops; /* of what is laid, and to be walked */
	atomic_bool done;          /* one has made its hops */
};

/* Start from {0} with machine and team. As crew_ops->lay. */
int hardware_walkers_open(struct hardware_walkers *all, const int *cpus, uint32_t count,
			  uint64_t bytes, uint64_t key, struct fathom_error *error);
/* As crew_ops->walk. *steady: nobody was away from its CPU. Errors: FAILED (a cycle that did not
 * arrive where it must). */
int hardware_walkers_walk(struct hardware_walkers *all, uint32_t count, uint64_t hops,
			  double *hop_ns, bool *steady, struct fathom_error *error);
/* Machine and team stay. */
void hardware_walkers_close(struct hardware_walkers *all);
