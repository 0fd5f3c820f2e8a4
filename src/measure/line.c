#include "measure/line.h"

#include <math.h>

#include "base/rng.h"
#include "measure/sampler.h"

/* Nodes 1 KiB apart use few sets of a first-level cache, which therefore cannot hold 1024 of them,
 * and fewer pages than a second-level TLB has entries. */
#define NODE_BYTES            1024
#define SMALLEST_STRIDE_BYTES 8
#define LARGEST_STRIDE_BYTES  512
#define REPEATS               5

/* The least of several blocks: disturbances only ever add. */
static int cheapest_hop(struct meter *meter, const struct fathom_spec *spec, uint64_t seed,
			double *ns, struct fathom_error *error)
{
	const struct sampler_options options = {.batches = 1,
						.expected_ns = NAN,
						.warm_hops = 4 * LINE_SPAN_BYTES / NODE_BYTES,
						.warm_ns = 1e6};
	double least = INFINITY;
	for (uint64_t i = 0; i < REPEATS; i++) {
		struct meter_placement placement;
		struct sampler_block block;
		if (meter->ops->prepare(meter, spec, rng_mix(seed, i), true, &placement, error) ||
		    sampler_run(meter, &options, &block, error))
			return -1;
		least = fmin(least, block.ns);
		sampler_block_free(&block);
	}
	*ns = least;
	return 0;
}

int line_measure(struct meter *meter, enum fathom_page page, uint64_t seed, uint64_t *line_bytes,
		 struct fathom_error *error)
{
	struct fathom_spec spec = {.size_bytes = 4096,
				   .node_bytes = 64,
				   .seed = seed,
				   .lanes = 1,
				   .threads = 1,
				   .page = page};
	double nearest_ns, together_ns, ns;
	if (cheapest_hop(meter, &spec, seed, &nearest_ns, error))
		return -1;
	spec.pattern = FATHOM_LINE_PAIR;
	spec.size_bytes = LINE_SPAN_BYTES;
	spec.node_bytes = NODE_BYTES;
	spec.stride_bytes = SMALLEST_STRIDE_BYTES;
	if (cheapest_hop(meter, &spec, seed, &together_ns, error))
		return -1;
	uint64_t found = 0;
	while (!found && spec.stride_bytes < LARGEST_STRIDE_BYTES) {
		spec.stride_bytes *= 2;
		if (cheapest_hop(meter, &spec, seed, &ns, error))
			return -1;
		/* Two hops a node: the second costs more than another first-level hit would. */
		if (2 * (ns - together_ns) > nearest_ns)
			found = spec.stride_bytes;
	}
	*line_bytes = found;
	return 0;
}
