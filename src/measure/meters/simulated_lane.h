/* One lane of a simulated machine: chains, and accesses that overlap. */
#pragma once

#include "measure/memory/chain.h"
#include "simulate/simulated_memory.h"

struct simulated_lane {
	const struct chain *chain;
	struct simulated_memory *memory;
	uint64_t cursor;
};

/* After so many hops; both must outlive it. */
void simulated_lane_start(struct simulated_lane *lane, const struct chain *chain,
			  struct simulated_memory *memory, uint64_t hops);
/* Traces the hops that lead to `position`, where the cursor is. */
void simulated_lane_warm(struct simulated_lane *lane, uint64_t position, uint64_t hops);
/* What so many hops took of which the memory knows. Independent ones overlap, but are issued one
 * after the other. `hz`: the core clock. */
double simulated_lane_ns(const struct simulated_lane *lane, uint64_t hops, double hz);
/* Walks on from `position`; returns what that took. `lose_one`: the last hop is not made.
 * *arrived: is the cursor where it must be? */
double simulated_lane_run(struct simulated_lane *lane, uint64_t position, uint64_t hops,
			  bool lose_one, double hz, bool *arrived);
