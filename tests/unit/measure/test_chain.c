/* Every pattern is one cycle through all its nodes, and says beforehand where hops lead. */
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/patterns.h"
#include "measure/memory/chain_word.h"
#include "measure/spec.h"
#include "unit.h"

#define LINE_BYTES 64

static unsigned char *memory;

static void open_memory(uint64_t bytes)
{
	memory = aligned_alloc(4096, (bytes + 4095) / 4096 * 4096);
	assert_non_null(memory);
	memset(memory, 0, bytes);
}

static struct fathom_spec make_spec(enum fathom_pattern pattern, uint64_t nodes,
				    uint64_t node_bytes, enum fathom_link link)
{
	struct fathom_spec spec = {.size_bytes = nodes * node_bytes,
				   .node_bytes = node_bytes,
				   .pattern = pattern,
				   .link = link,
				   .lanes = 1,
				   .threads = 1};
	const struct pattern_traits *traits = pattern_traits(pattern);
	if (traits->has_laps)
		spec.laps = 1 + (node_bytes >= 16) + 2 * (node_bytes >= 64);
	if (traits->stride == PATTERN_STRIDE_OF_ACCESSES) /* not more than there are */
		spec.stride_bytes = (nodes < 7 ? nodes : 7) * node_bytes;
	if (traits->has_window)
		spec.window_bytes = 10 * node_bytes;
	if (traits->stride == PATTERN_STRIDE_IN_NODE)
		spec.stride_bytes = node_bytes / 2;
	return spec;
}

/* Does the cycle of `hops` hops that position `first` lies on visit every node once, and come back?
 */
static bool is_cycle(const struct chain *chain, uint64_t first, uint64_t hops)
{
	const unsigned char *accessed;
	uint64_t start = chain_cursor_at(chain, first), cursor = start;
	for (uint64_t position = first; position < first + hops; position++) {
		if (!chain_is_exact(chain) &&
		    cursor != chain_link_to(chain, chain_word_at(chain, position)))
			return false;
		cursor = chain_step(chain, cursor, &accessed);
		if (cursor == start && position + 1 < first + hops)
			return false; /* a shorter cycle */
	}
	return cursor == start;
}

static bool is_whole(const struct chain *chain)
{
	bool separate = chain_order_of(chain) == PATTERN_SEPARATE;
	uint64_t cycles = separate ? chain->spec.lanes : 1;
	uint64_t hops = chain->hops_per_cycle / cycles;
	uint64_t cycle = 0;
	while (cycle < cycles && is_cycle(chain, cycle * hops, hops))
		cycle++;
	return cycle == cycles;
}

static void check(const struct fathom_spec *spec, uint64_t key)
{
	struct chain chain;
	struct fathom_error error = {0};
	assert_int_equal(spec_check(spec, &error), 0);
	open_memory(spec->size_bytes);
	chain_build(&chain, spec, memory, LINE_BYTES, key);
	assert_true(is_whole(&chain));
	uint64_t start = chain_work(&chain).cursor, cursor = start, position = 0;
	const unsigned char *accessed;
	for (uint64_t hops = 1; hops < 40; hops += 7) {
		uint64_t expected = chain_cursor_after(&chain, cursor, position, hops);
		for (uint64_t i = 0; i < hops; i++) {
			cursor = chain_step(&chain, cursor, &accessed);
			assert_in_range((uintptr_t)accessed, (uintptr_t)memory,
					(uintptr_t)memory + spec->size_bytes - 4);
		}
		assert_true(cursor == expected);
		position += hops;
	}
	free(memory);
}

/* The next pattern from that on that is one cycle, walked by one lane. */
static enum fathom_pattern next_cycle(int pattern)
{
	for (; pattern < FATHOM_PATTERN_UNKNOWN; pattern++) {
		enum pattern_order order = pattern_traits(pattern)->order;
		if (order != PATTERN_DRAWN && order != PATTERN_SEPARATE &&
		    !pattern_overlaps(pattern))
			break;
	}
	return pattern;
}

#define EACH_CYCLE(p)                                                                              \
	for (enum fathom_pattern p = next_cycle(0); p < FATHOM_PATTERN_UNKNOWN;                    \
	     p = next_cycle((int)p + 1))

