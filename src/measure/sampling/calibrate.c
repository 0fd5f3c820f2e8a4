#include "measure/sampling/calibrate.h"

#include <math.h>

#include "base/rng.h"
#include "base/stats.h"
#include "measure/sampling/runs.h"
#include "measure/sampling/sampler.h"
#include "measure/sampling/trials.h"

#define PAIRS         15 /* of a set */
#define LENGTHS       16
#define MOST_COST_NS  1000.0 /* a system call, for a timer that needs one, is less */
#define COST_SHARE    0.1    /* of the shortest run */
#define BEARABLE      0.001  /* of the shortest run: half the interval */
#define DIFFERS       0.005  /* the same, at the end of a run */
#define CHANCE        3      /* half intervals */
#define ROUNDS        9
#define RUNS_A_ROUND  7
#define FLOOR_RUNS    5
#define POINTER_BYTES 8
/* Of what an address takes: as the clock and neighbours change, six calibrations on one guest,
 * seconds apart, gave 6.33 to 6.42 ns. */
#define ADDRESS_ERROR 0.01

/* Several nodes, so that a hop too few or too many is noticed. */
static int prepare_one_line(struct meter *meter, enum fathom_page page, uint64_t seed,
			    struct fathom_error *error)
{
	const struct fathom_spec one_line = {.size_bytes = 64,
					     .node_bytes = 8,
					     .seed = seed,
					     .lanes = 1,
					     .threads = 1,
					     .page = page};
	struct meter_placement placement;
	return meter->ops->prepare(meter, &one_line, seed, true, &placement, error) ? -1 : 0;
}

/* Of several lengths: times that are all alike would all be rounded alike. */
static int take_pairs(struct meter *meter, uint64_t shortest_hops, double *cost_ns,
		      struct fathom_error *error)
{
	double costs_ns[PAIRS], once_ns, twice_ns;
	for (unsigned i = 0; i < PAIRS; i++) {
		uint64_t hops = shortest_hops + i % LENGTHS * meter->hops_unit;
		if (sampler_time_hops(meter, hops, &once_ns, error) ||
		    sampler_time_hops(meter, 2 * hops, &twice_ns, error))
			return -1;
		costs_ns[i] = 2 * once_ns - twice_ns;
	}
	/* The times are rounded to steps of the timer, which the resolution stands for: twice one
	 * less the other is up to two of them off. */
	*cost_ns = trials_find(costs_ns, PAIRS, 2 * meter->resolution * meter->shortest_run_ns);
	return 0;
}

int calibrate_fixed_cost(struct meter *meter, enum fathom_page page, uint64_t seed,
			 struct calibrate_cost *cost, struct fathom_error *error)
{
	struct trials_sets sets = {.count = 0};
	uint64_t hops;
	if (prepare_one_line(meter, page, seed, error) ||
	    runs_find_hops(meter, meter->shortest_run_ns / 4, &hops, NULL, error))
		return -1;
	double most_ns = fmin(MOST_COST_NS, COST_SHARE * meter->shortest_run_ns);
	double bearable_ns = BEARABLE * meter->shortest_run_ns;
	while (trials_go_on(&sets, bearable_ns)) {
		if (take_pairs(meter, hops, &sets.values[sets.count], error))
			return -1;
		sets.count++;
	}
	struct trials_center found = trials_of_sets(&sets);
	*cost = (struct calibrate_cost){
		.ns = fmin(fmax(0, found.value), most_ns),
		.error_ns = found.half_width,
		.over_ns = fmax(0, found.value - most_ns),
		.clear = found.half_width <= bearable_ns && found.value <= most_ns,
	};
	return 0;
}

int calibrate_fixed_cost_within(struct meter *meter, enum fathom_page page, uint64_t seed,
				double seconds, struct calibrate_cost *cost,
				struct fathom_error *error)
{
	double until_s = meter->ops->elapsed_s(meter) + fmin(seconds, CALIBRATE_MOST_S);
	struct calibrate_cost best, anew;
	if (calibrate_fixed_cost(meter, page, seed, &best, error))
		return -1;
	while (!best.clear && meter->ops->elapsed_s(meter) < until_s) {
		if (calibrate_fixed_cost(meter, page, seed, &anew, error))
			return -1;
		if (anew.clear || anew.over_ns + anew.error_ns < best.over_ns + best.error_ns)
			best = anew;
	}
	*cost = best;
	return 0;
}

bool calibrate_cost_differs(const struct meter *meter, const struct calibrate_cost *cost)
{
	return fabs(cost->ns - meter->fixed_cost_ns) >
	       fmax(DIFFERS * meter->shortest_run_ns, CHANCE * cost->error_ns);
}

/* What of so many runs `find` takes of a hop. */
static int find_hop(struct meter *meter, const struct fathom_spec *spec, uint64_t seed,
		    runs_find *find, unsigned runs, double *hop_ns, struct fathom_error *error)
{
	struct meter_placement placement;
	uint64_t hops;
	double ns;
	if (meter->ops->prepare(meter, spec, seed, true, &placement, error) ||
	    runs_find_hops(meter, meter->shortest_run_ns, &hops, NULL, error) ||
	    find(meter, hops, runs, &ns, error))
		return -1;
	*hop_ns = (ns - meter->fixed_cost_ns) / (double)hops;
	return 0;
}

int calibrate_lanes(struct meter *meter, const struct fathom_spec *spec, double *floor_ns,
		    struct fathom_error *error)
{
	struct fathom_spec small = *spec;
	small.node_bytes = meter->line_bytes;
	small.size_bytes = small.node_bytes * spec->lanes;
	return find_hop(meter, &small, spec->seed, runs_find_least, FLOOR_RUNS, floor_ns, error);
}

int calibrate_independent(struct meter *meter, const struct fathom_spec *spec, double *overhead_ns,
			  double *error_ns, struct fathom_error *error)
{
	struct fathom_spec independent = *spec, plain = *spec;
	double overheads_ns[ROUNDS];
	independent.pattern = FATHOM_INDEPENDENT;
	plain.pattern = FATHOM_RANDOM_CYCLE;
	if (spec->link == FATHOM_LINK_BYTE) { /* of which there is no cycle */
		plain.link = FATHOM_LINK_POINTER;
		plain.node_bytes = POINTER_BYTES;
	}
	independent.size_bytes = independent.node_bytes;
	plain.size_bytes = plain.node_bytes;
	/* One right after the other: so near in time the clock is the same. */
	for (uint64_t i = 0; i < ROUNDS; i++) {
		double independent_ns, plain_ns;
		uint64_t seed = rng_mix(spec->seed, i);
		if (find_hop(meter, &independent, seed, runs_find_usual, RUNS_A_ROUND,
			     &independent_ns, error) ||
		    find_hop(meter, &plain, seed, runs_find_usual, RUNS_A_ROUND, &plain_ns, error))
			return -1;
		overheads_ns[i] = independent_ns - plain_ns;
	}
	*overhead_ns = stats_median(overheads_ns, ROUNDS);
	struct stats_interval interval = stats_median_interval(overheads_ns, ROUNDS);
	*error_ns = fmax((interval.high - interval.low) / 2, ADDRESS_ERROR * *overhead_ns);
	return 0;
}
