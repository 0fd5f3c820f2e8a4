/* What building and walking a chain share: its words, and the links in them. */
#pragma once

#include "base/patterns.h"
#include "base/rng.h"
#include "measure/memory/chain.h"
#include "measure/memory/chain_order.h"

static inline enum pattern_order chain_order_of(const struct chain *chain)
{
	return pattern_traits(chain->spec.pattern)->order;
}

/* Is it uniform over all cycles? Then only walking tells where a position is. */
static inline bool chain_is_exact(const struct chain *chain)
{
	bool one_cycle = chain_order_of(chain) == PATTERN_CYCLES && !chain->spec.laps;
	/* Where many lanes are must be known without walking. */
	bool lanes = chain->spec.axis == FATHOM_AXIS_LANES || chain->spec.lanes > 1;
	return one_cycle && !lanes && chain->nodes <= CHAIN_EXACT_NODES;
}

/* A link to an address: itself, or its index in words of 4 bytes. */
static inline uint64_t chain_link_to(const struct chain *chain, const unsigned char *word)
{
	if (chain->spec.link == FATHOM_LINK_INDEX32)
		return (uint64_t)(word - chain->base) / 4;
	return (uint64_t)(uintptr_t)word;
}

static inline void chain_write(const struct chain *chain, unsigned char *word, uint64_t value)
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

static inline uint64_t chain_read(const struct chain *chain, const unsigned char *word)
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

/* The word of a node in the independent order, so that a wrong load is noticed. */
static inline uint64_t chain_independent_word(const struct chain *chain, uint64_t node)
{
	uint64_t word = rng_mix(chain->key, node);
	uint64_t bits = 8 * chain_link_bytes(chain);
	return bits < 64 ? word & ((1ull << bits) - 1) : word;
}
