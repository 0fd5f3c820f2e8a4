/* Several lanes that walk a chain at once through a simulated hierarchy. */
#pragma once

#include "measure/memory/chain.h"
#include "simulate/simulated_traffic.h"

struct simulated_lanes {
	const struct chain *chain;
	struct simulated_memory *memory;
	struct simulated_traffic traffic;
	uint64_t cursors[FATHOM_MOST_LANES];
	bool in_memory;                   /* the cursors; else in registers, of which there are
					     enough */
	uint64_t hops;                    /* of all lanes together, in turn, since their start */
	uint64_t left[FATHOM_MOST_LANES]; /* hops of each, in the run that is under way */
};

/* Each lane `position` hops after its start. Chain and memory must outlive it, and stay where
 * they are. */
void simulated_lanes_start(struct simulated_lanes *lanes, const struct chain *chain,
			   struct simulated_memory *memory, uint64_t position);
/* Walks `hops` hops of all lanes together, in turn, of which the last one is lost where `lose_one`.
 * Returns the ns that they took; *arrived: every lane is where it must be. */
double simulated_lanes_run(struct simulated_lanes *lanes, uint64_t hops, bool lose_one,
			   double clock_hz, bool *arrived);
/* Traces the `hops` hops, in all, that lead to where the lanes are. */
void simulated_lanes_warm(struct simulated_lanes *lanes, uint64_t hops);
