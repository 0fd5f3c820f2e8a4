/* Writing a chain: the whole of it, or as much as is going to be walked. */
#include "kernels/permutation.h"
#include "measure/memory/chain_word.h"
#include "measure/memory/stream.h"
#include "measure/spec.h"

#define BUILD_AHEAD 32

/* Exactly uniform over all cycles, in place (Sattolo 1986). */
static void build_exact(const struct chain *chain)
{
	struct rng rng = rng_make(chain->key);
	for (uint64_t i = 0; i < chain->nodes; i++)
		chain_write(chain, chain_word_of(chain, i, 0),
			    chain_link_to(chain, chain_word_of(chain, i, 0)));
	for (uint64_t i = chain->nodes; i-- > 1;) {
		unsigned char *a = chain_word_of(chain, i, 0);
		unsigned char *b = chain_word_of(chain, rng_below(&rng, i), 0);
		uint64_t keep = chain_read(chain, a);
		chain_write(chain, a, chain_read(chain, b));
		chain_write(chain, b, keep);
	}
}

/* The links of a run of nodes from `first_node` on, each `stride` nodes after the one before, in
 * the order of the permutation; the words lie `word_offset` bytes into their places, the links lead
 * to words `link_offset` bytes into theirs.
 */
static void write_run(const struct chain *chain, const struct permutation *order,
		      uint64_t first_node, uint64_t stride, uint64_t word_offset,
		      uint64_t link_offset, const unsigned char *last)
{
	size_t count;
	unsigned char *run = chain->base + first_node * chain->spec.node_bytes;
	struct permutation_links links = {
		.memory = run + word_offset,
		.node_bytes = stride * chain->spec.node_bytes,
		.first_node = first_node,
		.slots = chain->slots,
		.slot_bytes = chain->line_bytes,
		.link_base = chain_link_to(chain, run + link_offset),
		.last_link = chain_link_to(chain, last),
		.link_bytes = (unsigned)chain_link_bytes(chain),
	};
	permutation_variants(&count)->write(order, &links, 0, order->count);
}

static void build_cycles(const struct chain *chain)
{
	uint64_t laps = chain_lap_count(chain);
	if (chain_is_exact(chain)) {
		build_exact(chain);
		return;
	}
	for (uint64_t lap = 0; lap < laps; lap++) {
		struct permutation order = chain_lap_order(chain, lap);
		uint64_t offset = lap * chain_link_bytes(chain);
		write_run(chain, &order, 0, 1, offset, offset,
			  chain_word_at(chain, (lap + 1) % laps * chain->nodes));
	}
}

/* One after the other, each in a part of its own. */
static void build_separate(const struct chain *chain)
{
	for (uint32_t lane = 0; lane < chain->spec.lanes; lane++) {
		struct permutation order = chain_lane_order(chain, lane);
		write_run(chain, &order, lane * order.count, 1, 0, 0,
			  chain_word_at(chain, lane * order.count));
	}
}

/* Nodes of several lines have their words in lines that their own numbers choose. */
static void build_run_by_word(const struct chain *chain, const struct chain_run *run,
			      const unsigned char *last)
{
	for (uint64_t i = 0; i < run->count; i++) {
		const unsigned char *next =
			i + 1 < run->count
				? chain_word_of(chain, chain_run_node(chain, run, i + 1), 0)
				: last;
		chain_write(chain, chain_word_of(chain, chain_run_node(chain, run, i), 0),
			    chain_link_to(chain, next));
	}
}

static void build_windows(const struct chain *chain)
{
	uint64_t turns = (chain->nodes + chain_window_nodes(chain) - 1) / chain_window_nodes(chain);
	uint64_t stride = chain_window_stride(chain), position = 0;
	for (uint64_t pass = 0; pass < stride; pass++)
		for (uint64_t turn = 0; turn < turns; turn++) {
			struct chain_run run = chain_run_of(chain, pass, turn);
			if (run.count == 0)
				continue;
			struct permutation order = permutation_make(run.count, run.key);
			position += run.count;
			const unsigned char *last = chain_word_at(chain, position % chain->nodes);
			if (chain->slots > 1 && stride > 1)
				build_run_by_word(chain, &run, last);
			else
				write_run(chain, &order, run.first_node, stride, 0, 0, last);
		}
}

