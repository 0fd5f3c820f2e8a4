/* The cycle that is written in a buffer, and the proof that it was walked.
 *
 * Whatever the pattern, the order of the nodes is a function of the position alone, so that no
 * index array exists, any part can be built by itself, and where `hops` hops lead is known
 * without walking. (Random cycles of up to CHAIN_EXACT_NODES nodes are Sattolo's, exactly uniform
 * over all cycles, and are walked to know.) */
#pragma once

#include "fathom.h"
#include "kernels/kernels.h"

#define CHAIN_EXACT_NODES 4096

struct chain {
	struct fathom_spec spec;
	unsigned char *base; /* of the window; spec.size_bytes long */
	uint64_t line_bytes;
	uint64_t key;
	uint64_t nodes;
	uint64_t hops_per_cycle; /* a lap of all the accesses: nodes x laps, 2 x nodes for line
				  * pairs; 0: independent */
	uint64_t slots;          /* lines in a node, >= 1 */
	/* Hops that are written, from position 0 on and those that lead there; 0: all of them. */
	uint64_t ahead_hops, behind_hops;
};

/* Writes the chain in spec_memory_bytes from `base` on. `spec` was checked; `line_bytes` is the
 * machine's line. `spec->seed` is not used: `key` is all the randomness there is. */
void chain_build(struct chain *chain, const struct fathom_spec *spec, unsigned char *base,
		 uint64_t line_bytes, uint64_t key);

/* The same, but of a random cycle that one lane walks only the `ahead_hops` from position 0 on and
 * then the `behind_hops` that lead there, if these are less than half of it. */
void chain_build_part(struct chain *chain, const struct fathom_spec *spec, unsigned char *base,
		      uint64_t line_bytes, uint64_t key, uint64_t behind_hops, uint64_t ahead_hops);
/* Are the `behind` hops before a position, of position 0's lap or later, and the `ahead` hops from
 * there on written? */
bool chain_holds(const struct chain *chain, uint64_t position, uint64_t behind, uint64_t ahead);

/* Is the chain, where it lies, one of that spec and key already? The number of lanes that walk one
 * cycle makes none other. */
bool chain_serves(const struct chain *chain, const struct fathom_spec *spec,
		  const unsigned char *base, uint64_t key);

/* What the kernels work on, the cursor at position 0. */
struct kernel_work chain_work(const struct chain *chain);
/* The same at another position of the cycle. */
struct kernel_work chain_work_at(const struct chain *chain, uint64_t position);
/* Where to begin: in the order of addresses anywhere, lest the first part of the memory is timed
 * more often than the rest; else, and in memory just written as a program would, at 0. */
uint64_t chain_start(const struct chain *chain);
/* The cursor `hops` hops after `from`, which is `position` hops after position 0 (the position
 * only matters for cycles, the cursor for the independent order). Reads the memory only for exact
 * cycles. */
uint64_t chain_cursor_after(const struct chain *chain, uint64_t from, uint64_t position,
			    uint64_t hops);
/* The cursor after `position` hops from position 0; for the independent order, which has no
 * positions, some state of its own, and for what overlaps a sum of nothing. */
uint64_t chain_cursor_at(const struct chain *chain, uint64_t position);
/* The cursor of one of several lanes after `position` hops of its own. Lane d of D starts d/D of
 * the way round the cycle, or on the cycle of its own. Only of specs along FATHOM_AXIS_LANES. */
uint64_t chain_lane_cursor_at(const struct chain *chain, uint32_t lane, uint64_t position);
/* Walks the `hops` hops that lead to `position`, several lanes sharing each short stretch: the
 * caches then hold what a walk to that position leaves in them, in a fraction of the time. */
void chain_warm(const struct chain *chain, uint64_t position, uint64_t hops);
/* Walks `hops` hops, of all lanes together, with the kernel from what chain_work, or the last walk,
 * left in *work. */
void chain_walk(const struct chain *chain, const struct kernel *kernel, struct kernel_work *work,
		uint64_t hops);
/* One hop as the kernels make it; *accessed is the address that was read. Not of what overlaps. */
uint64_t chain_step(const struct chain *chain, uint64_t cursor, const unsigned char **accessed);
