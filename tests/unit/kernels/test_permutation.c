/* The permutation is one, and every variant writes the same links. */
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "base/rng.h"
#include "kernels/kernels.h"
#include "kernels/permutation.h"
#include "permutation_inverse.h"
#include "unit.h"

static uint64_t successor(const struct permutation *permutation, uint64_t x)
{
	uint64_t position = permutation_inverse(permutation, x) + 1;
	return permutation_forward(permutation, position % permutation->count);
}

/* From node 0 along the successors: back at 0 after `count` hops and not before. */
static void check_single_cycle(uint64_t count, uint64_t key)
{
	struct permutation permutation = permutation_make(count, key);
	uint64_t x = 0;
	for (uint64_t hops = 1; hops <= count; hops++) {
		x = successor(&permutation, x);
		assert_true(x < count);
		assert_int_equal(x == 0, hops == count);
	}
}

static void test_single_cycle(void **state)
{
	(void)state;
	for (uint64_t count = 1; count <= 3000; count++)
		check_single_cycle(count, count * 7);
	for (uint64_t count = 1; count <= 40; count++)
		for (uint64_t key = 0; key < 100; key++)
			check_single_cycle(count, key);
	check_single_cycle((1 << 18) + 1, 1);
	check_single_cycle(999983, 2);
}

static void test_inverse(void **state)
{
	(void)state;
	static const uint64_t counts[] = {1,
					  2,
					  3,
					  1000,
					  65536,
					  ((uint64_t)1 << 32) - 1,
					  ((uint64_t)1 << 32) + 1,
					  (uint64_t)3 << 40,
					  ((uint64_t)1 << 61) + 12345,
					  ((uint64_t)1 << 62) - 1,
					  (uint64_t)1 << 62};
	struct rng rng = rng_make(3);
	for (size_t c = 0; c < sizeof(counts) / sizeof(counts[0]); c++) {
		for (uint64_t key = 0; key < 20; key++) {
			struct permutation permutation = permutation_make(counts[c], key);
			for (int i = 0; i < 200; i++) {
				uint64_t x = i ? rng_below(&rng, counts[c]) : counts[c] - 1;
				uint64_t y = permutation_forward(&permutation, x);
				assert_true(y < counts[c]);
				assert_true(permutation_inverse(&permutation, y) == x);
			}
		}
	}
}

static void test_key(void **state)
{
	(void)state;
	struct permutation one = permutation_make(5000, 1), again = permutation_make(5000, 1);
	struct permutation two = permutation_make(5000, 2);
	unsigned same = 0;
	for (uint64_t x = 0; x < 5000; x++) {
		uint64_t y = permutation_forward(&one, x);
		assert_true(y == permutation_forward(&again, x));
		same += y == permutation_forward(&two, x);
	}
	/* one on average: Poisson */
	assert_true(same < 12);
}

/* The words of permutation.h again: what word x must hold, and where. */
static uint64_t word_offset(const struct permutation_links *links, uint64_t x)
{
	return x * links->node_bytes +
	       kernel_node_offset(links->first_node + x, links->slots, links->slot_bytes);
}

static void write_expected(const struct permutation *permutation,
			   const struct permutation_links *links, uint64_t from, uint64_t to)
{
	for (uint64_t x = from; x < to; x++) {
		uint64_t link = links->link_base + word_offset(links, successor(permutation, x)) /
							   (links->link_bytes == 4 ? 4 : 1);
		if (permutation_inverse(permutation, x) == permutation->count - 1)
			link = links->last_link;
		/* little-endian, as are all the ISAs here */
		memcpy(links->memory + word_offset(links, x), &link, links->link_bytes);
	}
}

static void check_variants(uint64_t count, const struct permutation_links *links, uint64_t from,
			   uint64_t to)
{
	struct permutation permutation = permutation_make(count, count ^ links->node_bytes);
	size_t variant_count, bytes = (size_t)(count * links->node_bytes);
	const struct permutation_variant *variants = permutation_variants(&variant_count);
	unsigned char *expected = malloc(bytes), *memory = malloc(bytes);
	assert_true(expected && memory);
	struct permutation_links own = *links;
	memset(expected, 0x5A, bytes);
	own.memory = expected;
	write_expected(&permutation, &own, from, to);
	own.memory = memory;
	for (size_t v = 0; v < variant_count; v++) {
		memset(memory, 0x5A, bytes);
		variants[v].write(&permutation, &own, from, to);
		assert_memory_equal(memory, expected, bytes);
	}
	free(expected);
	free(memory);
}

static const struct permutation_links layouts[] = {
	{.node_bytes = 4, .slots = 1, .slot_bytes = 4, .link_bytes = 4},
	{.node_bytes = 12, .slots = 1, .slot_bytes = 4, .link_bytes = 4},
	{.node_bytes = 64, .slots = 1, .slot_bytes = 64, .link_bytes = 4},
	{.node_bytes = 192, .slots = 3, .slot_bytes = 64, .link_bytes = 4},
	{.node_bytes = 4096, .slots = 64, .slot_bytes = 64, .link_bytes = 4},
	{.node_bytes = 8, .slots = 1, .slot_bytes = 8, .link_bytes = 8},
	{.node_bytes = 12, .slots = 1, .slot_bytes = 8, .link_bytes = 8},
	{.node_bytes = 64, .slots = 1, .slot_bytes = 64, .link_bytes = 8},
	{.node_bytes = 72, .slots = 1, .slot_bytes = 8, .link_bytes = 8},
	{.node_bytes = 128, .slots = 2, .slot_bytes = 64, .link_bytes = 8},
	{.node_bytes = 1000, .slots = 125, .slot_bytes = 8, .link_bytes = 8},
	{.node_bytes = 4096, .slots = 32, .slot_bytes = 128, .link_bytes = 8},
};

