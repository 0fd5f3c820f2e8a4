/* Timed runs of a chain that was prepared, for what is learnt from repeated ones. */
#pragma once

#include "measure/meter.h"

/* The fewest hops, doubling from meter->hops_unit, with which each of several runs takes as long as
 * `shortest_ns`: one that was disturbed does not make too few of them enough. *hop_ns (may be
 * NULL): a hop of the shortest of these runs. Errors: as sampler_time_hops. */
int runs_find_hops(struct meter *meter, double shortest_ns, uint64_t *hops, double *hop_ns,
		   struct fathom_error *error);
#define RUNS_MOST 63
/* What most of `runs` runs take, see trials.h. Errors: the same. */
int runs_find_usual(struct meter *meter, uint64_t hops, unsigned runs, double *usual_ns,
		    struct fathom_error *error);
/* The shortest of several runs, in ns. Errors: the same. */
int runs_find_least(struct meter *meter, uint64_t hops, unsigned runs, double *least_ns,
		    struct fathom_error *error);