static void build_pairs(const struct chain *chain)
{
	struct permutation order = chain_lap_order(chain, 0);
	write_run(chain, &order, 0, 1, chain->spec.stride_bytes, 0, chain_word_at(chain, 0));
	for (uint64_t i = 0; i < chain->nodes; i++) {
		unsigned char *word = chain_word_of(chain, i, 0);
		chain_write(chain, word, chain_link_to(chain, word + chain->spec.stride_bytes));
	}
}

static void build_in_order(const struct chain *chain)
{
	for (uint64_t position = 0; position < chain->nodes; position++)
		chain_write(
			chain, chain_word_at(chain, position),
			chain_link_to(chain, chain_word_at(chain, (position + 1) % chain->nodes)));
}

static void build_independent(const struct chain *chain)
{
	for (uint64_t i = 0; i < chain->nodes; i++)
		chain_write(chain, chain_word_of(chain, i, 0), chain_independent_word(chain, i));
}

static struct chain plan_chain(const struct fathom_spec *spec, unsigned char *base,
			       uint64_t line_bytes, uint64_t key)
{
	bool paired = pattern_traits(spec->pattern)->order == PATTERN_PAIRED;
	uint64_t slots = paired ? 1 : spec->node_bytes / line_bytes;
	struct chain chain = {
		.spec = *spec,
		.base = base,
		.line_bytes = line_bytes,
		.key = key,
		.nodes = spec_nodes(spec),
		.slots = slots ? slots : 1,
	};
	return chain;
}

void chain_build(struct chain *chain, const struct fathom_spec *spec, unsigned char *base,
		 uint64_t line_bytes, uint64_t key)
{
	/* Of orders that can be written faster than a position at a time. */
	static void (*const faster[])(const struct chain *) = {
		[PATTERN_CYCLES] = build_cycles,     [PATTERN_DRAWN] = build_independent,
		[PATTERN_WINDOWED] = build_windows,  [PATTERN_PAIRED] = build_pairs,
		[PATTERN_SEPARATE] = build_separate,
	};
	enum pattern_order order = pattern_traits(spec->pattern)->order;
	*chain = plan_chain(spec, base, line_bytes, key);
	if (pattern_overlaps(spec->pattern))
		stream_build(chain);
	else if (order < sizeof(faster) / sizeof(*faster) && faster[order])
		faster[order](chain);
	else
		build_in_order(chain);
	if (order != PATTERN_DRAWN)
		chain->hops_per_cycle = spec_accesses(spec) * chain_lap_count(chain);
}

/* In the order of the walk. Stores that miss wait for each other (they retire in order), so the
 * lines are asked for some way ahead. */
static void build_hops(const struct chain *chain, uint64_t from, uint64_t hops)
{
	struct permutation order = chain_lap_order(chain, 0);
	unsigned char *words[BUILD_AHEAD];
	for (uint64_t i = 0; i < hops + BUILD_AHEAD; i++) {
		uint64_t node = permutation_forward(&order, (from + i) % chain->nodes);
		unsigned char *word = chain_word_of(chain, node, 0);
		__builtin_prefetch(word, 1);
		if (i >= BUILD_AHEAD)
			chain_write(chain, words[i % BUILD_AHEAD],
				    chain_link_to(chain, words[(i + 1) % BUILD_AHEAD]));
		words[i % BUILD_AHEAD] = word;
	}
}

void chain_build_part(struct chain *chain, const struct fathom_spec *spec, unsigned char *base,
		      uint64_t line_bytes, uint64_t key, uint64_t behind_hops, uint64_t ahead_hops)
{
	struct chain part = plan_chain(spec, base, line_bytes, key);
	if (spec->pattern != FATHOM_RANDOM_CYCLE || spec->axis == FATHOM_AXIS_LANES ||
	    spec->lanes > 1 || chain_is_exact(&part) || ahead_hops == 0 ||
	    behind_hops + ahead_hops >= part.nodes / 2) {
		chain_build(chain, spec, base, line_bytes, key);
		return;
	}
	part.hops_per_cycle = spec_accesses(spec);
	part.ahead_hops = ahead_hops;
	part.behind_hops = behind_hops;
	build_hops(&part, 0, ahead_hops);
	build_hops(&part, part.nodes - behind_hops, behind_hops);
	*chain = part;
}