static void every_count_is_one_cycle(void **state)
{
	(void)state;
	EACH_CYCLE(p)
	for (uint64_t nodes = 1; nodes < 200; nodes++) {
		struct fathom_spec spec = make_spec(p, nodes, 64, FATHOM_LINK_POINTER);
		check(&spec, nodes);
	}
}

static void large_counts_are_one_cycle(void **state)
{
	(void)state;
	static const uint64_t counts[] = {CHAIN_EXACT_NODES, CHAIN_EXACT_NODES + 1, 65536, 100003};
	EACH_CYCLE(p)
	for (size_t i = 0; i < 4; i++) {
		struct fathom_spec spec = make_spec(p, counts[i], 64, FATHOM_LINK_POINTER);
		check(&spec, 7 + i);
	}
}

static void every_spacing_and_link_is_one_cycle(void **state)
{
	(void)state;
	static const uint64_t spacings[] = {4, 8, 12, 24, 64, 96, 128, 256, 1024, 4096};
	EACH_CYCLE(p)
	for (size_t i = 0; i < 10; i++)
		for (int link = 0; link < 2; link++) {
			struct fathom_spec spec =
				make_spec(p, 5000, spacings[i], (enum fathom_link)link);
			if (spec_check(&spec, NULL) == 0)
				check(&spec, 11);
		}
}

/* The independent order lands on every node equally often, and a replay knows its state. */
static void independent_order_is_uniform_and_replayed(void **state)
{
	(void)state;
	enum { NODES = 100, HOPS = 100000 };
	unsigned counts[NODES] = {0};
	struct chain chain;
	struct fathom_spec spec = make_spec(FATHOM_INDEPENDENT, NODES, 64, FATHOM_LINK_POINTER);
	open_memory(spec.size_bytes);
	chain_build(&chain, &spec, memory, LINE_BYTES, 3);
	uint64_t start = chain_work(&chain).cursor, cursor = start;
	const unsigned char *accessed;
	for (int i = 0; i < HOPS; i++) {
		cursor = chain_step(&chain, cursor, &accessed);
		counts[(accessed - memory) / 64]++;
	}
	assert_true(cursor == chain_cursor_after(&chain, start, 0, HOPS));
	double chi_square = 0;
	for (int i = 0; i < NODES; i++) {
		double off = counts[i] - (double)HOPS / NODES;
		chi_square += off * off / ((double)HOPS / NODES);
	}
	assert_true(chi_square < 99 + 5 * 14.1); /* 99 degrees of freedom, s.d. 14.1 */
	memory[0] ^= 1;                          /* a wrong word is noticed */
	for (cursor = start;; cursor = chain_step(&chain, cursor, &accessed))
		if (kernel_independent_node(cursor, NODES) == 0)
			break;
	uint64_t after = chain_step(&chain, cursor, &accessed);
	assert_false(after == chain_cursor_after(&chain, cursor, 0, 1));
	free(memory);
}

static void a_broken_link_is_found(void **state)
{
	(void)state;
	struct chain chain;
	struct fathom_spec spec = make_spec(FATHOM_RANDOM_CYCLE, 5000, 64, FATHOM_LINK_POINTER);
	open_memory(spec.size_bytes);
	chain_build(&chain, &spec, memory, LINE_BYTES, 3);
	*(uint64_t *)(memory + 64 * 17) = *(uint64_t *)(memory + 64 * 18);
	assert_false(is_whole(&chain));
	free(memory);
}

static void keys_give_different_cycles_and_the_same_key_the_same(void **state)
{
	(void)state;
	enum { BYTES = 5000 * 64 };
	struct chain chain;
	struct fathom_spec spec = make_spec(FATHOM_RANDOM_CYCLE, 5000, 64, FATHOM_LINK_POINTER);
	open_memory(BYTES);
	unsigned char *copy = malloc(BYTES);
	chain_build(&chain, &spec, memory, LINE_BYTES, 3);
	memcpy(copy, memory, BYTES);
	chain_build(&chain, &spec, memory, LINE_BYTES, 4);
	assert_memory_not_equal(copy, memory, BYTES);
	chain_build(&chain, &spec, memory, LINE_BYTES, 3);
	assert_memory_equal(copy, memory, BYTES);
	free(copy);
	free(memory);
}

