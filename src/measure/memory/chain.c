#include "measure/memory/chain.h"

#include "base/patterns.h"
#include "base/plan.h"
#include "base/rng.h"
#include "kernels/permutation.h"
#include "measure/memory/chain_kernel.h"
#include "measure/memory/chain_order.h"
#include "measure/memory/stream.h"
#include "measure/spec.h"

/* The lanes of a warm-up share a chunk, so that all but the order within a chunk is the chain's. */
#define WARM_CHUNK_HOPS 4096
#define BUILD_AHEAD     32

static enum pattern_order order_of(const struct chain *chain)
{
	return pattern_traits(chain->spec.pattern)->order;
}

static bool is_exact(const struct chain *chain)
{
	bool one_cycle = order_of(chain) == PATTERN_CYCLES && !chain->spec.laps;
	/* Where many lanes are must be known without walking. */
	bool lanes = chain->spec.axis == FATHOM_AXIS_LANES || chain->spec.lanes > 1;
	return one_cycle && !lanes && chain->nodes <= CHAIN_EXACT_NODES;
}

/* A link to an address: itself, or its index in words of 4 bytes. */
static uint64_t link_to(const struct chain *chain, const unsigned char *word)
{
	if (chain->spec.link == FATHOM_LINK_INDEX32)
		return (uint64_t)(word - chain->base) / 4;
	return (uint64_t)(uintptr_t)word;
}

static void write_word(const struct chain *chain, unsigned char *word, uint64_t value)
{
	switch (chain->spec.link) {
	case FATHOM_LINK_INDEX32:
		*(uint32_t *)word = (uint32_t)value;
		break;
	case FATHOM_LINK_BYTE:
		*word = (unsigned char)value;
		break;
	default:
		*(uint64_t *)word = value;
	}
}

static uint64_t read_word(const struct chain *chain, const unsigned char *word)
{
	switch (chain->spec.link) {
	case FATHOM_LINK_INDEX32:
		return *(const uint32_t *)word;
	case FATHOM_LINK_BYTE:
		return *word;
	default:
		return *(const uint64_t *)word;
	}
}

/* ---- building ---- */

/* Exactly uniform over all cycles, in place (Sattolo 1986). */
static void build_exact(const struct chain *chain)
{
	struct rng rng = rng_make(chain->key);
	for (uint64_t i = 0; i < chain->nodes; i++)
		write_word(chain, chain_word_of(chain, i, 0),
			   link_to(chain, chain_word_of(chain, i, 0)));
	for (uint64_t i = chain->nodes; i-- > 1;) {
		unsigned char *a = chain_word_of(chain, i, 0);
		unsigned char *b = chain_word_of(chain, rng_below(&rng, i), 0);
		uint64_t keep = read_word(chain, a);
		write_word(chain, a, read_word(chain, b));
		write_word(chain, b, keep);
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
		.link_base = link_to(chain, run + link_offset),
		.last_link = link_to(chain, last),
		.link_bytes = (unsigned)chain_link_bytes(chain),
	};
	permutation_variants(&count)->write(order, &links, 0, order->count);
}

static void build_cycles(const struct chain *chain)
{
	uint64_t laps = chain_lap_count(chain);
	if (is_exact(chain)) {
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
		write_word(chain, chain_word_of(chain, chain_run_node(chain, run, i), 0),
			   link_to(chain, next));
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
		write_word(chain, word, link_to(chain, word + chain->spec.stride_bytes));
	}
}

static void build_in_order(const struct chain *chain)
{
	for (uint64_t position = 0; position < chain->nodes; position++)
		write_word(chain, chain_word_at(chain, position),
			   link_to(chain, chain_word_at(chain, (position + 1) % chain->nodes)));
}

/* The word of a node in the independent order, so that a wrong load is noticed. */
static uint64_t independent_word(const struct chain *chain, uint64_t node)
{
	uint64_t word = rng_mix(chain->key, node);
	uint64_t bits = 8 * chain_link_bytes(chain);
	return bits < 64 ? word & ((1ull << bits) - 1) : word;
}

static void build_independent(const struct chain *chain)
{
	for (uint64_t i = 0; i < chain->nodes; i++)
		write_word(chain, chain_word_of(chain, i, 0), independent_word(chain, i));
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
	if (fathom_pattern_overlaps(spec->pattern))
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
			write_word(chain, words[i % BUILD_AHEAD],
				   link_to(chain, words[(i + 1) % BUILD_AHEAD]));
		words[i % BUILD_AHEAD] = word;
	}
}

