/* Every timed loop, in one table with what is known of each. portable.c defines what is correct;
 * x86_64/, aarch64/ and riscv64/ hold the same loops in the ISA's own instructions. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/kernel_kind.h"
#include "base/slots.h"
#include "fathom.h"

/* Hops are asked for in multiples of this. */
#define KERNEL_UNROLL 64

#define KERNEL_LANES_UNROLL 8 /* with more than one lane: multiples of this, of each lane */

/* Where the cursors of the lanes live in the loop. */
enum kernel_store {
	KERNEL_IN_REGISTERS,
	KERNEL_IN_VECTORS, /* as many as general registers hold, the rest in vector registers */
	KERNEL_IN_ARRAY,   /* work->cursors itself: a hop loads, loads and stores */
	KERNEL_ON_STACK    /* the same on the stack of the loop, where compilers spill to: some
			      cores pass what is stored there on without a load */
};

/* What a loop works on. Only `cursor`, `cursors` and `position` change. */
struct kernel_work {
	const unsigned char *base; /* start of the window; KERNEL_LOCKS and streams that write
				      write it, and these want it aligned to KERNEL_LINE_BYTES, as
				      `to` */
	uint64_t cursor;           /* address, index, the generator's state, or a sum */
	uint64_t *cursors;         /* of more than one lane: one a lane; `cursor` is unused then */
	unsigned lanes;            /* their number, where the kernel is for any number */
	uint64_t nodes;            /* in a lap: independent kinds and sums only, as all below */
	uint64_t node_bytes;
	uint64_t slots;        /* places in a node that the word may have, >= 1 */
	uint64_t slot_bytes;   /* spacing of those places */
	uint64_t position;     /* of a sum or stream: the next node, < nodes */
	const uint32_t *index; /* `nodes` indexes: KERNEL_INDEX_ARRAY in units of 4 bytes,
				  KERNEL_INDEX_BYTES of one */
	unsigned char *to;     /* copies: where to, `nodes` lines that overlap none of base */
};

/* The independent order's generator, one hop: the state's high half times `nodes` picks the node,
 * uniformly for any number of nodes (Lemire's range reduction); then the state takes an LCG step
 * (Knuth's MMIX multiplier) and the loaded word is added, so that no address is known early. */
#define KERNEL_LCG_MULTIPLIER 6364136223846793005u
#define KERNEL_LCG_INCREMENT  1442695040888963407u
static inline uint64_t kernel_independent_node(uint64_t state, uint64_t nodes)
{
	return (uint64_t)(((unsigned __int128)state * nodes) >> 64);
}
static inline uint64_t kernel_independent_next(uint64_t state, uint64_t word)
{
	return state * KERNEL_LCG_MULTIPLIER + KERNEL_LCG_INCREMENT + word;
}
/* Where in a node of several lines the word lies. The chains use the same rule. */
static inline uint64_t kernel_node_offset(uint64_t node, uint64_t slots, uint64_t slot_bytes)
{
	return slot_of_node(node, slots) * slot_bytes;
}

/* Makes `hops` hops from work->cursor and leaves the cursor where they ended. Loops of an ISA
 * make multiples of KERNEL_UNROLL, sums and streams any number, as do all portable ones.
 * Of several lanes each makes `hops` hops from its own of work->cursors, lane 0 one, lane 1 one
 * and so on, then again; loops of an ISA make multiples of KERNEL_LANES_UNROLL. */
typedef void kernel_run(struct kernel_work *work, uint64_t hops);

struct kernel {
	const char *name; /* "pointer" */
	const char *isa;  /* "x86_64", or "portable" */
	enum kernel_kind kind;
	unsigned lanes; /* 0: work->lanes, any number up to FATHOM_MOST_LANES */
	unsigned loads_per_hop;
	unsigned instructions_per_hop; /* the loop's own count and branch, 2 in KERNEL_UNROLL
					  hops (of several lanes: in each round or in
					  KERNEL_LANES_UNROLL), not counted; 0: the compiler's
					  choice */
	kernel_run *run;
	bool rolled; /* a hop each time round: any number of hops, and the loop's own instructions
			are counted */
	enum kernel_store store; /* with more than one lane */
	unsigned vector_lanes;   /* of the lanes, those that live in vector registers;
				    instructions_per_hop is theirs, the others' as in registers */
	unsigned vector_bytes;   /* of a load or store; 0: of one word. In streams 8 and more, and
				    loads_per_hop and instructions_per_hop are of a line */
};

/* The table: this ISA's own first, then the portable ones. */
const struct kernel *kernel_list(size_t *count);
/* Whether this CPU, and the system on it, can run it. */
bool kernel_usable(const struct kernel *kernel);
/* The first usable of that kind and number of lanes; NULL: none. So several lanes are in registers
 * where these hold so many, else in vectors, else in an array. */
const struct kernel *kernel_find(enum kernel_kind kind, unsigned lanes);
/* The same with the cursors in that place. */
const struct kernel *kernel_find_lanes(enum kernel_kind kind, unsigned lanes,
				       enum kernel_store store);
/* Of one lane, with one load in the loop: a prefetcher that goes by the load's address sees it as
 * in any program, where 64 loads in turn each see strides of 64 nodes. Else as kernel_find. */
const struct kernel *kernel_find_rolled(enum kernel_kind kind);
/* The stream of that width, or (0) the widest that is usable here; NULL: none. C has no stores past
 * the caches, so that a portable loop is never found for the kinds that ask for them. */
const struct kernel *kernel_find_stream(enum kernel_kind kind, unsigned vector_bytes);
/* Any number of hops, of each lane: what is left of whole KERNEL_UNROLLs, or KERNEL_LANES_UNROLLs,
 * the portable loop makes. */
void kernel_walk(const struct kernel *kernel, struct kernel_work *work, uint64_t hops);

/* Lanes that kernel_warm walks at once: enough to overlap misses, few enough for any core. */
#define KERNEL_WARM_LANES 16

/* Makes `hops` hops from the cursor of each lane, in turn, so that their misses overlap. Nothing is
 * timed: what comes of it is warm caches. */
void kernel_warm(enum kernel_kind kind, struct kernel_work lanes[static KERNEL_WARM_LANES],
		 uint64_t hops);

/* Instructions that touch no memory, `count` of them (a multiple of KERNEL_UNROLL). Two dependent
 * chains, whose time tells the core clock: additions of a register to itself, one cycle each on
 * every core known (never an addition of a constant: recent cores run that at rename), and
 * multiplications, 2 to 5 cycles each. And additions to eight registers by turns, as many a cycle
 * as the core issues. */
struct kernel_probe {
	const char *isa; /* "portable": the compiler may do as it likes, cycles mean nothing */
	void (*add)(uint64_t count);
	void (*multiply)(uint64_t count);
	void (*add_apart)(uint64_t count);
};
const struct kernel_probe *kernel_probe(void);