/* Words of nodes that span several lines are spread over these lines. */
static void large_nodes_use_all_their_lines(void **state)
{
	(void)state;
	enum { NODES = 8000 };
	unsigned counts[4] = {0};
	struct chain chain;
	struct fathom_spec spec = make_spec(FATHOM_RANDOM_CYCLE, NODES, 256, FATHOM_LINK_POINTER);
	open_memory(spec.size_bytes);
	chain_build(&chain, &spec, memory, LINE_BYTES, 5);
	uint64_t cursor = chain_work(&chain).cursor;
	for (int i = 0; i < NODES; i++) {
		const unsigned char *accessed;
		cursor = chain_step(&chain, cursor, &accessed);
		counts[(accessed - memory) % 256 / 64]++;
	}
	for (int i = 0; i < 4; i++)
		assert_in_range(counts[i], NODES / 4 - 400, NODES / 4 + 400);
	free(memory);
}

static void a_window_is_finished_before_the_next(void **state)
{
	(void)state;
	enum { NODES = 1005, WINDOW = 10 };
	struct chain chain;
	struct fathom_spec spec = make_spec(FATHOM_WINDOW, NODES, 64, FATHOM_LINK_POINTER);
	open_memory(spec.size_bytes);
	chain_build(&chain, &spec, memory, LINE_BYTES, 5);
	uint64_t cursor = chain_work(&chain).cursor, windows_in_order = 0;
	long before = -1;
	for (uint64_t i = 0; i < NODES; i++) {
		const unsigned char *accessed;
		cursor = chain_step(&chain, cursor, &accessed);
		long window = (accessed - memory) / 64 / WINDOW;
		if (i % WINDOW)
			assert_int_equal(window, before);
		else
			windows_in_order += window == before + 1;
		before = window;
	}
	assert_true(windows_in_order < 20); /* of 101: the windows come in random order */
	free(memory);
}

/* Wherever a lane is after so many hops of its own, walking there from its start leads to. */
static void lanes_start_apart_and_are_where_they_should_be(void **state)
{
	(void)state;
	static const enum fathom_pattern patterns[] = {FATHOM_RANDOM_CYCLE, FATHOM_SEPARATE_CYCLES};
	for (int i = 0; i < 4; i++)
		for (uint32_t lanes = 1; lanes <= 13; lanes += 3) {
			struct chain chain;
			struct fathom_spec spec =
				make_spec(patterns[i % 2], 1000, i < 2 ? 64 : 4,
					  i < 2 ? FATHOM_LINK_POINTER : FATHOM_LINK_INDEX32);
			spec.lanes = lanes;
			spec.axis = FATHOM_AXIS_LANES;
			open_memory(spec.size_bytes);
			chain_build(&chain, &spec, memory, LINE_BYTES, 7);
			assert_true(is_whole(&chain));
			for (uint32_t lane = 0; lane < lanes; lane++) {
				const unsigned char *accessed;
				uint64_t cursor = chain_lane_cursor_at(&chain, lane, 0);
				for (uint64_t hop = 0; hop < 2100; hop++) {
					assert_int_equal(cursor,
							 chain_lane_cursor_at(&chain, lane, hop));
					cursor = chain_step(&chain, cursor, &accessed);
					uint64_t node =
						(uint64_t)(accessed - memory) / spec.node_bytes;
					if (spec.pattern == FATHOM_SEPARATE_CYCLES)
						assert_int_equal(node / (1000 / lanes), lane);
				}
			}
			free(memory);
		}
}