void chain_build_part(struct chain *chain, const struct fathom_spec *spec, unsigned char *base,
		      uint64_t line_bytes, uint64_t key, uint64_t behind_hops, uint64_t ahead_hops)
{
	struct chain part = plan_chain(spec, base, line_bytes, key);
	if (spec->pattern != FATHOM_RANDOM_CYCLE || spec->axis == FATHOM_AXIS_LANES ||
	    spec->lanes > 1 || is_exact(&part) || ahead_hops == 0 ||
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

/* ---- walking ---- */

uint64_t chain_step(const struct chain *chain, uint64_t cursor, const unsigned char **accessed)
{
	if (order_of(chain) == PATTERN_DRAWN) {
		*accessed = chain_word_of(chain, kernel_independent_node(cursor, chain->nodes), 0);
		return kernel_independent_next(cursor, read_word(chain, *accessed));
	}
	*accessed = chain_link_bytes(chain) == 4 ? chain->base + 4 * cursor
						 : (const unsigned char *)(uintptr_t)cursor;
	return read_word(chain, *accessed);
}

struct kernel_work chain_work_at(const struct chain *chain, uint64_t position)
{
	if (fathom_pattern_overlaps(chain->spec.pattern))
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
		state = kernel_independent_next(state, independent_word(chain, node));
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
	if (order_of(chain) == PATTERN_DRAWN)
		return rng_mix(chain->key, UINT64_MAX - position);
	if (fathom_pattern_overlaps(chain->spec.pattern))
		return 0;
	position %= chain->hops_per_cycle;
	if (is_exact(chain))
		return walk(chain, link_to(chain, chain_word_of(chain, 0, 0)), position);
	return link_to(chain, chain_word_at(chain, position));
}

uint64_t chain_lane_cursor_at(const struct chain *chain, uint32_t lane, uint64_t position)
{
	uint64_t lanes = chain->spec.lanes, nodes = chain->nodes;
	if (order_of(chain) == PATTERN_SEPARATE) {
		uint64_t own = nodes / lanes;
		return link_to(chain, chain_word_at(chain, lane * own + position % own));
	}
	/* floor(lane * nodes / lanes), without overflow. */
	uint64_t start = lane * (nodes / lanes) + lane * (nodes % lanes) / lanes;
	return chain_cursor_at(chain, start + position);
}

uint64_t chain_cursor_after(const struct chain *chain, uint64_t from, uint64_t position,
			    uint64_t hops)
{
	if (order_of(chain) == PATTERN_DRAWN)
		return independent_after(chain, from, hops);
	if (fathom_pattern_overlaps(chain->spec.pattern))
		return stream_sum_after(chain, from, position, hops);
	if (is_exact(chain))
		return walk(chain, from, hops % chain->nodes);
	return chain_cursor_at(chain, position % chain->hops_per_cycle + hops);
}

void chain_walk(const struct chain *chain, const struct kernel *kernel, struct kernel_work *work,
		uint64_t hops)
{
	bool overlaps = fathom_pattern_overlaps(chain->spec.pattern);
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
	if (fathom_pattern_overlaps(chain->spec.pattern)) {
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

/* The cycle of `hops` hops that position `first` lies on, at its start. */
static bool verify_cycle(const struct chain *chain, uint64_t first, uint64_t hops)
{
	const unsigned char *accessed;
	uint64_t start = chain_cursor_at(chain, first), cursor = start;
	for (uint64_t position = first; position < first + hops; position++) {
		if (!is_exact(chain) && cursor != link_to(chain, chain_word_at(chain, position)))
			return false;
		cursor = chain_step(chain, cursor, &accessed);
		if (cursor == start && position + 1 < first + hops)
			return false; /* a shorter cycle */
	}
	return cursor == start;
}

bool chain_verify(const struct chain *chain)
{
	uint64_t cycles = order_of(chain) == PATTERN_SEPARATE ? chain->spec.lanes : 1;
	uint64_t hops = chain->hops_per_cycle / cycles;
	for (uint64_t cycle = 0; cycle < cycles; cycle++)
		if (!verify_cycle(chain, cycle * hops, hops))
			return false;
	return true;
}
