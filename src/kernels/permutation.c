#include "kernels/permutation.h"

#include <string.h>

#include "base/rng.h"
#include "kernels/kernels.h"
#include "kernels/successors.h"

static uint64_t greatest_common_divisor(uint64_t a, uint64_t b)
{
	while (b) {
		uint64_t rest = a % b;
		a = b;
		b = rest;
	}
	return a;
}

static uint64_t multiply_modulo(uint64_t a, uint64_t b, uint64_t modulus)
{
	return (uint64_t)((unsigned __int128)a * b % modulus);
}

struct permutation permutation_make(uint64_t count, uint64_t key)
{
	struct permutation made = {.count = count};
	unsigned count_bits = 0;
	while ((count - 1) >> count_bits)
		count_bits++;
	made.bits = count_bits / 2;
	made.lefts = ((count - 1) >> made.bits) + 1;
	for (unsigned round = 0; round < PERMUTATION_ROUNDS; round++) {
		uint64_t random = rng_mix(key, round);
		made.add_key[round] = (uint32_t)random;
		made.multiply_key[round] = (uint32_t)(random >> 32) | 1;
	}
	made.step = rng_mix(key, PERMUTATION_ROUNDS) % count;
	while (greatest_common_divisor(made.step, count) != 1)
		made.step = (made.step + 1) % count;
	return made;
}

/* A squaring spreads a difference of its input by an amount that depends on the input, which a
 * product with a key does not: with that, four rounds do. */
static inline uint64_t round_hash(const struct permutation *p, unsigned round, uint64_t half)
{
	uint32_t spread = (uint32_t)half * p->multiply_key[round] + p->add_key[round];
	return (uint64_t)spread * spread >> 16;
}

/* The hash as a number in [0, lefts): by multiply-high of its low half. */
static inline uint64_t left_hash(const struct permutation *p, unsigned round, uint64_t right)
{
	return (uint64_t)(uint32_t)round_hash(p, round, right) * p->lefts >> 32;
}

static inline uint64_t network_forward(const struct permutation *p, uint64_t x)
{
	uint64_t mask = ((uint64_t)1 << p->bits) - 1, left = x >> p->bits, right = x & mask;
	for (unsigned round = 0; round < PERMUTATION_ROUNDS; round += 2) {
		right = (right + round_hash(p, round, left)) & mask;
		left += left_hash(p, round + 1, right);
		left -= left >= p->lefts ? p->lefts : 0;
	}
	return left << p->bits | right;
}

static inline uint64_t network_inverse(const struct permutation *p, uint64_t x)
{
	uint64_t mask = ((uint64_t)1 << p->bits) - 1, left = x >> p->bits, right = x & mask;
	for (unsigned round = PERMUTATION_ROUNDS; round > 0; round -= 2) {
		uint64_t hash = left_hash(p, round - 1, right);
		left += left < hash ? p->lefts - hash : -hash;
		right = (right - round_hash(p, round - 2, left)) & mask;
	}
	return left << p->bits | right;
}

uint64_t successors_forward(const struct permutation *permutation, uint64_t x)
{
	do
		x = network_forward(permutation, x);
	while (x >= permutation->count);
	return x;
}

uint64_t successors_inverse(const struct permutation *permutation, uint64_t x)
{
	do
		x = network_inverse(permutation, x);
	while (x >= permutation->count);
	return x;
}

uint64_t permutation_forward(const struct permutation *permutation, uint64_t x)
{
	const struct permutation *p = permutation;
	return successors_forward(p, multiply_modulo(x, p->step, p->count));
}

static inline uint64_t successor(const struct permutation *p, uint64_t x)
{
	uint64_t place = successors_inverse(p, x) + p->step;
	return successors_forward(p, place >= p->count ? place - p->count : place);
}

static void successors_portable(const struct permutation *permutation, uint64_t first,
				uint64_t next[SUCCESSORS_BLOCK])
{
	for (unsigned i = 0; i < SUCCESSORS_BLOCK; i++)
		next[i] = successor(permutation, first + i);
}

static inline uint64_t word_offset(const struct permutation_links *links, uint64_t x)
{
	uint64_t offset = x * links->node_bytes;
	if (links->slots > 1)
		offset +=
			kernel_node_offset(links->first_node + x, links->slots, links->slot_bytes);
	return offset;
}

static inline void write_link(const struct permutation_links *links, uint64_t x, uint64_t link)
{
	unsigned char *word = links->memory + word_offset(links, x);
	uint32_t index = (uint32_t)link;
	if (links->link_bytes == sizeof(index))
		memcpy(word, &index, sizeof(index));
	else
		memcpy(word, &link, sizeof(link));
}

static inline void write_successor(const struct permutation_links *links, uint64_t x, uint64_t next)
{
	unsigned unit_bits = links->link_bytes == sizeof(uint32_t) ? 2 : 0;
	write_link(links, x, links->link_base + (word_offset(links, next) >> unit_bits));
}

static void write_block(const struct permutation_links *links, uint64_t first,
			const uint64_t next[SUCCESSORS_BLOCK])
{
	for (unsigned i = 0; i < SUCCESSORS_BLOCK; i++)
		write_successor(links, first + i, next[i]);
}

static void write_range(const struct permutation *p, const struct permutation_links *links,
			uint64_t from, uint64_t to, successors_find *find)
{
	/* a copy, which the stores to memory cannot change: its fields stay in registers */
	const struct permutation_links own = *links;
	uint64_t x = from;
	for (; to - x >= SUCCESSORS_BLOCK; x += SUCCESSORS_BLOCK) {
		uint64_t next[SUCCESSORS_BLOCK];
		for (unsigned i = 0; i < SUCCESSORS_BLOCK; i++)
			__builtin_prefetch(own.memory + (x + i) * own.node_bytes, 1);
		find(p, x, next);
		write_block(&own, x, next);
	}
	for (; x < to; x++)
		write_successor(&own, x, successor(p, x));
	uint64_t last = permutation_forward(p, p->count - 1);
	if (last >= from && last < to)
		write_link(&own, last, own.last_link);
}

static void write_portable(const struct permutation *permutation,
			   const struct permutation_links *links, uint64_t from, uint64_t to)
{
	write_range(permutation, links, from, to, successors_portable);
}

#if defined(__x86_64__)
static void write_avx512(const struct permutation *permutation,
			 const struct permutation_links *links, uint64_t from, uint64_t to)
{
	write_range(permutation, links, from, to, successors_avx512);
}

static void write_avx2(const struct permutation *permutation, const struct permutation_links *links,
		       uint64_t from, uint64_t to)
{
	write_range(permutation, links, from, to, successors_avx2);
}
#endif

static const struct permutation_variant variants[] = {
#if defined(__x86_64__)
	{"avx512", write_avx512},
	{"avx2", write_avx2},
#endif
	{"portable", write_portable},
};

const struct permutation_variant *permutation_variants(size_t *count)
{
	size_t first = 0;
#if defined(__x86_64__)
	/* a CPU with AVX-512 has AVX2 too */
	if (!__builtin_cpu_supports("avx2"))
		first = 2;
	else if (!__builtin_cpu_supports("avx512f"))
		first = 1;
#endif
	*count = sizeof(variants) / sizeof(variants[0]) - first;
	return variants + first;
}
