/* Where in a node of several lines its word lies. */
#pragma once

#include <stdint.h>

/* Hashed, so that no set of a cache is left out; nodes in a row fill the slots nearly evenly.
 * `slots` up to 2^16. */
static inline uint64_t slot_of_node(uint64_t node, uint64_t slots)
{
	uint32_t hash = (uint32_t)(node >> 32 ^ node) * 0x9E3779B1u;
	return ((hash >> 16) * slots) >> 16;
}
