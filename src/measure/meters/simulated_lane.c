#include "measure/meters/simulated_lane.h"

#include <math.h>

#include "base/patterns.h"
#include "kernels/kernels.h"
#include "measure/memory/stream.h"
#include "measure/spec.h"

void simulated_lane_start(struct simulated_lane *lane, const struct chain *chain,
			  struct simulated_memory *memory, uint64_t hops)
{
	uint64_t start = chain_work(chain).cursor;
	*lane = (struct simulated_lane){chain, memory, chain_cursor_after(chain, start, 0, hops)};
}

/* Every line of access number `position`, and of the index that it needs. */
static void load_access(const struct simulated_lane *lane, uint64_t position)
{
	const struct fathom_spec *spec = &lane->chain->spec;
	uint64_t first = stream_offset(lane->chain, position);
	enum kernel_kind kernel = pattern_traits(spec->pattern)->kernel;
	uint64_t bytes = kernel == KERNEL_LINEAR_SUM ? spec->node_bytes : 1;
	if (kernel == KERNEL_INDEX_ARRAY)
		simulated_memory_load(lane->memory,
				      spec_index_offset(spec) + position * sizeof(uint32_t));
	for (uint64_t offset = first; offset < first + bytes;
	     offset += lane->memory->spec.line_bytes)
		simulated_memory_load(lane->memory, offset);
}

/* `position`: of what overlaps, whose cursor is a sum. */
static void walk(struct simulated_lane *lane, uint64_t position, uint64_t hops)
{
	const struct chain *chain = lane->chain;
	const unsigned char *accessed;
	uint64_t cursor = lane->cursor;
	if (pattern_overlaps(chain->spec.pattern)) {
		for (uint64_t i = 0; i < hops; i++)
			load_access(lane, (position + i) % chain->hops_per_cycle);
		lane->cursor = stream_sum_after(chain, cursor, position, hops);
		return;
	}
	for (; hops; hops--) {
		cursor = chain_step(chain, cursor, &accessed);
		simulated_memory_load(lane->memory, (uint64_t)(accessed - chain->base));
	}
	lane->cursor = cursor;
}

static double cost_ns(struct simulated_cost cost, double hz)
{
	return cost.cycles * 1e9 / hz + cost.ns;
}

/* What a hop costs that is no load: of random branches every second one is mispredicted. */
static double operation_ns(const struct simulated_lane *lane, double hz)
{
	const struct simulated_spec *spec = &lane->memory->spec;
	switch (lane->chain->spec.pattern) {
	case FATHOM_BRANCHES_RANDOM:
		return cost_ns(spec->mispredict_cost, hz) / 2;
	case FATHOM_LOCKS:
		return cost_ns(spec->lock_cost, hz);
	default:
		return 0;
	}
}

double simulated_lane_ns(const struct simulated_lane *lane, uint64_t hops, double hz)
{
	const struct simulated_spec *spec = &lane->memory->spec;
	double ns = cost_ns(simulated_memory_cost(lane->memory), hz);
	if (!pattern_overlaps(lane->chain->spec.pattern))
		return ns;
	double issue_ns = 1e9 / hz / spec->issued_per_cycle;
	return fmax(ns / spec->overlap, (double)hops * issue_ns) +
	       (double)hops * operation_ns(lane, hz);
}

void simulated_lane_warm(struct simulated_lane *lane, uint64_t position, uint64_t hops)
{
	uint64_t cycle = lane->chain->hops_per_cycle, from = 0, here = lane->cursor;
	if (cycle) {
		from = position % cycle + cycle - hops % cycle;
		lane->cursor = chain_cursor_at(lane->chain, from);
	}
	lane->memory->overlap = KERNEL_WARM_LANES; /* as simulated_meter says it takes */
	walk(lane, from, hops);
	lane->memory->overlap = 0;
	if (cycle) /* independent accesses go on: the same ones again would all hit */
		lane->cursor = here;
}

double simulated_lane_run(struct simulated_lane *lane, uint64_t position, uint64_t hops,
			  bool lose_one, double hz, bool *arrived)
{
	uint64_t expected = chain_cursor_after(lane->chain, lane->cursor, position, hops);
	walk(lane, position, hops - lose_one);
	*arrived = lane->cursor == expected;
	return simulated_lane_ns(lane, hops, hz);
}
