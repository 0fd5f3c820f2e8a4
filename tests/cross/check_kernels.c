/* The timed loops and the links against plain C, without a test library, so that it builds and
 * runs for any ISA. With the argument "list" it prints the table of kernels instead, for
 * tests/cross/disassembly.py. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../unit/permutation_inverse.h"
#include "base/rng.h"
#include "kernels/flush.h"
#include "kernels/kernels.h"
#include "kernels/permutation.h"

static unsigned failures;

static void expect(bool holds, const char *what, const char *isa, uint64_t count)
{
	if (holds)
		return;
	failures++;
	printf("FAILED: %s (%s), %llu nodes\n", what, isa, (unsigned long long)count);
}

/* Of one lane, or (0) of any number. */
static const struct kernel *find_portable(enum kernel_kind kind, unsigned lanes)
{
	size_t count;
	const struct kernel *kernels = kernel_list(&count);
	for (size_t i = 0; i < count; i++)
		if (kernels[i].kind == kind && kernels[i].lanes == lanes &&
		    strcmp(kernels[i].isa, "portable") == 0)
			return &kernels[i];
	return NULL;
}

static void *allocate(uint64_t count, uint64_t bytes)
{
	void *memory = calloc(count, bytes);
	if (!memory) {
		fprintf(stderr, "out of memory\n");
		exit(1);
	}
	return memory;
}

/* The order of the links, by the scalar functions: one cycle through all nodes. */
static void check_links(const struct permutation_variant *variant, uint64_t count, unsigned bytes)
{
	unsigned char *memory = allocate(count, bytes);
	struct permutation permutation = permutation_make(count, count);
	struct permutation_links links = {
		.memory = memory, .node_bytes = bytes, .slots = 1, .link_bytes = bytes};
	uint64_t first = permutation_forward(&permutation, 0), x = first;
	links.last_link = first * (bytes == 4 ? 1 : bytes);
	variant->write(&permutation, &links, 0, count);
	bool right = true;
	for (uint64_t position = 1; position <= count && right; position++) {
		uint64_t link = 0;
		memcpy(&link, memory + x * bytes, bytes);
		x = bytes == 4 ? link : link / bytes;
		right = x == permutation_forward(&permutation, position % count);
		right = right && permutation_inverse(&permutation, x) == position % count;
	}
	expect(right, "the links of a permutation", variant->name, count);
	free(memory);
}

/* Every variant against the last one, the portable. */
static void check_variants(uint64_t count, unsigned bytes, uint64_t slots)
{
	size_t variant_count, size = count * slots * 64;
	const struct permutation_variant *variants = permutation_variants(&variant_count);
	unsigned char *memory = allocate(size, 1), *expected = allocate(size, 1);
	struct permutation permutation = permutation_make(count, count + 1);
	struct permutation_links links = {.memory = expected,
					  .node_bytes = slots * 64,
					  .first_node = 12345,
					  .slots = slots,
					  .slot_bytes = 64,
					  .link_base = 678,
					  .last_link = 9,
					  .link_bytes = bytes};
	variants[variant_count - 1].write(&permutation, &links, count / 7, count);
	links.memory = memory;
	for (size_t v = 0; v < variant_count; v++) {
		memset(memory, 0, size);
		variants[v].write(&permutation, &links, count / 7, count);
		expect(memcmp(memory, expected, size) == 0, "a variant of the permutation",
		       variants[v].name, count);
	}
	free(memory);
	free(expected);
}

static bool is_sum(const struct kernel *kernel)
{
	return kernel->kind >= KERNEL_INDEX_ARRAY && kernel->kind <= KERNEL_LOCKS;
}

/* Sums over words that are all different, from the middle of a lap on, over its end. */
static void check_sum(const struct kernel *kernel, uint64_t count)
{
	const struct kernel *portable = find_portable(kernel->kind, 1);
	unsigned char *memory = allocate(count, KERNEL_SUM_BYTES);
	uint32_t *index = allocate(count, sizeof(*index));
	for (uint64_t i = 0; i < count * KERNEL_SUM_BYTES; i++)
		memory[i] =
			kernel->kind == KERNEL_LOCKS ? 0 : (unsigned char)(rng_mix(count, i) >> 7);
	for (uint64_t i = 0; i < count; i++)
		index[i] = (uint32_t)(rng_mix(i, count) % (count * KERNEL_SUM_BYTES / 4));
	struct kernel_work work = {.base = memory,
				   .nodes = count,
				   .node_bytes = KERNEL_SUM_BYTES,
				   .position = count / 2,
				   .index = index};
	struct kernel_work expected = work;
	for (uint64_t hops = 0; hops <= 20 * KERNEL_UNROLL; hops += KERNEL_UNROLL / 2 + 1) {
		kernel->run(&work, hops);
		portable->run(&expected, hops);
		expect(work.cursor == expected.cursor && work.position == expected.position,
		       kernel->name, kernel->isa, count);
	}
	free(index);
	free(memory);
}

