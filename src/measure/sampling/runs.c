#include "measure/sampling/runs.h"

#include <math.h>

#include "measure/sampling/sampler.h"
#include "measure/sampling/trials.h"

/* Of calls of which a third is disturbed, that many are with 1 in 20,000. */
#define LENGTH_RUNS 9

int runs_find_hops(struct meter *meter, double shortest_ns, uint64_t *hops, double *hop_ns,
		   struct fathom_error *error)
{
	uint64_t count = meter->hops_unit;
	double ns, least_ns = INFINITY;
	for (int runs = 0; runs < LENGTH_RUNS; runs++) {
		if (sampler_time_hops(meter, count, &ns, error))
			return -1;
		least_ns = fmin(least_ns, ns);
		if (ns >= shortest_ns)
			continue;
		count *= 2;
		least_ns = INFINITY;
		runs = -1;
	}
	*hops = count;
	if (hop_ns)
		*hop_ns = least_ns / (double)count;
	return 0;
}

int runs_find_usual(struct meter *meter, uint64_t hops, unsigned runs, double *usual_ns,
		    struct fathom_error *error)
{
	double times_ns[RUNS_MOST];
	for (unsigned i = 0; i < runs; i++)
		if (sampler_time_hops(meter, hops, &times_ns[i], error))
			return -1;
	*usual_ns = trials_find(times_ns, runs, 0);
	return 0;
}

int runs_find_least(struct meter *meter, uint64_t hops, unsigned runs, double *least_ns,
		    struct fathom_error *error)
{
	double ns, least = INFINITY;
	while (runs--) {
		if (sampler_time_hops(meter, hops, &ns, error))
			return -1;
		least = fmin(least, ns);
	}
	*least_ns = least;
	return 0;
}
