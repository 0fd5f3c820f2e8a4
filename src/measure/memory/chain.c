#include "measure/memory/chain.h"

#include "base/plan.h"
#include "measure/memory/chain_kernel.h"
#include "measure/memory/chain_word.h"
#include "measure/memory/stream.h"

/* The lanes of a warm-up share a chunk, so that all but the order within a chunk is the chain's. */
#define WARM_CHUNK_HOPS 4096

bool chain_holds(const struct chain *chain, uint64_t position, uint64_t behind, uint64_t ahead)
{
	return chain->ahead_hops == 0 ||
	       (behind <= position + chain->behind_hops && position + ahead <= chain->ahead_hops);
}

bool chain_serves(const struct chain *chain, const struct fathom_spec *spec,
		  const unsigned char *base, uint64_t key)
{
	struct fathom_spec same = chain->spec;
	bool one_cycle = spec->pattern == FATHOM_RANDOM_CYCLE && spec->axis == FATHOM_AXIS_LANES;
	if (one_cycle)
		same.lanes = spec->lanes;
	return chain->base == base && chain->key == key && plan_same_curve(&same, spec) &&
	       same.size_bytes == spec->size_bytes && same.lanes == spec->lanes &&
	       same.lap == spec->lap;
}

static const unsigned char *word_at(const struct chain *chain, bool drawn, uint64_t cursor)
{
	if (drawn)
		return chain_word_of(chain, kernel_independent_node(cursor, chain->nodes), 0);
	return chain->spec.link == FATHOM_LINK_INDEX32 ? chain->base + 4 * cursor
						       : (const unsigned char *)(uintptr_t)cursor;
}

/* Who goes hop by hop simulates each; meanwhile the next word comes from memory. */
uint64_t chain_step(const struct chain *chain, uint64_t cursor, const unsigned char **accessed)
{
	bool drawn = chain_order_of(chain) == PATTERN_DRAWN;
	*accessed = word_at(chain, drawn, cursor);
	uint64_t next = chain_read(chain, *accessed);
	if (drawn)
		next = kernel_independent_next(cursor, next);
	__builtin_prefetch(word_at(chain, drawn, next));
	return next;
}

struct kernel_work chain_work_at(const struct chain *chain, uint64_t position)
{
	if (pattern_overlaps(chain->spec.pattern))
		return stream_work(chain, position);
	struct kernel_work work = {
		.base = chain->base,
		.nodes = chain->nodes,
		.node_bytes = chain->spec.node_bytes,
		.slots = chain->slots,
		.slot_bytes = chain->line_bytes,
	};
	work.cursor = chain_cursor_at(chain, position);
	return work;
}

struct kernel_work chain_work(const struct chain *chain)
{
	return chain_work_at(chain, 0);
}

uint64_t chain_start(const struct chain *chain)
{
	struct rng rng = rng_make(rng_mix(chain->key, UINT64_MAX - 2));
	bool anywhere = pattern_in_address_order(chain->spec.pattern) &&
			chain->spec.warmth != FATHOM_COLD_MAPPED;
	return anywhere ? rng_below(&rng, chain->hops_per_cycle) : 0;
}

static uint64_t independent_after(const struct chain *chain, uint64_t state, uint64_t hops)
{
	for (; hops; hops--) {
		uint64_t node = kernel_independent_node(state, chain->nodes);
		state = kernel_independent_next(state, chain_independent_word(chain, node));
	}
	return state;
}

static uint64_t walk(const struct chain *chain, uint64_t cursor, uint64_t hops)
{
	const unsigned char *accessed;
	for (; hops; hops--)
		cursor = chain_step(chain, cursor, &accessed);
	return cursor;
}

uint64_t chain_cursor_at(const struct chain *chain, uint64_t position)
{
	if (chain_order_of(chain) == PATTERN_DRAWN)
		return rng_mix(chain->key, UINT64_MAX - position);
	if (pattern_overlaps(chain->spec.pattern))
		return 0;
	position %= chain->hops_per_cycle;
	if (chain_is_exact(chain))
		return walk(chain, chain_link_to(chain, chain_word_of(chain, 0, 0)), position);
	return chain_link_to(chain, chain_word_at(chain, position));
}

uint64_t chain_lane_cursor_at(const struct chain *chain, uint32_t lane, uint64_t position)
{
	uint64_t lanes = chain->spec.lanes, nodes = chain->nodes;
	if (chain_order_of(chain) == PATTERN_SEPARATE) {
		uint64_t own = nodes / lanes;
		return chain_link_to(chain, chain_word_at(chain, lane * own + position % own));
	}
	/* floor(lane * nodes / lanes), without overflow. */
	uint64_t start = lane * (nodes / lanes) + lane * (nodes % lanes) / lanes;
	return chain_cursor_at(chain, start + position);
}

uint64_t chain_cursor_after(const struct chain *chain, uint64_t from, uint64_t position,
			    uint64_t hops)
{
	if (chain_order_of(chain) == PATTERN_DRAWN)
		return independent_after(chain, from, hops);
	if (pattern_overlaps(chain->spec.pattern))
		return stream_sum_after(chain, from, position, hops);
	if (chain_is_exact(chain))
		return walk(chain, from, hops % chain->nodes);
	return chain_cursor_at(chain, position % chain->hops_per_cycle + hops);
}

void chain_walk(const struct chain *chain, const struct kernel *kernel, struct kernel_work *work,
		uint64_t hops)
{
	bool overlaps = pattern_overlaps(chain->spec.pattern);
	kernel_walk(kernel, work,
		    overlaps ? stream_hops(&chain->spec, hops) : hops / chain->spec.lanes);
}

/* What overlaps needs no lanes. */
static void warm_stream(const struct chain *chain, uint64_t from, uint64_t hops)
{
	struct kernel_work work = stream_work(chain, from % chain->hops_per_cycle);
	chain_walk(chain, kernel_find(chain_kernel_kind(&chain->spec), 1), &work, hops);
}

void chain_warm(const struct chain *chain, uint64_t position, uint64_t hops)
{
	uint64_t cycle = chain->hops_per_cycle ? chain->hops_per_cycle : 1;
	uint64_t from = position % cycle + cycle - hops % cycle;
	if (pattern_overlaps(chain->spec.pattern)) {
		warm_stream(chain, from, hops);
		return;
	}
	for (uint64_t done = 0; done < hops; done += WARM_CHUNK_HOPS) {
		uint64_t left = hops - done;
		uint64_t chunk = left < WARM_CHUNK_HOPS ? left : WARM_CHUNK_HOPS;
		uint64_t share = chunk / KERNEL_WARM_LANES;
		struct kernel_work lanes[KERNEL_WARM_LANES];
		for (uint64_t lane = 0; lane < KERNEL_WARM_LANES; lane++) {
			lanes[lane] = chain_work(chain);
			lanes[lane].cursor = chain_cursor_at(chain, from + done + lane * share);
		}
		kernel_warm(chain_kernel_kind(&chain->spec), lanes, share);
	}
}
