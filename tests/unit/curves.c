#include "curves.h"

#include <math.h>
#include <stdlib.h>

#include "base/rng.h"

double known_latency(const struct known_curve *known, double size_bytes)
{
	double latency = known->base;
	for (size_t i = 0; i < known->step_count; i++) {
		struct hit_shape shape = known->steps[i].shape;
		if (known->steps[i].translation && known->pattern == FATHOM_WINDOW)
			continue;
		if (known->pattern == FATHOM_INDEPENDENT)
			shape.law = HIT_INDEPENDENT;
		double ratio = size_bytes / known->steps[i].reach_bytes;
		latency += known->steps[i].rise * (1 - hit_share(&shape, ratio));
	}
	return latency;
}

static struct fathom_point make_point(const struct known_curve *known, double size_bytes,
				      struct rng *rng)
{
	double latency = known_latency(known, size_bytes) * (1 + known->noise * rng_normal(rng));
	if (rng_unit(rng) < known->outliers)
		latency *= 1.1 + 0.9 * rng_unit(rng);
	struct fathom_point point = {
		.spec = {.size_bytes = (uint64_t)llround(size_bytes / 64) * 64,
			 .pattern = known->pattern,
			 .node_bytes = known->pattern == FATHOM_PATTERN_UNKNOWN ? 0 : 64,
			 .window_bytes = known->pattern == FATHOM_WINDOW ? 65536 : 0,
			 .lanes = 1,
			 .threads = 1},
		.latency_ns = known->cycles_alone ? NAN : latency,
		.latency_low_ns = NAN,
		.latency_high_ns = NAN,
		.latency_cycles = known->cycles_alone    ? latency
				  : known->clock_ghz > 0 ? latency * known->clock_ghz
							 : NAN,
		.latency_low_cycles = NAN,
		.latency_high_cycles = NAN,
		.page_share = NAN,
	};
	return point;
}

struct fathom_curve make_curve(const struct known_curve *known)
{
	struct rng rng = rng_make(known->seed);
	double octaves = log2(known->last_bytes / known->first_bytes);
	size_t count = (size_t)floor(octaves * known->per_octave + 1e-9) + 1;
	struct fathom_curve curve = {.memory_node = -1,
				     .experiment = FATHOM_LATENCY,
				     .axis = FATHOM_AXIS_SIZE,
				     .points = calloc(count, sizeof(*curve.points)),
				     .point_count = count};
	for (size_t i = 0; i < count; i++)
		curve.points[i] = make_point(
			known, known->first_bytes * exp2((double)i / known->per_octave), &rng);
	return curve;
}
