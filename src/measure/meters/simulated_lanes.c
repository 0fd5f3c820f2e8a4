#include "measure/meters/simulated_lanes.h"

#define LINK_BYTES 8

void simulated_lanes_start(struct simulated_lanes *lanes, const struct chain *chain,
			   struct simulated_memory *memory, uint64_t position)
{
	uint32_t count = chain->spec.lanes;
	*lanes = (struct simulated_lanes){.chain = chain,
					  .memory = memory,
					  .hops = position * count,
					  .in_memory =
						  chain->spec.lane_store == FATHOM_STORE_ARRAY ||
						  chain->spec.lane_store == FATHOM_STORE_STACK};
	simulated_traffic_start(&lanes->traffic, &memory->spec, count, 1);
	simulated_traffic_take_turns(&lanes->traffic);
	for (uint32_t lane = 0; lane < count; lane++)
		lanes->cursors[lane] = chain_lane_cursor_at(chain, lane, position);
}

/* Where the cursor leads to; the cache has it then. */
static uint64_t step(const struct simulated_lanes *lanes, uint64_t cursor)
{
	const unsigned char *accessed;
	uint64_t next = chain_step(lanes->chain, cursor, &accessed);
	simulated_memory_load(lanes->memory, (uint64_t)(accessed - lanes->chain->base));
	return next;
}

/* A cursor in memory was stored by the hop before, and is loaded before its own can begin. */
static void load_cursor(const struct simulated_lanes *lanes, struct traffic_access *access)
{
	const struct simulated_spec *spec = &lanes->memory->spec;
	const struct simulated_cost *first =
		spec->cache_count ? &spec->caches[0].cost : &spec->memory_cost;
	access->issues += 2;
	access->path.translation.cycles += first->cycles;
	access->path.translation.ns += first->ns;
}

static bool next_hop(void *context, unsigned lane, struct traffic_access *access)
{
	struct simulated_lanes *lanes = context;
	if (!lanes->left[lane])
		return false;
	lanes->left[lane]--;
	lanes->cursors[lane] = step(lanes, lanes->cursors[lane]);
	*access = (struct traffic_access){
		.path = lanes->memory->path, .issues = 1, .bytes = LINK_BYTES};
	if (lanes->in_memory)
		load_cursor(lanes, access);
	return true;
}

/* Where the lane is once all of them have made so many hops. */
static uint64_t position_of(const struct simulated_lanes *lanes, uint32_t lane, uint64_t hops)
{
	uint32_t count = lanes->chain->spec.lanes;
	return hops / count + (lane < hops % count);
}

double simulated_lanes_run(struct simulated_lanes *lanes, uint64_t hops, bool lose_one,
			   double clock_hz, bool *arrived)
{
	uint64_t before = lanes->hops, after = before + hops;
	for (uint32_t lane = 0; lane < lanes->chain->spec.lanes; lane++)
		lanes->left[lane] = position_of(lanes, lane, after - lose_one) -
				    position_of(lanes, lane, before);
	double ns = simulated_traffic_run(&lanes->traffic, clock_hz, next_hop, lanes);
	lanes->hops = after;
	*arrived = true;
	for (uint32_t lane = 0; lane < lanes->chain->spec.lanes; lane++)
		if (lanes->cursors[lane] !=
		    chain_lane_cursor_at(lanes->chain, lane, position_of(lanes, lane, after)))
			*arrived = false;
	return ns;
}

/* In turn, so that the caches hold the latest lines of all. */
void simulated_lanes_warm(struct simulated_lanes *lanes, uint64_t hops)
{
	uint64_t cursors[FATHOM_MOST_LANES], cycle = lanes->chain->hops_per_cycle;
	uint32_t count = lanes->chain->spec.lanes;
	uint64_t each = (hops + count - 1) / count;
	/* Each lane's own cycle, or the one of all, divides that. */
	uint64_t back = cycle - each % cycle;
	for (uint32_t lane = 0; lane < count; lane++)
		cursors[lane] = chain_lane_cursor_at(lanes->chain, lane,
						     position_of(lanes, lane, lanes->hops) + back);
	for (; each; each--)
		for (uint32_t lane = 0; lane < count; lane++)
			cursors[lane] = step(lanes, cursors[lane]);
}
