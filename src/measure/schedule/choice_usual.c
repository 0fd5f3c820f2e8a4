#include <math.h>

#include "base/patterns.h"
#include "measure/sampling/sampler.h"
#include "measure/schedule/choice.h"
#include "measure/spec.h"

/* Seen on a guest (Zen 4) in visits to 8 KiB to 150 MiB of each experiment, median of what they
 * took beside each other; of pages and lanes at most half. */
#define VISIT_S        0.7e-3 /* with batches as short as they are */
#define STREAM_VISIT_S 1.7e-3
#define TIMED_HOPS     73728 /* nine runs of a batch and its double */
#define BUILT_S        8e-9  /* a node, written; 10 ns on an Emerald Rapids, */
#define CACHED_SHARE   0.4   /* and 4 where the chain is no larger than: */
#define CACHED_BYTES   (16ull << 20)
#define LANES_A_BUILD  16 /* but of separate cycles each has its own */
#define WARMED_BYTES   (256ull << 20)
#define WARM_OVERLAP   10.0  /* 6 on a Zen 4; 16 on an Emerald Rapids, in nodes of 4 bytes */
#define FLUSHED_S      10e-9 /* a line */

/* A hop, by the size alone, where one waits for the other, and where they overlap. */
static double usual_hop_s(const struct fathom_spec *spec)
{
	static const struct {
		uint64_t bytes;
		double waits_s, overlaps_s;
	} usual[] = {{32ull << 10, 1.5e-9, 0.5e-9},
		     {1ull << 20, 5e-9, 1e-9},
		     {16ull << 20, 25e-9, 3e-9},
		     {UINT64_MAX, 150e-9, 6e-9}};
	enum pattern_order order = pattern_traits(spec->pattern)->order;
	bool in_order =
		order == PATTERN_ASCENDING || order == PATTERN_DESCENDING || spec_overlaps(spec);
	size_t i = 0;
	while (spec->size_bytes > usual[i].bytes)
		i++;
	return in_order ? usual[i].overlaps_s : usual[i].waits_s;
}

double choice_usual_s(const struct fathom_spec *spec)
{
	enum pattern_order order = pattern_traits(spec->pattern)->order;
	double nodes = (double)spec_nodes(spec), hop_s = usual_hop_s(spec);
	double timed_s = TIMED_HOPS * hop_s;
	double warmed = fmin(nodes, (double)WARMED_BYTES / (double)spec->node_bytes);
	if (pattern_streams(spec->pattern))
		return STREAM_VISIT_S + (2 * warmed + TIMED_HOPS / 9.0) * hop_s;
	double built_s = nodes * BUILT_S, warm_s = warmed * hop_s / WARM_OVERLAP;
	bool built_once = spec->axis == FATHOM_AXIS_LANES && order != PATTERN_SEPARATE;
	if (spec->size_bytes <= CACHED_BYTES)
		built_s *= CACHED_SHARE;
	if (built_once)
		built_s /= LANES_A_BUILD;
	if (built_once && spec->lanes > 1)
		warm_s = 0;
	if (spec->lap)
		timed_s = nodes * hop_s;
	if (spec->warmth == FATHOM_SETTLED)
		warm_s += 1e-9 * SAMPLER_SETTLE_NS;
	if (spec_is_cold(spec))
		warm_s = nodes * FLUSHED_S;
	return VISIT_S + built_s + warm_s + timed_s;
}
