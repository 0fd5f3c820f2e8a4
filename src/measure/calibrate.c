#include "measure/calibrate.h"

#include <math.h>

#include "base/error.h"
#include "base/stats.h"
#include "measure/sampler.h"

#define PAIRS   63
#define BATCHES 5

static int run(struct meter *meter, uint64_t hops, double *ns, struct fathom_error *error)
{
	bool arrived;
	meter->ops->run(meter, hops, ns, &arrived);
	return arrived ? 0
		       : error_set(error, FATHOM_FAILED, NULL,
				   "the chain did not arrive where it must");
}

int calibrate_fixed_cost(struct meter *meter, enum fathom_page page, uint64_t seed,
			 struct fathom_error *error)
{
	const struct fathom_spec one_line = {.size_bytes = 64,
					     .node_bytes = 64,
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
		if (run(meter, hops, &once_ns, error))
			return -1;
	for (int i = 0; i < PAIRS; i++) {
		if (run(meter, hops, &once_ns, error) || run(meter, 2 * hops, &twice_ns, error))
			return -1;
		costs[i] = 2 * once_ns - twice_ns;
	}
	meter->fixed_cost_ns = fmax(0, stats_median(costs, PAIRS));
	return 0;
}

static int one_line_ns(struct meter *meter, const struct fathom_spec *spec, double *ns,
		       struct fathom_error *error)
{
	const struct sampler_options options = {.batches = BATCHES, .expected_ns = NAN};
	struct meter_placement placement;
	struct sampler_block block;
	if (meter->ops->prepare(meter, spec, spec->seed, true, &placement, error) ||
	    sampler_run(meter, &options, &block, error))
		return -1;
	*ns = block.ns;
	sampler_block_free(&block);
	return 0;
}

int calibrate_independent(struct meter *meter, const struct fathom_spec *spec, double *overhead_ns,
			  struct fathom_error *error)
{
	struct fathom_spec independent = *spec, plain = *spec;
	double independent_ns, plain_ns;
	independent.size_bytes = plain.size_bytes = spec->node_bytes;
	independent.pattern = FATHOM_INDEPENDENT;
	plain.pattern = FATHOM_RANDOM_CYCLE;
	if (one_line_ns(meter, &independent, &independent_ns, error) ||
	    one_line_ns(meter, &plain, &plain_ns, error))
		return -1;
	*overhead_ns = independent_ns - plain_ns;
	return 0;
}
