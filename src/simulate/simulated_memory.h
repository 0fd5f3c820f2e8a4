/* A simulated memory hierarchy, driven by the trace of the addresses that are loaded: TLBs, page
 * tables that are walked through the caches, caches, memory. It computes nothing but what hits
 * and what that costs; whatever law a curve follows comes out of the trace. */
#pragma once

#include "base/rng.h"
#include "simulate/simulated_cache.h"
#include "simulate/simulated_prefetch.h"
#include "simulate/simulated_tables.h"

struct simulated_path {                    /* what one access asked, in this order */
	struct simulated_cost translation; /* of the TLBs that were asked, and of a walk */
	unsigned walk_reads;               /* lines of page tables */
	unsigned char walk_levels[SIMULATED_WALK_READS]; /* which level had each of these */
	unsigned level;                                  /* had the line itself, */
	uint32_t line;                                   /* which is that one, by its frame */
	unsigned ahead[SIMULATED_LEVELS + 1]; /* lines that each level gave to prefetchers */
};

struct simulated_mapping {
	uint64_t page_bytes; /* 0: nothing is mapped yet */
	uint64_t pages;
	uint64_t frame_bytes;  /* a host's page, else the mapping's own */
	uint32_t *frame_lines; /* the first physical line of each frame */
	uint64_t entry_bytes;  /* what a TLB holds: the smaller of page and frame */
	/* The TLBs that hold such translations; those that hold none are not asked. */
	uint64_t tlb_count;
	struct simulated_cache tlbs[SIMULATED_TLBS];
	struct simulated_cost tlb_costs[SIMULATED_TLBS];
};

struct simulated_memory {
	struct simulated_spec spec;
	struct simulated_cache caches[SIMULATED_LEVELS];
	unsigned filled_count; /* caches that get what they missed: all but a victim */
	struct simulated_prefetch prefetch;
	struct simulated_tables tables;
	struct simulated_mapping map;
	uint64_t beside_bytes; /* that the core's other thread reads, a line after each access; 0:
				* it does not. To be set by whoever knows the time. */
	struct rng beside;
	double overlap;             /* accesses that are under way at a time; 0: one */
	double until_neighbours_ns; /* bring the next line */
	struct simulated_path path; /* of the last access */
	/* Since the last simulated_memory_forget: */
	uint64_t lines_served[SIMULATED_LEVELS + 1]; /* by each level; memory is `cache_count` */
	uint64_t data_served[SIMULATED_LEVELS + 1];  /* of these, of data that was loaded */
	uint64_t translations_asked[SIMULATED_TLBS]; /* of each TLB */
	uint64_t walks;
};

/* Errors: FAILED (memory for the tags). */
int simulated_memory_open(struct simulated_memory *memory, const struct simulated_spec *spec,
			  struct fathom_error *error);
void simulated_memory_close(struct simulated_memory *memory);

/* Maps pages of `page_bytes` for `bytes`, in frames that `key` draws: a random run of them, or
 * each one at random, as the spec says. Frames are the host's where there is one. What was mapped
 * before is given back; the caches keep what they hold, the TLBs and RRIP caches do not. Errors:
 * UNABLE (over the simulated memory), FAILED. */
int simulated_memory_map(struct simulated_memory *memory, uint64_t bytes, uint64_t page_bytes,
			 uint64_t key, struct fathom_error *error);

/* Takes the lines of [0, bytes) of the mapping out of all caches, in the order of their addresses:
 * the TLBs see them pass. */
void simulated_memory_drop(struct simulated_memory *memory, uint64_t bytes);
/* The same of the line there alone. */
void simulated_memory_drop_line(struct simulated_memory *memory, uint64_t offset);

/* One load from the mapping, `offset` bytes into it. The level that had the line: the index of a
 * cache, or cache_count for memory. */
unsigned simulated_memory_load(struct simulated_memory *memory, uint64_t offset);

/* A store there, which brings the line as a load does; and one past the caches, which lose the
 * line. */
void simulated_memory_store(struct simulated_memory *memory, uint64_t offset);
void simulated_memory_store_nt(struct simulated_memory *memory, uint64_t offset);

/* What the accesses since they were forgotten last took, one after the other: every line read, of
 * data or of page tables, the latency of the level that had it; every translation asked of a TLB,
 * that TLB's cost; every walk, the cost of one. */
struct simulated_cost simulated_memory_cost(const struct simulated_memory *memory);
void simulated_memory_forget(struct simulated_memory *memory);
/* Both. */
struct simulated_cost simulated_memory_take_cost(struct simulated_memory *memory);
