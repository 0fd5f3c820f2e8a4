#include "measure/schedule/reach.h"

#include <math.h>

#define STEEP_PER_OCTAVE 1.25
#define STEEP_IN_ALL     1.75
#define SLOWEST_CACHE_NS 100.0

uint64_t reach_find(const struct tally *tallies, size_t count)
{
	const struct tally *before = NULL;
	uint64_t reach_bytes = 0;
	double risen = 1, foot_ns = 0;
	for (size_t i = 0; i < count; i++) {
		const struct tally *tally = &tallies[i];
		if (tally->block_count == 0 || tally->stride)
			continue;
		if (before) {
			double octaves = log2((double)tally->spec.size_bytes /
					      (double)before->spec.size_bytes);
			double rise = tally_median_ns(tally) / tally_median_ns(before);
			bool steep = log2(rise) > octaves * log2(STEEP_PER_OCTAVE);
			if (risen == 1)
				foot_ns = tally_median_ns(before);
			risen = steep ? risen * rise : 1;
			if (risen > STEEP_IN_ALL && foot_ns < SLOWEST_CACHE_NS)
				reach_bytes = tally->spec.size_bytes;
		}
		before = tally;
	}
	return reach_bytes;
}