static void only_the_lanes_may_change_on_a_chain_that_serves(void **state)
{
	(void)state;
	struct chain chain;
	struct fathom_spec spec = make_spec(FATHOM_RANDOM_CYCLE, 1000, 64, FATHOM_LINK_POINTER);
	spec.axis = FATHOM_AXIS_LANES;
	open_memory(spec.size_bytes);
	chain_build(&chain, &spec, memory, LINE_BYTES, 7);
	spec.lanes = 5;
	assert_true(chain_serves(&chain, &spec, memory, 7));
	assert_false(chain_serves(&chain, &spec, memory, 8));
	assert_false(chain_serves(&chain, &spec, memory + 64, 7));
	spec.size_bytes -= 64;
	assert_false(chain_serves(&chain, &spec, memory, 7));
	spec.size_bytes += 64;
	spec.pattern = FATHOM_SEPARATE_CYCLES;
	assert_false(chain_serves(&chain, &spec, memory, 7));
	free(memory);
}

/* Each pass over the windows takes one line in `stride`. */
static void a_pass_over_all_windows_before_the_next(void **state)
{
	(void)state;
	enum { WINDOW = 16, STRIDE = 4 };
	static const uint64_t counts[] = {5, 16, 160, 163, 1005};
	for (size_t n = 0; n < 5; n++)
		for (uint64_t node_bytes = 64; node_bytes <= 256; node_bytes *= 2) {
			struct chain chain;
			struct fathom_spec spec = make_spec(FATHOM_WINDOW, counts[n], node_bytes,
							    FATHOM_LINK_POINTER);
			spec.window_bytes = WINDOW * node_bytes;
			spec.stride_bytes = STRIDE * node_bytes;
			open_memory(spec.size_bytes);
			chain_build(&chain, &spec, memory, LINE_BYTES, 5);
			assert_true(is_whole(&chain));
			uint64_t pass = 0, cursor = chain_work(&chain).cursor;
			for (uint64_t i = 0; i < counts[n]; i++) {
				const unsigned char *accessed;
				assert_int_equal(cursor, chain_cursor_at(&chain, i));
				cursor = chain_step(&chain, cursor, &accessed);
				uint64_t node = (uint64_t)(accessed - memory) / node_bytes;
				assert_true(node % STRIDE >= pass);
				pass = node % STRIDE;
			}
			free(memory);
		}
}

static void a_stride_goes_round_a_node_further_each_time(void **state)
{
	(void)state;
	struct chain chain;
	struct fathom_spec spec = make_spec(FATHOM_STRIDED, 100, 64, FATHOM_LINK_INDEX32);
	spec.stride_bytes = 8 * 64;
	open_memory(spec.size_bytes);
	chain_build(&chain, &spec, memory, LINE_BYTES, 1);
	uint64_t cursor = chain_work(&chain).cursor, node = 0;
	for (int hop = 0; hop < 100; hop++) {
		const unsigned char *accessed;
		cursor = chain_step(&chain, cursor, &accessed);
		assert_int_equal((accessed - memory) / 64, node);
		node = node + 8 < 100 ? node + 8 : node % 8 + 1;
	}
	free(memory);
}

static void a_page_is_finished_before_the_next(void **state)
{
	(void)state;
	struct chain chain;
	struct fathom_spec spec = make_spec(FATHOM_PAGE_LOCAL, 640, 64, FATHOM_LINK_POINTER);
	const unsigned char *accessed;
	bool seen[10] = {false}, ascending = true;
	long before = -1;
	spec.window_bytes = 4096;
	open_memory(spec.size_bytes);
	chain_build(&chain, &spec, memory, LINE_BYTES, 3);
	uint64_t cursor = chain_work(&chain).cursor;
	for (int turn = 0; turn < 10; turn++) {
		cursor = chain_step(&chain, cursor, &accessed);
		long page = (accessed - memory) / 4096;
		assert_false(seen[page]);
		seen[page] = true;
		ascending &= page > before;
		before = page;
		for (int i = 1; i < 64; i++) {
			cursor = chain_step(&chain, cursor, &accessed);
			assert_int_equal((accessed - memory) / 4096, page);
		}
	}
	assert_false(ascending);
	free(memory);
}

