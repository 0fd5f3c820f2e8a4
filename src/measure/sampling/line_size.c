#include "measure/sampling/line_size.h"

#include <math.h>

#include "base/rng.h"
#include "base/stats.h"
#include "measure/sampling/runs.h"

/* Nodes 1 KiB apart use few sets of a first-level cache, which therefore cannot hold 1024 of them,
 * and fewer pages than a second-level TLB has entries. */
#define NODE_BYTES            1024
#define SMALLEST_STRIDE_BYTES 8
#define LARGEST_STRIDE_BYTES  512
#define REPEATS               5
#define WARM_LAPS             4
#define RUNS                  5
#define CHANCE                4 /* scatters */
#define MOST_TRIES            5
#define VOTES                 2 /* of these tries */
#define VOTES_AGAINST         3 /* against what is reported */

struct hop {
	double least_ns;   /* of several placements: disturbances only ever add */
	double scatter_ns; /* how far above it their median is */
};

static int time_hop(struct meter *meter, const struct fathom_spec *spec, uint64_t seed,
		    struct hop *hop, struct fathom_error *error)
{
	uint64_t lap = 2 * LINE_SPAN_BYTES / NODE_BYTES, hops;
	double ns[REPEATS];
	for (uint64_t i = 0; i < REPEATS; i++) {
		struct meter_placement placement;
		if (meter->ops->prepare(meter, spec, rng_mix(seed, i), true, &placement, error))
			return -1;
		meter->ops->warm(meter, WARM_LAPS * lap);
		if (runs_find_hops(meter, meter->shortest_run_ns, &hops, NULL, error))
			return -1;
		if (runs_find_usual(meter, hops, RUNS, &ns[i], error))
			return -1;
		ns[i] = (ns[i] - meter->fixed_cost_ns) / (double)hops;
	}
	hop->scatter_ns = stats_median(ns, REPEATS);
	hop->least_ns = ns[0]; /* sorted now */
	hop->scatter_ns -= hop->least_ns;
	return 0;
}

/* *line_bytes: 0 where no step stands out. */
static int measure_once(struct meter *meter, enum fathom_page page, uint64_t seed,
			uint64_t *line_bytes, struct fathom_error *error)
{
	struct fathom_spec spec = {.size_bytes = 4096,
				   .node_bytes = 64,
				   .seed = seed,
				   .lanes = 1,
				   .threads = 1,
				   .page = page};
	struct hop nearest, together, hop;
	if (time_hop(meter, &spec, seed, &nearest, error))
		return -1;
	spec.pattern = FATHOM_LINE_PAIR;
	spec.size_bytes = LINE_SPAN_BYTES;
	spec.node_bytes = NODE_BYTES;
	spec.stride_bytes = SMALLEST_STRIDE_BYTES;
	if (time_hop(meter, &spec, seed, &together, error))
		return -1;
	uint64_t found = 0;
	bool clear = true;
	while (clear && !found && spec.stride_bytes < LARGEST_STRIDE_BYTES) {
		spec.stride_bytes *= 2;
		if (time_hop(meter, &spec, seed, &hop, error))
			return -1;
		/* Two hops a node: the second costs more than another first-level hit would, and
		 * more than chance: where a cache picks its victims at random blocks differ. A step
		 * that may be chance is none, and what comes after it is not the first. */
		double scatter_ns = fmax(hop.scatter_ns, together.scatter_ns);
		double step_ns = 2 * (hop.least_ns - together.least_ns);
		clear = step_ns <= nearest.least_ns ||
			step_ns > nearest.least_ns + CHANCE * scatter_ns;
		found = step_ns > nearest.least_ns ? spec.stride_bytes : 0;
	}
	*line_bytes = clear ? found : 0;
	return 0;
}

int line_size_measure(struct meter *meter, enum fathom_page page, uint64_t seed,
		      uint64_t reported_bytes, uint64_t *line_bytes, struct fathom_error *error)
{
	uint64_t found[MOST_TRIES], agreed = 0;
	unsigned wanted = reported_bytes ? VOTES_AGAINST : VOTES;
	for (unsigned tries = 0; tries < MOST_TRIES && !agreed; tries++) {
		if (measure_once(meter, page, rng_mix(seed, tries), &found[tries], error))
			return -1;
		unsigned votes = 0;
		for (unsigned i = 0; i <= tries; i++)
			votes += found[i] == found[tries];
		if (found[tries] == reported_bytes || votes == wanted)
			agreed = found[tries];
	}
	*line_bytes = agreed;
	return 0;
}
