/* A keyed permutation of [0, count) that needs no table, and the links of a cycle made with it.
 *
 * A Feistel network of PERMUTATION_ROUNDS rounds over two mixed radices: x = left * 2^bits +
 * right, right in [0, 2^bits), left in [0, lefts) with lefts * 2^bits just over count. What falls
 * outside [0, count), at most one in about sqrt(count), walks the cycle until it is inside
 * (Black and Rogaway, "Ciphers with Arbitrary Finite Domains", 2002). Not for cryptography.
 *
 * Position t of the order is node network(t * step mod count), step a key-dependent unit: were it
 * 1, two neighbours in the order would enter the network with a difference of 1, which comes out
 * as a difference of 1 too often. tests/unit/kernels/test_permutation_statistics.c holds the result
 * against random cycles. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define PERMUTATION_ROUNDS 4

struct permutation {
	uint64_t count; /* 1 .. 2^62 */
	uint64_t step;  /* in [0, count), coprime to count */
	uint64_t lefts; /* up to 2^31 */
	unsigned bits;  /* up to 31 */
	uint32_t add_key[PERMUTATION_ROUNDS];
	uint32_t multiply_key[PERMUTATION_ROUNDS]; /* odd */
};

/* The round keys and the step derive from `key` alone (and count). */
struct permutation permutation_make(uint64_t count, uint64_t key);
/* The node at position x of the order. x < count. */
uint64_t permutation_forward(const struct permutation *permutation, uint64_t x);

/* How the links of a run of nodes are written: node x (0 <= x < count) lies at
 *   memory + x * node_bytes + kernel_node_offset(first_node + x, slots, slot_bytes)
 * and gets the link to the node that follows in the permutation's order,
 *   link_base + (distance of that node's word from `memory`), in bytes, or in units of 4 where
 * link_bytes is 4, but the last in the order gets `last_link`. link_base and last_link are in the
 * unit of the links. The words of different nodes must not overlap. */
struct permutation_links {
	unsigned char *memory;
	uint64_t node_bytes;
	uint64_t first_node;
	uint64_t slots;
	uint64_t slot_bytes;
	uint64_t link_base;
	uint64_t last_link;
	unsigned link_bytes; /* 8, or 4: an index in units of 4 bytes */
};

/* Writes the links of nodes [from, to) in address order; the caller may split a run among threads.
 */
typedef void permutation_write(const struct permutation *permutation,
			       const struct permutation_links *links, uint64_t from, uint64_t to);

/* The variants that this CPU can run, fastest first; the last is the portable one. */
struct permutation_variant {
	const char *name; /* "avx512", "avx2", "portable" */
	permutation_write *write;
};
const struct permutation_variant *permutation_variants(size_t *count);