static void check_layouts(uint64_t count, uint64_t from, uint64_t to, uint64_t most_bytes)
{
	for (size_t i = 0; i < sizeof(layouts) / sizeof(layouts[0]); i++) {
		struct permutation_links links = layouts[i];
		links.first_node = i % 2 ? count * i : ((uint64_t)1 << 32) - count / 2;
		links.link_base = i % 3 ? 0x7F0012345678u * i : 0;
		links.last_link = ~(uint64_t)0 - count;
		if (count * links.node_bytes <= most_bytes)
			check_variants(count, &links, from, to);
	}
}

static void test_variants_agree(void **state)
{
	(void)state;
	for (uint64_t count = 1; count <= 100; count++)
		check_layouts(count, 0, count, 1 << 20);
	for (uint64_t power = 128; power <= 32768; power *= 4)
		for (uint64_t count = power - 1; count <= power + 1; count++)
			check_layouts(count, 0, count, 1 << 20);
	check_layouts((1 << 20) + 7, 0, (1 << 20) + 7, 8 << 20);
	struct rng rng = rng_make(11);
	for (int i = 0; i < 30; i++) {
		uint64_t count = 1 + rng_below(&rng, 10000);
		check_layouts(count, 0, count, 1 << 20);
	}
}

static void test_sub_ranges(void **state)
{
	(void)state;
	struct rng rng = rng_make(12);
	for (int i = 0; i < 60; i++) {
		uint64_t count = 1 + rng_below(&rng, 2000);
		uint64_t from = rng_below(&rng, count + 1);
		uint64_t to = from + rng_below(&rng, count + 1 - from);
		check_layouts(count, from, to, 1 << 20);
	}
}

/* Links that were written are walked: each hop is one position on. */
static void test_links_prove_the_position(void **state)
{
	(void)state;
	const uint64_t count = 50021;
	struct permutation permutation = permutation_make(count, 77);
	uint64_t *memory = malloc(count * sizeof(*memory));
	assert_non_null(memory);
	struct permutation_links links = {.memory = (unsigned char *)memory,
					  .node_bytes = 8,
					  .slots = 1,
					  .link_base = (uintptr_t)memory,
					  .last_link = 99,
					  .link_bytes = 8};
	size_t variant_count;
	permutation_variants(&variant_count)[0].write(&permutation, &links, 0, count);
	uint64_t *cursor = memory + permutation_forward(&permutation, 0);
	for (uint64_t position = 0; position < count; position++) {
		assert_int_equal(cursor - memory, permutation_forward(&permutation, position));
		if (position == count - 1)
			assert_int_equal(*cursor, 99);
		else
			cursor = (uint64_t *)(uintptr_t)*cursor;
	}
	free(memory);
}

/* Address space alone, of which a few pages are touched. */
static void test_more_than_32_bits_of_nodes(void **state)
{
	(void)state;
	const uint64_t count = ((uint64_t)1 << 33) + 4321, bytes = count * 8;
	unsigned char *memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE,
				     MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if (memory == MAP_FAILED)
		skip();
	struct permutation permutation = permutation_make(count, 5);
	struct permutation_links links = {.memory = memory,
					  .node_bytes = 8,
					  .slots = 1,
					  .link_base = (uintptr_t)memory,
					  .link_bytes = 8};
	const uint64_t from = ((uint64_t)1 << 32) - 100, to = from + 1111;
	size_t variant_count;
	const struct permutation_variant *variants = permutation_variants(&variant_count);
	for (size_t v = 0; v < variant_count; v++) {
		memset(memory + from * 8, 0, (to - from) * 8);
		variants[v].write(&permutation, &links, from, to);
		for (uint64_t x = from; x < to; x++) {
			uint64_t link;
			memcpy(&link, memory + x * 8, 8);
			assert_true(link == (uintptr_t)memory + successor(&permutation, x) * 8);
		}
	}
	munmap(memory, bytes);
}

static void test_variant_list(void **state)
{
	(void)state;
	size_t count;
	const struct permutation_variant *variants = permutation_variants(&count);
	assert_true(count >= 1);
	assert_string_equal(variants[count - 1].name, "portable");
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(test_single_cycle),
	cmocka_unit_test(test_inverse),
	cmocka_unit_test(test_key),
	cmocka_unit_test(test_variants_agree),
	cmocka_unit_test(test_sub_ranges),
	cmocka_unit_test(test_links_prove_the_position),
	cmocka_unit_test(test_more_than_32_bits_of_nodes),
	cmocka_unit_test(test_variant_list),
};
UNIT_GROUP();
