/* Which node is at which position of a chain, and where its word lies. */
#include "measure/memory/chain_order.h"

#include "base/patterns.h"
#include "base/rng.h"
#include "measure/spec.h"

uint64_t chain_link_bytes(const struct chain *chain)
{
	return spec_link_bytes(&chain->spec);
}

unsigned char *chain_word_of(const struct chain *chain, uint64_t node, uint64_t lap)
{
	return chain->base + chain_node_offset(chain, node) + lap * chain_link_bytes(chain);
}

uint64_t chain_lap_count(const struct chain *chain)
{
	return chain->spec.laps ? chain->spec.laps : 1;
}

struct permutation chain_lap_order(const struct chain *chain, uint64_t lap)
{
	return permutation_make(chain->nodes, rng_mix(chain->key, lap));
}

struct permutation chain_lane_order(const struct chain *chain, uint64_t lane)
{
	return permutation_make(chain->nodes / chain->spec.lanes, rng_mix(chain->key, lane));
}

uint64_t chain_window_nodes(const struct chain *chain)
{
	return chain->spec.window_bytes / chain->spec.node_bytes;
}

uint64_t chain_window_stride(const struct chain *chain)
{
	uint64_t nodes = chain->spec.stride_bytes / chain->spec.node_bytes;
	return nodes ? nodes : 1;
}

/* The window that is walked as number `turn`: the full ones in random order, then the rest. */
static uint64_t window_at(const struct chain *chain, uint64_t turn)
{
	uint64_t full = chain->nodes / chain_window_nodes(chain);
	if (turn >= full)
		return turn;
	struct permutation order = permutation_make(full, rng_mix(chain->key, 0));
	return permutation_forward(&order, turn);
}

struct chain_run chain_run_of(const struct chain *chain, uint64_t pass, uint64_t turn)
{
	uint64_t window = window_at(chain, turn), stride = chain_window_stride(chain);
	uint64_t first = window * chain_window_nodes(chain) + pass;
	uint64_t end = (window + 1) * chain_window_nodes(chain);
	if (end > chain->nodes)
		end = chain->nodes;
	return (struct chain_run){
		.first_node = first,
		.count = first < end ? (end - first + stride - 1) / stride : 0,
		.key = rng_mix(chain->key, window * stride + pass + 1),
	};
}

uint64_t chain_run_node(const struct chain *chain, const struct chain_run *run, uint64_t position)
{
	struct permutation order = permutation_make(run->count, run->key);
	return run->first_node + permutation_forward(&order, position) * chain_window_stride(chain);
}

static uint64_t window_node_at(const struct chain *chain, uint64_t position)
{
	uint64_t full = chain->nodes / chain_window_nodes(chain);
	uint64_t each = chain_window_nodes(chain) / chain_window_stride(chain);
	for (uint64_t pass = 0;; pass++) {
		struct chain_run last = chain_run_of(chain, pass, full);
		uint64_t hops = full * each + last.count;
		if (position >= hops) {
			position -= hops;
			continue;
		}
		uint64_t turn = position / each < full ? position / each : full;
		struct chain_run run = chain_run_of(chain, pass, turn);
		return chain_run_node(chain, &run, position - turn * each);
	}
}

/* Round after round, each a node further on; the first `longer` rounds have a node more. */
static uint64_t strided_node_at(const struct chain *chain, uint64_t position)
{
	uint64_t stride = chain->spec.stride_bytes / chain->spec.node_bytes;
	uint64_t count = chain->nodes / stride, longer = chain->nodes % stride;
	if (position < longer * (count + 1))
		return position / (count + 1) + position % (count + 1) * stride;
	position -= longer * (count + 1);
	return longer + position / count + position % count * stride;
}

static uint64_t separate_node_at(const struct chain *chain, uint64_t position)
{
	uint64_t nodes = chain->nodes / chain->spec.lanes, lane = position / nodes;
	struct permutation order = chain_lane_order(chain, lane);
	return lane * nodes + permutation_forward(&order, position % nodes);
}

static uint64_t ascending_node_at(const struct chain *chain, uint64_t position)
{
	(void)chain;
	return position;
}

static uint64_t descending_node_at(const struct chain *chain, uint64_t position)
{
	return chain->nodes - 1 - position;
}

/* ---- one word a position, for each order ---- */

static unsigned char *cycle_word(const struct chain *chain, uint64_t position)
{
	uint64_t lap = position / chain->nodes;
	struct permutation order = chain_lap_order(chain, lap);
	return chain_word_of(chain, permutation_forward(&order, position % chain->nodes), lap);
}

unsigned char *chain_word_at(const struct chain *chain, uint64_t position)
{
	/* What is drawn has no positions; of several laps, and in pairs, words differ as well. */
	static uint64_t (*const node_at[])(const struct chain *chain, uint64_t position) = {
		[PATTERN_ASCENDING] = ascending_node_at, [PATTERN_DESCENDING] = descending_node_at,
		[PATTERN_STRIDED] = strided_node_at,     [PATTERN_WINDOWED] = window_node_at,
		[PATTERN_SEPARATE] = separate_node_at,
	};
	enum pattern_order order = pattern_traits(chain->spec.pattern)->order;
	if (order == PATTERN_CYCLES)
		return cycle_word(chain, position);
	if (order == PATTERN_PAIRED)
		return cycle_word(chain, position / 2) + position % 2 * chain->spec.stride_bytes;
	return chain_word_of(chain, node_at[order](chain, position), 0);
}
