/* The loops that walk several chains at once, each against plain walks. */
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/rng.h"
#include "kernels/kernels.h"
#include "unit.h"

#define NODE_WORDS 4
#define MOST_NODES 4097
#define UNTOUCHED  0x5a5a5a5a5a5a5a5au

static const uint64_t hop_counts[] = {0, 8, 16, 24, 640, 64000};

/* One random cycle (Sattolo) in both forms: pointers, and indexes in units of 4 bytes. */
struct cycle {
	uint32_t count;
	uint32_t next[MOST_NODES];
	uint64_t pointers[MOST_NODES][NODE_WORDS / 2];
	uint32_t indexes[MOST_NODES][NODE_WORDS];
};

static void make_cycle(struct cycle *cycle, uint32_t count)
{
	struct rng rng = rng_make(count);
	cycle->count = count;
	for (uint32_t i = 0; i < count; i++)
		cycle->next[i] = i;
	for (uint32_t i = count - 1; i > 0; i--) {
		uint32_t j = (uint32_t)rng_below(&rng, i), swap = cycle->next[i];
		cycle->next[i] = cycle->next[j];
		cycle->next[j] = swap;
	}
	for (uint32_t i = 0; i < count; i++) {
		cycle->pointers[i][0] = (uintptr_t)cycle->pointers[cycle->next[i]];
		cycle->indexes[i][0] = cycle->next[i] * NODE_WORDS;
	}
}

static uint64_t cursor_at(const struct cycle *cycle, enum kernel_kind kind, uint32_t node)
{
	if (kind == KERNEL_INDEX32)
		return node * NODE_WORDS;
	return (uintptr_t)cycle->pointers[node];
}

static uint32_t walk(const struct cycle *cycle, uint32_t from, uint64_t hops)
{
	for (hops %= cycle->count; hops; hops--)
		from = cycle->next[from];
	return from;
}

/* From places of each lane's own, some of them the same. */
static void check_lanes(const struct cycle *cycle, const struct kernel *kernel, unsigned lanes)
{
	uint64_t cursors[FATHOM_MOST_LANES + 1];
	uint32_t at[FATHOM_MOST_LANES];
	struct kernel_work work = {.base = (const unsigned char *)cycle->indexes,
				   .cursor = UNTOUCHED,
				   .cursors = cursors,
				   .lanes = lanes};
	memset(cursors, 0x5a, sizeof(cursors));
	for (unsigned lane = 0; lane < lanes; lane++) {
		at[lane] = (uint32_t)(rng_mix(lanes, lane) % cycle->count);
		cursors[lane] = cursor_at(cycle, kernel->kind, at[lane]);
	}
	struct kernel_work before = work;
	for (size_t i = 0; i < sizeof(hop_counts) / sizeof(hop_counts[0]); i++) {
		kernel->run(&work, hop_counts[i]);
		for (unsigned lane = 0; lane < lanes; lane++) {
			at[lane] = walk(cycle, at[lane], hop_counts[i]);
			assert_int_equal(cursors[lane], cursor_at(cycle, kernel->kind, at[lane]));
		}
		for (unsigned lane = lanes; lane <= FATHOM_MOST_LANES; lane++)
			assert_true(cursors[lane] == UNTOUCHED);
		assert_memory_equal(&work, &before, sizeof(work));
	}
}

static void test_every_kernel(void **state)
{
	static const uint32_t counts[] = {1, 2, 65, MOST_NODES};
	struct cycle *cycle = *state;
	size_t kernel_count, checked = 0;
	const struct kernel *kernels = kernel_list(&kernel_count);
	for (size_t c = 0; c < sizeof(counts) / sizeof(counts[0]); c++) {
		make_cycle(cycle, counts[c]);
		for (size_t k = 0; k < kernel_count; k++) {
			if (kernels[k].lanes < 2 || !kernel_usable(&kernels[k]))
				continue;
			check_lanes(cycle, &kernels[k], kernels[k].lanes);
			checked++;
		}
	}
	print_message("%zu kernels of several lanes\n", checked / 4);
}

