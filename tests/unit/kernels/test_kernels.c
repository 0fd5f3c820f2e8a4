/* Every timed loop against the portable one and against a plain walk. */
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/rng.h"
#include "kernels/kernels.h"
#include "unit.h"

/* next[] is one random cycle through [0, count) (Sattolo). */
static void random_cycle(uint32_t *next, uint32_t count, uint64_t seed)
{
	struct rng rng = rng_make(seed);
	for (uint32_t i = 0; i < count; i++)
		next[i] = i;
	for (uint32_t i = count - 1; i > 0; i--) {
		uint32_t j = (uint32_t)rng_below(&rng, i), swap = next[i];
		next[i] = next[j];
		next[j] = swap;
	}
}

static uint32_t walk(const uint32_t *next, uint32_t from, uint64_t hops)
{
	while (hops--)
		from = next[from];
	return from;
}

static const uint64_t hop_counts[] = {0, 64, 128, 640, 64000};

static void check_pointers(const struct kernel *kernel, const uint32_t *next, uint32_t count,
			   size_t node_bytes)
{
	unsigned char *memory = calloc(count, node_bytes), *before = malloc(count * node_bytes);
	assert_true(memory && before);
	for (uint32_t i = 0; i < count; i++) {
		uint64_t link = (uintptr_t)memory + next[i] * node_bytes;
		memcpy(memory + i * node_bytes, &link, sizeof(link));
	}
	memcpy(before, memory, count * node_bytes);
	uint32_t position = count / 3;
	struct kernel_work work = {.cursor = (uintptr_t)memory + position * node_bytes};
	for (size_t i = 0; i < sizeof(hop_counts) / sizeof(hop_counts[0]); i++) {
		kernel->run(&work, hop_counts[i]);
		position = walk(next, position, hop_counts[i]);
		assert_true(work.cursor == (uintptr_t)memory + position * node_bytes);
	}
	assert_memory_equal(before, memory, count * node_bytes);
	free(before);
	free(memory);
}

static void check_indices(const struct kernel *kernel, const uint32_t *next, uint32_t count,
			  uint32_t node_words)
{
	uint32_t *memory = calloc((size_t)count * node_words, sizeof(*memory));
	assert_non_null(memory);
	for (uint32_t i = 0; i < count; i++)
		memory[i * node_words] = next[i] * node_words;
	uint32_t position = count / 3;
	struct kernel_work work = {.base = (unsigned char *)memory,
				   .cursor = position * node_words};
	for (size_t i = 0; i < sizeof(hop_counts) / sizeof(hop_counts[0]); i++) {
		kernel->run(&work, hop_counts[i]);
		position = walk(next, position, hop_counts[i]);
		assert_int_equal(work.cursor, position * node_words);
		assert_ptr_equal(work.base, memory);
	}
	free(memory);
}

static void test_chains(void **state)
{
	(void)state;
	static const uint32_t counts[] = {1, 2, 3, 63, 64, 65, 1000, 4096, 20011};
	size_t kernel_count;
	const struct kernel *kernels = kernel_list(&kernel_count);
	uint32_t *next = malloc(20011 * sizeof(*next));
	assert_non_null(next);
	for (size_t c = 0; c < sizeof(counts) / sizeof(counts[0]); c++) {
		random_cycle(next, counts[c], c);
		for (size_t k = 0; k < kernel_count; k++) {
			if (kernels[k].lanes != 1)
				continue; /* test_lanes.c */
			for (uint32_t words = 2; words <= 32; words *= 4) {
				if (kernels[k].kind == KERNEL_POINTER)
					check_pointers(&kernels[k], next, counts[c], words * 4);
				if (kernels[k].kind == KERNEL_INDEX32)
					check_indices(&kernels[k], next, counts[c], words / 2);
			}
		}
	}
	free(next);
}

/* The contract of kernels.h, written again from its words. */
static uint64_t plain_independent(const struct kernel_work *work, uint64_t hops, size_t word_bytes)
{
	uint64_t generator = work->cursor;
	for (; hops > 0; hops--) {
		uint64_t node = (uint64_t)(((unsigned __int128)generator * work->nodes) >> 64);
		uint32_t hash = (uint32_t)(node ^ node >> 32) * 2654435761u;
		uint64_t slot = (hash >> 16) * work->slots / 65536;
		uint64_t word = 0;
		/* little-endian, as are all the ISAs here */
		memcpy(&word, work->base + node * work->node_bytes + slot * work->slot_bytes,
		       word_bytes);
		generator = generator * 6364136223846793005u + 1442695040888963407u + word;
	}
	return generator;
}

