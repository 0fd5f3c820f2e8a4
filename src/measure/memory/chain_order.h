/* The order of a chain's nodes: a function of the position alone. For chain_build.c, which writes
 * it. */
#pragma once

#include "kernels/permutation.h"
#include "measure/memory/chain.h"

uint64_t chain_link_bytes(const struct chain *chain);
/* The distance of a node's first word from the chain's base. */
static inline uint64_t chain_node_offset(const struct chain *chain, uint64_t node)
{
	return node * chain->spec.node_bytes +
	       kernel_node_offset(node, chain->slots, chain->line_bytes);
}
/* The word of a node for a lap (0 where there are none). */
unsigned char *chain_word_of(const struct chain *chain, uint64_t node, uint64_t lap);
/* The word at a position of [0, hops_per_cycle). */
unsigned char *chain_word_at(const struct chain *chain, uint64_t position);

uint64_t chain_lap_count(const struct chain *chain);
struct permutation chain_lap_order(const struct chain *chain, uint64_t lap);

/* Of one of separate cycles, which all have as many nodes. */
struct permutation chain_lane_order(const struct chain *chain, uint64_t lane);

/* A window is walked in as many passes as its stride has nodes, all windows in each pass. Position
 * after position is a run: the nodes of one window that one pass visits. */
struct chain_run {
	uint64_t first_node; /* the others chain_window_stride nodes apart */
	uint64_t count;
	uint64_t key; /* of the order within the run */
};
uint64_t chain_window_nodes(const struct chain *chain);
uint64_t chain_window_stride(const struct chain *chain);
struct chain_run chain_run_of(const struct chain *chain, uint64_t pass, uint64_t turn);
uint64_t chain_run_node(const struct chain *chain, const struct chain_run *run, uint64_t position);
