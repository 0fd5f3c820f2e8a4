/* Timed runs of a chain that was prepared, for what is learnt from repeated ones. */
#pragma once

#include "measure/meter.h"

/* The fewest hops, doubling from meter->hops_unit, with which each of several runs takes as long as
 * `shortest_ns`: one that was disturbed does not make too few of them enough. *hop_ns (may be
 * NULL): a hop of the shortest of these runs. Errors: as sampler_time_hops. */
int runs_find_hops(struct meter *meter, double shortest_ns, uint64_t *hops, double *hop_ns,
		   struct fathom_error *error);
#define RUNS_MOST 63
/* Of so many runs of as many hops one time, in ns. Errors: the same. */
typedef int runs_find(struct meter *meter, uint64_t hops, unsigned runs, double *ns,
		      struct fathom_error *error);
runs_find runs_find_usual; /* what most of them take, see trials.h */
runs_find runs_find_least; /* the shortest */