static bool is_stream(const struct kernel *kernel)
{
	return kernel->kind >= KERNEL_READ && kernel->kind <= KERNEL_UPDATE;
}

static bool work_is_equal(const struct kernel_work *a, const struct kernel_work *b)
{
	return a->cursor == b->cursor && a->position == b->position;
}

/* From the middle of a lap on, over its end, with a line on either side that must stay. */
static void check_stream(const struct kernel *kernel, uint64_t count)
{
	const size_t lines = count + 2, line = KERNEL_LINE_BYTES, bytes = 2 * lines * line;
	unsigned char *own = allocate(bytes + line, 1), *expected = allocate(bytes + line, 1);
	for (size_t i = 0; i < bytes + line; i++)
		own[i] = expected[i] = (unsigned char)(rng_mix(count, i) >> 13);
	unsigned char *start = own + line - (uintptr_t)own % line;
	unsigned char *expected_start = expected + line - (uintptr_t)expected % line;
	memcpy(start, expected_start, bytes);
	struct kernel_work work = {
		.cursor = count, .nodes = count, .position = count / 2, .base = start + line};
	struct kernel_work portable = work;
	portable.base = expected_start + line;
	work.to = start + (lines + 1) * line;
	portable.to = expected_start + (lines + 1) * line;
	for (uint64_t hops = 0; hops < 200 && kernel_usable(kernel); hops += 23) {
		work.cursor = portable.cursor += hops;
		kernel->run(&work, hops);
		find_portable(kernel->kind, 1)->run(&portable, hops);
		expect(work_is_equal(&work, &portable) && !memcmp(start, expected_start, bytes),
		       kernel->name, kernel->isa, count);
	}
	free(own);
	free(expected);
}

/* Indexes begin high, so that a loop that takes their sign along goes astray. */
#define FIRST_INDEX 0xc0000000u

static uint64_t first_link(enum kernel_kind kind, const unsigned char *memory)
{
	if (kind == KERNEL_POINTER)
		return (uintptr_t)memory;
	return kind == KERNEL_INDEX32 ? FIRST_INDEX : 0;
}

static const unsigned char *base_of(enum kernel_kind kind, const unsigned char *memory)
{
	uint64_t before = kind == KERNEL_INDEX32 ? (uint64_t)FIRST_INDEX * 4 : 0;
	return (const unsigned char *)(uintptr_t)((uintptr_t)memory - before);
}

/* One cycle through nodes of 64 bytes, linked as the kind wants it. */
static unsigned char *make_cycle(enum kernel_kind kind, uint64_t count)
{
	size_t variant_count;
	const struct permutation_variant *variants = permutation_variants(&variant_count);
	unsigned bytes = kind == KERNEL_INDEX32 || kind == KERNEL_INDEPENDENT32 ? 4 : 8;
	unsigned char *memory = allocate(count, 64);
	struct permutation permutation = permutation_make(count, 3);
	struct permutation_links links = {
		.memory = memory, .node_bytes = 64, .slots = 1, .link_bytes = bytes};
	links.link_base = first_link(kind, memory);
	links.last_link =
		links.link_base + permutation_forward(&permutation, 0) * (bytes == 4 ? 16 : 64);
	variants[variant_count - 1].write(&permutation, &links, 0, count);
	return memory;
}

static void check_kernel(const struct kernel *kernel, uint64_t count)
{
	const struct kernel *portable = find_portable(kernel->kind, 1);
	unsigned char *memory = make_cycle(kernel->kind, count);
	struct kernel_work work = {.base = base_of(kernel->kind, memory),
				   .cursor = first_link(kernel->kind, memory),
				   .nodes = count,
				   .node_bytes = 64,
				   .slots = 3,
				   .slot_bytes = 16};
	struct kernel_work expected = work;
	for (uint64_t hops = 0; hops <= 20 * KERNEL_UNROLL; hops += KERNEL_UNROLL) {
		kernel->run(&work, hops);
		portable->run(&expected, hops);
		expect(work.cursor == expected.cursor, kernel->name, kernel->isa, count);
	}
	free(memory);
}

/* From places of each lane's own; what is not a lane's stays. */
static void check_lanes(const struct kernel *kernel, uint64_t count)
{
	const struct kernel *portable = find_portable(kernel->kind, 0);
	unsigned char *memory = make_cycle(kernel->kind, count);
	uint64_t first = first_link(kernel->kind, memory);
	uint64_t cursors[FATHOM_MOST_LANES + 1], expected_cursors[FATHOM_MOST_LANES + 1];
	for (unsigned lane = 0; lane <= FATHOM_MOST_LANES; lane++) {
		uint64_t node = rng_mix(count, lane) % count;
		cursors[lane] = first + node * (kernel->kind == KERNEL_POINTER ? 64 : 16);
	}
	memcpy(expected_cursors, cursors, sizeof(cursors));
	struct kernel_work work = {
		.base = base_of(kernel->kind, memory),
		.cursors = cursors,
		.lanes = kernel->lanes ? kernel->lanes : FATHOM_MOST_LANES,
	};
	struct kernel_work expected = work;
	expected.cursors = expected_cursors;
	for (uint64_t hops = 0; hops <= 5 * KERNEL_LANES_UNROLL; hops += KERNEL_LANES_UNROLL) {
		kernel->run(&work, hops);
		portable->run(&expected, hops);
		expect(memcmp(cursors, expected_cursors, sizeof(cursors)) == 0, kernel->name,
		       kernel->isa, count);
	}
	free(memory);
}

