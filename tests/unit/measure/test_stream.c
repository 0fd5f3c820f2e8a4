/* What overlaps reads what it should, and its sum is known beforehand. */
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "measure/memory/chain_kernel.h"
#include "measure/memory/stream.h"
#include "measure/spec.h"
#include "unit.h"

#define LINE_BYTES 64

static unsigned char *memory;

static struct fathom_spec make_spec(enum fathom_pattern pattern, uint64_t nodes,
				    uint64_t node_bytes)
{
	return (struct fathom_spec){
		.size_bytes = nodes * node_bytes,
		.node_bytes = node_bytes,
		.link = spec_link_of(node_bytes),
		.stride_bytes = pattern == FATHOM_STRIDE_LOOP ? 3 * node_bytes : 0,
		.pattern = pattern,
		.lanes = 1,
		.threads = 1,
	};
}

static struct chain build(const struct fathom_spec *spec, uint64_t key)
{
	struct chain chain;
	uint64_t bytes = (spec_memory_bytes(spec) + 4095) / 4096 * 4096;
	assert_int_equal(spec_check(spec, NULL), 0);
	memory = aligned_alloc(4096, bytes);
	assert_non_null(memory);
	memset(memory, 0xee, bytes);
	chain_build(&chain, spec, memory, LINE_BYTES, key);
	return chain;
}

/* From anywhere in a lap, over its end, and over several. */
static void check_sums(const struct fathom_spec *spec)
{
	struct chain chain = build(spec, spec->size_bytes);
	const struct kernel *kernel = kernel_find(chain_kernel_kind(&chain.spec), 1);
	struct kernel_work work = chain_work(&chain);
	uint64_t position = 0;
	for (uint64_t hops = 1; hops < 3 * spec_accesses(spec); hops = 2 * hops + 1) {
		uint64_t expected = chain_cursor_after(&chain, work.cursor, position, hops);
		chain_walk(&chain, kernel, &work, hops);
		assert_true(work.cursor == expected);
		position += hops;
	}
	memory[stream_offset(&chain, 0)] ^= 1;
	uint64_t lap = spec_accesses(spec);
	uint64_t expected = chain_cursor_after(&chain, work.cursor, position, lap);
	chain_walk(&chain, kernel, &work, lap);
	assert_true(work.cursor != expected);
	free(memory);
}

static void sums_are_known_and_a_changed_word_is_noticed(void **state)
{
	(void)state;
	static const enum fathom_pattern patterns[] = {FATHOM_INDEX_ARRAY, FATHOM_INDEX_VOLATILE,
						       FATHOM_STRIDE_LOOP, FATHOM_LINEAR_SUM};
	for (size_t p = 0; p < 4; p++)
		for (uint64_t node_bytes = 64; node_bytes <= 256; node_bytes *= 2)
			for (uint64_t nodes = 3; nodes < 2000; nodes = 3 * nodes + 1) {
				struct fathom_spec spec = make_spec(patterns[p], nodes, node_bytes);
				check_sums(&spec);
			}
}

static void what_is_small_has_sums_too(void **state)
{
	(void)state;
	static const enum fathom_pattern patterns[] = {FATHOM_INDEX_ARRAY,   FATHOM_INDEX_ARRAY,
						       FATHOM_INDEX_ARRAY,   FATHOM_BRANCHES_RANDOM,
						       FATHOM_BRANCHES_SAME, FATHOM_LOCKS};
	static const uint64_t node_bytes[] = {1, 3, 4, 1, 1, 8};
	for (size_t p = 0; p < 6; p++)
		for (uint64_t nodes = 3; nodes < 2000; nodes = 3 * nodes + 1) {
			struct fathom_spec spec = make_spec(patterns[p], nodes, node_bytes[p]);
			check_sums(&spec);
		}
}

/* Half of the random branches go each way, and no other way than random; the others all go one. */
static void branches_are_random_or_not(void **state)
{
	(void)state;
	static const uint64_t nodes = 1 << 16;
	for (int same = 0; same < 2; same++) {
		struct fathom_spec spec =
			make_spec(same ? FATHOM_BRANCHES_SAME : FATHOM_BRANCHES_RANDOM, nodes, 1);
		struct chain chain = build(&spec, 11);
		uint64_t odd = 0, turns = 0;
		for (uint64_t i = 0; i < nodes; i++) {
			odd += memory[i] & 1;
			turns += i > 0 && (memory[i] & 1) != (memory[i - 1] & 1);
		}
		assert_ptr_equal(chain.base, memory);
		assert_in_range(odd, same ? nodes : nodes / 2 - 1000,
				same ? nodes : nodes / 2 + 1000);
		assert_in_range(turns, same ? 0 : nodes / 2 - 1000, same ? 0 : nodes / 2 + 1000);
		free(memory);
	}
}

static void the_indexes_name_each_node_once_in_no_order(void **state)
{
	(void)state;
	struct fathom_spec spec = make_spec(FATHOM_INDEX_ARRAY, 5000, 128);
	struct chain chain = build(&spec, 5);
	bool seen[5000] = {false};
	unsigned next = 0;
	for (uint64_t i = 0; i < 5000; i++) {
		uint64_t node = stream_offset(&chain, i) / 128;
		assert_true(node < 5000 && !seen[node]);
		seen[node] = true;
		next += i > 0 && node == stream_offset(&chain, i - 1) / 128 + 1;
	}
	assert_in_range(next, 0, 10);
	free(memory);
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(sums_are_known_and_a_changed_word_is_noticed),
	cmocka_unit_test(what_is_small_has_sums_too),
	cmocka_unit_test(branches_are_random_or_not),
	cmocka_unit_test(the_indexes_name_each_node_once_in_no_order),
};
UNIT_GROUP();