static void check_independent(const struct kernel *kernel, uint64_t nodes, uint64_t slots)
{
	size_t word_bytes = kernel->kind == KERNEL_INDEPENDENT64   ? 8
			    : kernel->kind == KERNEL_INDEPENDENT32 ? 4
								   : 1;
	struct kernel_work work = {.nodes = nodes, .slots = slots, .slot_bytes = 64};
	work.node_bytes = slots == 1 ? word_bytes : slots * work.slot_bytes;
	struct rng rng = rng_make(nodes);
	unsigned char *memory = malloc(nodes * work.node_bytes);
	assert_non_null(memory);
	for (size_t i = 0; i < nodes * work.node_bytes; i++)
		memory[i] = (unsigned char)rng_next(&rng);
	work.base = memory;
	work.cursor = rng_next(&rng);
	for (size_t i = 0; i < sizeof(hop_counts) / sizeof(hop_counts[0]); i++) {
		struct kernel_work expected = work;
		expected.cursor = plain_independent(&work, hop_counts[i], word_bytes);
		kernel->run(&work, hop_counts[i]);
		assert_memory_equal(&expected, &work, sizeof(work));
	}
	free(memory);
}

static void test_independent(void **state)
{
	(void)state;
	static const uint64_t node_counts[] = {1, 2, 3, 64, 1000, 4097};
	static const uint64_t slot_counts[] = {1, 2, 3, 64};
	size_t kernel_count;
	const struct kernel *kernels = kernel_list(&kernel_count);
	for (size_t k = 0; k < kernel_count; k++) {
		if (kernels[k].kind < KERNEL_INDEPENDENT64 || kernels[k].kind > KERNEL_INDEPENDENT8)
			continue;
		for (size_t n = 0; n < sizeof(node_counts) / sizeof(node_counts[0]); n++)
			for (size_t s = 0; s < sizeof(slot_counts) / sizeof(slot_counts[0]); s++)
				check_independent(&kernels[k], node_counts[n], slot_counts[s]);
	}
}

/* 99.99 % of the values of chi-square with 9 degrees of freedom are below 33.7. */
static void assert_uniform_10(const uint64_t counts[10])
{
	double total = 0, chi_square = 0;
	for (int i = 0; i < 10; i++)
		total += (double)counts[i];
	for (int i = 0; i < 10; i++) {
		double off = (double)counts[i] - total / 10;
		chi_square += off * off / (total / 10);
	}
	assert_true(chi_square < 33.7);
}

static void test_independent_is_uniform(void **state)
{
	(void)state;
	uint64_t nodes[10] = {0}, digits[10] = {0}, generator = 12345;
	for (int i = 0; i < 100000; i++) {
		nodes[kernel_independent_node(generator, 10)]++;
		digits[kernel_independent_node(generator, 1000) % 10]++;
		generator = kernel_independent_next(generator, 0);
	}
	assert_uniform_10(nodes);
	assert_uniform_10(digits);
}

static void test_node_offset(void **state)
{
	(void)state;
	uint64_t slots[10] = {0};
	for (uint64_t node = 0; node < 20000; node++) {
		uint64_t offset = kernel_node_offset(node, 10, 128);
		assert_true(offset % 128 == 0 && offset < 1280);
		slots[offset / 128]++;
		assert_int_equal(kernel_node_offset(node, 1, 128), 0);
		assert_true(kernel_node_offset(node, 65536, 4) < 65536 * 4);
		/* above 2^32 too */
		assert_true(kernel_node_offset(node << 33, 10, 128) < 1280);
	}
	for (int i = 0; i < 10; i++)
		assert_in_range(slots[i], 1800, 2200);
}

static void test_table(void **state)
{
	(void)state;
	size_t count;
	const struct kernel *kernels = kernel_list(&count);
	for (size_t i = 0; i < count; i++) {
		assert_true(kernels[i].name && kernels[i].isa && kernels[i].run);
		assert_true(kernels[i].lanes <= FATHOM_MOST_LANES);
		assert_true(kernels[i].lanes == 1 || kernels[i].kind <= KERNEL_INDEX32);
		bool writes = kernels[i].kind == KERNEL_WRITE || kernels[i].kind == KERNEL_WRITE_NT;
		assert_int_equal(kernels[i].loads_per_hop == 0, writes);
		bool portable = strcmp(kernels[i].isa, "portable") == 0;
		assert_int_equal(portable, kernels[i].instructions_per_hop == 0);
	}
	for (enum kernel_kind kind = KERNEL_POINTER; kind <= KERNEL_UPDATE; kind++) {
		const struct kernel *first = NULL, *portable = NULL;
		for (size_t i = 0; i < count; i++) {
			if (kernels[i].kind != kind || kernels[i].lanes != 1 ||
			    !kernel_usable(&kernels[i]))
				continue;
			first = first ? first : &kernels[i];
			if (strcmp(kernels[i].isa, "portable") == 0)
				portable = &kernels[i];
		}
		assert_non_null(portable);
		assert_ptr_equal(kernel_find(kind, 1), first);
		assert_null(kernel_find(kind, 1000));
	}
}