static void test_any_number_of_lanes(void **state)
{
	struct cycle *cycle = *state;
	size_t kernel_count, checked = 0;
	const struct kernel *kernels = kernel_list(&kernel_count);
	make_cycle(cycle, 1000);
	for (size_t k = 0; k < kernel_count; k++) {
		if (kernels[k].lanes != 0)
			continue;
		for (unsigned lanes = 1; lanes <= FATHOM_MOST_LANES; lanes++)
			check_lanes(cycle, &kernels[k], lanes);
		checked++;
	}
	assert_int_equal(checked, 4); /* both kinds in an array and on the stack, portable */
}

static void test_any_number_of_hops(void **state)
{
	struct cycle *cycle = *state;
	make_cycle(cycle, 1000);
	for (unsigned lanes = 2; lanes <= FATHOM_MOST_LANES; lanes += 31) {
		uint64_t cursors[FATHOM_MOST_LANES], total = 0;
		struct kernel_work work = {.cursors = cursors, .lanes = lanes};
		for (unsigned lane = 0; lane < lanes; lane++)
			cursors[lane] = cursor_at(cycle, KERNEL_POINTER, lane);
		for (uint64_t hops = 0; hops < 40; hops += 3) {
			kernel_walk(kernel_find(KERNEL_POINTER, lanes), &work, hops);
			total += hops;
		}
		for (unsigned lane = 0; lane < lanes; lane++)
			assert_int_equal(cursors[lane], cursor_at(cycle, KERNEL_POINTER,
								  walk(cycle, lane, total)));
	}
}

/* What is found is of that kind and place, and runs here. */
static const struct kernel *find(enum kernel_kind kind, unsigned lanes, enum kernel_store store)
{
	const struct kernel *kernel = kernel_find_lanes(kind, lanes, store);
	if (!kernel)
		return NULL;
	assert_int_equal(kernel->kind, kind);
	assert_int_equal(kernel->store, store);
	assert_true(kernel->lanes == lanes || kernel->lanes == 0);
	assert_true(kernel_usable(kernel));
	bool memory = store == KERNEL_IN_ARRAY || store == KERNEL_ON_STACK;
	assert_int_equal(kernel->loads_per_hop, memory ? 2 : 1);
	assert_int_equal(kernel->vector_lanes != 0, store == KERNEL_IN_VECTORS);
	return kernel;
}

static void test_found_in_order(void **state)
{
	(void)state;
	for (enum kernel_kind kind = KERNEL_POINTER; kind <= KERNEL_INDEX32; kind++) {
		for (unsigned lanes = 2; lanes <= FATHOM_MOST_LANES; lanes++) {
			const struct kernel *registers = find(kind, lanes, KERNEL_IN_REGISTERS);
			const struct kernel *vectors = find(kind, lanes, KERNEL_IN_VECTORS);
			const struct kernel *array = find(kind, lanes, KERNEL_IN_ARRAY);
			assert_non_null(array);
			assert_non_null(find(kind, lanes, KERNEL_ON_STACK));
			assert_ptr_equal(kernel_find(kind, lanes), registers ? registers
								   : vectors ? vectors
									     : array);
		}
		assert_null(kernel_find(kind, 0));
		assert_null(kernel_find(kind, FATHOM_MOST_LANES + 1));
		assert_null(find(kind, FATHOM_MOST_LANES + 1, KERNEL_IN_ARRAY));
		assert_ptr_equal(find(kind, 1, KERNEL_IN_REGISTERS), kernel_find(kind, 1));
	}
	assert_null(kernel_find(KERNEL_INDEPENDENT64, 2));
}

static int make_state(void **state)
{
	*state = malloc(sizeof(struct cycle));
	return *state ? 0 : 1;
}

static int free_state(void **state)
{
	free(*state);
	return 0;
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(test_every_kernel),
	cmocka_unit_test(test_any_number_of_lanes),
	cmocka_unit_test(test_any_number_of_hops),
	cmocka_unit_test(test_found_in_order),
};
UNIT_GROUP(.setup = make_state, .teardown = free_state);