/* It must be allowed, and change nothing. */
static void check_flush(void)
{
	const uint64_t bytes = 100000;
	unsigned char *memory = allocate(bytes, 1);
	bool same = true;
	if (flush_instruction()) {
		memset(memory, 0x5a, bytes);
		flush_lines(memory + 3, bytes - 5);
	}
	for (uint64_t i = 0; i < bytes && flush_instruction(); i++)
		same = same && memory[i] == 0x5a;
	expect(same, "what was flushed", "this ISA", bytes);
	free(memory);
}

static void check_table(uint64_t node_count)
{
	size_t kernel_count;
	const struct kernel *kernels = kernel_list(&kernel_count);
	for (size_t k = 0; k < kernel_count; k++) {
		if (!kernel_usable(&kernels[k]))
			continue;
		if (is_sum(&kernels[k]))
			check_sum(&kernels[k], node_count);
		else if (is_stream(&kernels[k]))
			check_stream(&kernels[k], node_count);
		else if (kernels[k].lanes != 1)
			check_lanes(&kernels[k], node_count);
		else
			check_kernel(&kernels[k], node_count);
	}
}

static void check_all(void)
{
	static const uint64_t counts[] = {1, 2, 3, 64, 65, 1000, 4097};
	size_t variant_count;
	const struct permutation_variant *variants = permutation_variants(&variant_count);
	for (size_t c = 0; c < sizeof(counts) / sizeof(counts[0]); c++) {
		check_table(counts[c]);
		for (size_t v = 0; v < variant_count; v++) {
			check_links(&variants[v], counts[c], 4);
			check_links(&variants[v], counts[c], 8);
		}
		for (uint64_t slots = 1; slots <= 5; slots += 4) {
			check_variants(counts[c], 4, slots);
			check_variants(counts[c], 8, slots);
		}
	}
	check_flush();
	kernel_probe()->add(10 * KERNEL_UNROLL);
	kernel_probe()->multiply(10 * KERNEL_UNROLL);
}

static void print_stream(const struct kernel *kernel)
{
	printf("stream %s %s %u %u %u %s\n", kernel->isa, kernel->name, kernel->vector_bytes,
	       kernel->loads_per_hop, kernel->instructions_per_hop,
	       kernel_usable(kernel) ? "usable" : "unusable");
}

/* Lanes, rounds in the loop, loads and stores of a hop, instructions of a round. */
static void print_lanes(const struct kernel *kernel)
{
	unsigned general_lanes = kernel->lanes - kernel->vector_lanes;
	unsigned per_hop = kernel->instructions_per_hop, in_general = per_hop;
	if (kernel->store == KERNEL_IN_VECTORS)
		in_general = kernel_find(kernel->kind, 1)->instructions_per_hop;
	printf("lanes %s %s %u %u %u %u %u\n", kernel->isa, kernel->name, kernel->lanes,
	       kernel->store == KERNEL_IN_REGISTERS ? KERNEL_LANES_UNROLL : 1,
	       kernel->loads_per_hop,
	       kernel->store == KERNEL_IN_ARRAY || kernel->store == KERNEL_ON_STACK ? 1 : 0,
	       general_lanes * in_general + kernel->vector_lanes * per_hop);
}

static void print_kernel(const struct kernel *kernel)
{
	printf("kernel %s %s %u %u %u\n", kernel->isa, kernel->name,
	       kernel->rolled ? 1 : KERNEL_UNROLL, kernel->loads_per_hop,
	       kernel->instructions_per_hop - (kernel->rolled ? 2 : 0));
}

static void print_list(void)
{
	size_t count;
	const struct kernel *kernels = kernel_list(&count);
	for (size_t i = 0; i < count; i++)
		(is_stream(&kernels[i])  ? print_stream
		 : kernels[i].lanes == 1 ? print_kernel
					 : print_lanes)(&kernels[i]);
	printf("probe %s %u\n", kernel_probe()->isa, KERNEL_UNROLL);
}

int main(int argc, char **argv)
{
	if (argc > 1 && strcmp(argv[1], "list") == 0) {
		print_list();
		return 0;
	}
	check_all();
	printf(failures ? "%u failures\n" : "every kernel and variant agrees\n", failures);
	return failures != 0;
}
