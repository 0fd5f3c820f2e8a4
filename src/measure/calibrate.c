#include "measure/calibrate.h"

#include <math.h>

#include "base/error.h"
#include "base/rng.h"
#include "base/stats.h"
#include "measure/sampler.h"

#define PAIRS      63
#define BLOCKS     9
#define FLOOR_RUNS 5

int calibrate_fixed_cost(struct meter *meter, enum fathom_page page, uint64_t seed,
			 struct fathom_error *error)
{
	/* Several nodes, so that a hop too few or too many is noticed. */
	const struct fathom_spec one_line = {.size_bytes = 64,
					     .node_bytes = 8,
					     .seed = seed,
					     .lanes = 1,
					     .threads = 1,
					     .page = page};
	struct meter_placement placement;
	double costs[PAIRS], once_ns = 0, twice_ns;
	uint64_t hops = meter->hops_unit;
	if (meter->ops->prepare(meter, &one_line, seed, true, &placement, error))
		return -1;
	for (; once_ns < meter->shortest_run_ns / 4; hops *= 2)
		if (sampler_time_hops(meter, hops, &once_ns, error))
			return -1;
	for (int i = 0; i < PAIRS; i++) {
		if (sampler_time_hops(meter, hops, &once_ns, error) ||
		    sampler_time_hops(meter, 2 * hops, &twice_ns, error))
			return -1;
		costs[i] = 2 * once_ns - twice_ns;
	}
	meter->fixed_cost_ns = fmax(0, stats_median(costs, PAIRS));
	return 0;
}

int calibrate_lanes(struct meter *meter, const struct fathom_spec *spec, double *floor_ns,
		    struct fathom_error *error)
{
	struct fathom_spec small = *spec;
	struct meter_placement placement;
	double least_ns = INFINITY, ns;
	small.node_bytes = meter->line_bytes;
	small.size_bytes = small.node_bytes * spec->lanes;
	if (meter->ops->prepare(meter, &small, spec->seed, true, &placement, error))
		return -1;
	uint64_t hops = meter->hops_unit;
	for (ns = 0; ns < meter->shortest_run_ns; hops *= 2)
		if (sampler_time_hops(meter, hops, &ns, error))
			return -1;
	for (int i = 0; i < FLOOR_RUNS; i++) {
		if (sampler_time_hops(meter, hops, &ns, error))
			return -1;
		least_ns = fmin(least_ns, ns);
	}
	*floor_ns = (least_ns - meter->fixed_cost_ns) / (double)hops;
	return 0;
}

/* Median and half-width of the interval over blocks. */
static int one_line_ns(struct meter *meter, const struct fathom_spec *spec, double *ns,
		       double *half_ns, struct fathom_error *error)
{
	const struct sampler_options options = {.expected_ns = NAN, .alike = true};
	double blocks[BLOCKS];
	for (uint64_t i = 0; i < BLOCKS; i++) {
		struct meter_placement placement;
		struct sampler_block block;
		if (meter->ops->prepare(meter, spec, rng_mix(spec->seed, i), true, &placement,
					error) ||
		    sampler_run(meter, &options, &block, error))
			return -1;
		blocks[i] = sampler_block_ns(&block);
		sampler_block_free(&block);
	}
	*ns = stats_median(blocks, BLOCKS);
	struct stats_interval interval = stats_median_interval(blocks, BLOCKS);
	*half_ns = (interval.high - interval.low) / 2;
	return 0;
}

int calibrate_independent(struct meter *meter, const struct fathom_spec *spec, double *overhead_ns,
			  double *error_ns, struct fathom_error *error)
{
	struct fathom_spec independent = *spec, plain = *spec;
	double independent_ns, plain_ns, independent_half_ns, plain_half_ns;
	independent.size_bytes = plain.size_bytes = spec->node_bytes;
	independent.pattern = FATHOM_INDEPENDENT;
	plain.pattern = FATHOM_RANDOM_CYCLE;
	if (one_line_ns(meter, &independent, &independent_ns, &independent_half_ns, error) ||
	    one_line_ns(meter, &plain, &plain_ns, &plain_half_ns, error))
		return -1;
	*overhead_ns = independent_ns - plain_ns;
	*error_ns = hypot(independent_half_ns, plain_half_ns);
	return 0;
}
