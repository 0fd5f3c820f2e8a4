#include "measure/schedule/last_cliff.h"

#include <math.h>

#define STEEP_PER_OCTAVE 1.25
#define STEEP_IN_ALL     1.75
#define SLOWEST_CACHE_NS 100.0

uint64_t last_cliff_find(const struct accumulator *accumulators, size_t count)
{
	const struct accumulator *before = NULL;
	uint64_t reach_bytes = 0;
	double risen = 1, foot_ns = 0;
	for (size_t i = 0; i < count; i++) {
		const struct accumulator *accumulator = &accumulators[i];
		if (accumulator->block_count == 0 || accumulator->stride)
			continue;
		if (before) {
			double octaves = log2((double)accumulator->spec.size_bytes /
					      (double)before->spec.size_bytes);
			double rise =
				accumulator_median_ns(accumulator) / accumulator_median_ns(before);
			bool steep = log2(rise) > octaves * log2(STEEP_PER_OCTAVE);
			if (risen == 1)
				foot_ns = accumulator_median_ns(before);
			risen = steep ? risen * rise : 1;
			if (risen > STEEP_IN_ALL && foot_ns < SLOWEST_CACHE_NS)
				reach_bytes = accumulator->spec.size_bytes;
		}
		before = accumulator;
	}
	return reach_bytes;
}