/* The contract of kernels.h, written again from its words. */
static uint64_t plain_sum(enum kernel_kind kind, const struct kernel_work *work, uint64_t node)
{
	uint64_t sum = 0, word;
	if (kind == KERNEL_INDEX_ARRAY || kind == KERNEL_INDEX_ARRAY_KEPT)
		return work->base[4 * (size_t)work->index[node]];
	if (kind == KERNEL_INDEX_BYTES || kind == KERNEL_INDEX_BYTES_KEPT)
		return work->base[work->index[node]];
	if (kind == KERNEL_BRANCHES)
		return work->base[node] % 2 ? work->base[node] : 0;
	if (kind == KERNEL_LOCKS)
		return !*(const uint32_t *)(const void *)(work->base + node * work->node_bytes);
	for (size_t i = 0; i < (kind == KERNEL_LINEAR_SUM ? 8 : 1); i++) {
		memcpy(&word, work->base + node * work->node_bytes + 8 * i, sizeof(word));
		sum += word;
	}
	return sum;
}

static void check_sums(const struct kernel *kernel, uint64_t nodes)
{
	const size_t node_bytes = kernel->kind == KERNEL_LINEAR_SUM ? KERNEL_SUM_BYTES : 192;
	unsigned char *memory = malloc(nodes * node_bytes);
	uint32_t *index = malloc(nodes * sizeof(*index));
	assert_true(memory && index);
	for (size_t i = 0; i < nodes * node_bytes; i++)
		memory[i] = (unsigned char)(rng_mix(nodes, i) >> 9);
	for (size_t i = 0; i < nodes && kernel->kind == KERNEL_LOCKS; i++)
		memset(memory + i * node_bytes, 0, sizeof(uint32_t));
	for (size_t i = 0; i < nodes; i++)
		index[i] = (uint32_t)(rng_mix(i, nodes) % (nodes * node_bytes / 4));
	struct kernel_work work = {
		.base = memory, .nodes = nodes, .node_bytes = node_bytes, .index = index};
	uint64_t expected = 0, position = 0;
	for (uint64_t hops = 0; hops < 400; hops += 37) {
		kernel->run(&work, hops);
		for (uint64_t i = 0; i < hops; i++, position = (position + 1) % nodes)
			expected += plain_sum(kernel->kind, &work, position);
		assert_true(work.cursor == expected);
		assert_true(work.position == position);
	}
	free(index);
	free(memory);
}

static void test_sums(void **state)
{
	(void)state;
	size_t count;
	const struct kernel *kernels = kernel_list(&count);
	for (size_t k = 0; k < count; k++)
		for (uint64_t nodes = 1; nodes < 300; nodes += 21)
			if (kernels[k].kind >= KERNEL_INDEX_ARRAY &&
			    kernels[k].kind <= KERNEL_LOCKS)
				check_sums(&kernels[k], nodes);
}

static void test_any_number_of_hops(void **state)
{
	(void)state;
	uint32_t next[100];
	random_cycle(next, 100, 1);
	struct kernel_work work = {.base = (const unsigned char *)next};
	uint32_t position = 0;
	for (uint64_t hops = 0; hops < 200; hops += 13) {
		kernel_walk(kernel_find(KERNEL_INDEX32, 1), &work, hops);
		position = walk(next, position, hops);
		assert_int_equal(work.cursor, position);
	}
}

static void test_probe_returns(void **state)
{
	(void)state;
	const struct kernel_probe *probe = kernel_probe();
	assert_non_null(probe->isa);
	for (size_t i = 0; i < sizeof(hop_counts) / sizeof(hop_counts[0]); i++) {
		probe->add(hop_counts[i]);
		probe->multiply(hop_counts[i]);
		probe->add_apart(hop_counts[i]);
	}
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(test_chains),
	cmocka_unit_test(test_independent),
	cmocka_unit_test(test_independent_is_uniform),
	cmocka_unit_test(test_node_offset),
	cmocka_unit_test(test_table),
	cmocka_unit_test(test_sums),
	cmocka_unit_test(test_any_number_of_hops),
	cmocka_unit_test(test_probe_returns),
};
UNIT_GROUP();