/* Of what is walked in the order of its addresses a short run times no part more often. */
static void walks_in_address_order_begin_anywhere(void **state)
{
	(void)state;
	static const enum fathom_pattern patterns[] = {FATHOM_SEQUENTIAL, FATHOM_REVERSE,
						       FATHOM_STRIDED, FATHOM_LINEAR_SUM};
	open_memory(640 * 64);
	for (size_t p = 0; p < sizeof(patterns) / sizeof(*patterns); p++) {
		struct fathom_spec spec = make_spec(patterns[p], 640, 64, FATHOM_LINK_POINTER);
		unsigned starts[8] = {0};
		struct chain chain;
		for (uint64_t key = 0; key < 200; key++) {
			chain_build(&chain, &spec, memory, LINE_BYTES, key);
			uint64_t start = chain_start(&chain);
			assert_true(chain_work_at(&chain, start).cursor ==
				    chain_cursor_at(&chain, start));
			starts[start / 80]++;
		}
		for (int i = 0; i < 8; i++)
			assert_in_range(starts[i], 10, 45);
		spec.warmth = FATHOM_COLD_MAPPED;
		chain_build(&chain, &spec, memory, LINE_BYTES, 7);
		assert_int_equal(chain_start(&chain), 0);
	}
	free(memory);
}

/* Of a long random cycle only what is walked is written, and that is as the whole would be. */
static void a_part_is_as_the_whole(void **state)
{
	(void)state;
	enum { NODES = 20000, BEHIND = 3000, AHEAD = 5000 };
	struct fathom_spec spec = make_spec(FATHOM_RANDOM_CYCLE, NODES, 64, FATHOM_LINK_POINTER);
	struct chain whole, part;
	open_memory(spec.size_bytes);
	chain_build(&whole, &spec, memory, LINE_BYTES, 5);
	assert_true(chain_holds(&whole, 0, NODES, 3 * NODES));
	memset(memory, 0, spec.size_bytes);
	chain_build_part(&part, &spec, memory, LINE_BYTES, 5, BEHIND, AHEAD);
	assert_true(chain_holds(&part, 0, BEHIND, AHEAD));
	assert_true(chain_holds(&part, AHEAD, BEHIND + AHEAD, 0));
	assert_false(chain_holds(&part, 0, BEHIND + 1, 0));
	assert_false(chain_holds(&part, 1, 0, AHEAD));
	uint64_t written = 0, cursor = chain_cursor_at(&part, NODES - BEHIND);
	for (uint64_t i = 0; i < NODES; i++)
		written += *(uint64_t *)(memory + 64 * i) != 0;
	assert_int_equal(written, BEHIND + AHEAD);
	const unsigned char *accessed;
	for (uint64_t position = 1; position <= BEHIND + AHEAD; position++) {
		cursor = chain_step(&part, cursor, &accessed);
		assert_true(cursor == chain_cursor_at(&whole, NODES - BEHIND + position));
	}
	/* What is short, or not walked by one lane, is whole. */
	chain_build_part(&part, &spec, memory, LINE_BYTES, 5, NODES / 2, 1);
	assert_true(is_whole(&part));
	spec.axis = FATHOM_AXIS_LANES;
	chain_build_part(&part, &spec, memory, LINE_BYTES, 5, BEHIND, AHEAD);
	assert_true(is_whole(&part));
	free(memory);
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(every_count_is_one_cycle),
	cmocka_unit_test(large_counts_are_one_cycle),
	cmocka_unit_test(every_spacing_and_link_is_one_cycle),
	cmocka_unit_test(independent_order_is_uniform_and_replayed),
	cmocka_unit_test(a_broken_link_is_found),
	cmocka_unit_test(keys_give_different_cycles_and_the_same_key_the_same),
	cmocka_unit_test(large_nodes_use_all_their_lines),
	cmocka_unit_test(a_window_is_finished_before_the_next),
	cmocka_unit_test(lanes_start_apart_and_are_where_they_should_be),
	cmocka_unit_test(only_the_lanes_may_change_on_a_chain_that_serves),
	cmocka_unit_test(a_stride_goes_round_a_node_further_each_time),
	cmocka_unit_test(a_page_is_finished_before_the_next),
	cmocka_unit_test(a_pass_over_all_windows_before_the_next),
	cmocka_unit_test(walks_in_address_order_begin_anywhere),
	cmocka_unit_test(a_part_is_as_the_whole),
};
UNIT_GROUP();
