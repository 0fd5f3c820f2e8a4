/* Hardware threads of a simulated machine that each walk a cycle of their own at the same time,
 * through caches of their own and those that they have in common: all of one core, the last of
 * several of one cache. */
#pragma once

#include "kernels/permutation.h"
#include "measure/crew.h"
#include "simulate/simulated_cpus.h"
#include "simulate/simulated_memory.h"

struct simulated_walkers {
	struct simulated_memory memories[CREW_MOST_WALKERS];
	struct permutation orders[CREW_MOST_WALKERS]; /* of the lines of each one's part */
	size_t count;
	size_t last; /* who loaded last: has the state of what is in common */
	bool common[SIMULATED_LEVELS];
	uint64_t bytes; /* that each walks */
};

/* Caches that hold nothing, of at most CREW_MOST_WALKERS threads, each with `bytes` of the memory
 * that all of them map. Errors: as simulated_memory_map. */
int simulated_walkers_open(struct simulated_walkers *walkers, const struct simulated_spec *spec,
			   const unsigned *threads, size_t count, uint64_t bytes, uint64_t key,
			   struct fathom_error *error);
/* Accepts {0}, and leaves it. */
void simulated_walkers_close(struct simulated_walkers *walkers);
/* The first `active` walk at once, from empty caches on: laps that are not timed, then until one of
 * them has made `hops` more. hop_ns[i]: of each; NAN: it was not through with the first laps. *ns:
 * what all of it took. */
void simulated_walkers_walk(struct simulated_walkers *walkers, size_t active, uint64_t hops,
			    double *hop_ns, double *ns);
