#include "measure/meters/lanes.h"

#include "base/stopwatch.h"

#define LINE_WORDS (KERNEL_LINE_BYTES / sizeof(uint64_t))
#define TRIAL_HOPS (KERNEL_LANES_UNROLL * 64ull)
#define TRIALS     9

/* A run over nodes that lead to themselves, each lane's in a line of its own. */
static uint64_t trial_ns(const struct kernel *kernel, unsigned count)
{
	uint64_t words[FATHOM_MOST_LANES * LINE_WORDS], cursors[FATHOM_MOST_LANES];
	struct kernel_work work = {
		.base = (const unsigned char *)words, .cursors = cursors, .lanes = count};
	for (unsigned lane = 0; lane < count; lane++) {
		uint64_t *word = &words[lane * LINE_WORDS];
		cursors[lane] = kernel->kind == KERNEL_INDEX32
					? lane * LINE_WORDS * sizeof(*word) / sizeof(uint32_t)
					: (uint64_t)(uintptr_t)word;
		if (kernel->kind == KERNEL_INDEX32)
			*(uint32_t *)(void *)word = (uint32_t)cursors[lane];
		else
			*word = cursors[lane];
	}
	uint64_t start = stopwatch_now_ns();
	kernel->run(&work, TRIAL_HOPS);
	return stopwatch_now_ns() - start;
}

/* In turns: what slows the machine down for a while slows both. */
static bool is_faster(const struct kernel *one, const struct kernel *other, unsigned count)
{
	uint64_t one_ns = UINT64_MAX, other_ns = UINT64_MAX;
	for (int i = 0; i < TRIALS; i++) {
		uint64_t ns = trial_ns(one, count);
		one_ns = ns < one_ns ? ns : one_ns;
		ns = trial_ns(other, count);
		other_ns = ns < other_ns ? ns : other_ns;
	}
	return one_ns <= other_ns;
}

static const struct kernel *choose(enum kernel_kind kind, unsigned count)
{
	const struct kernel *best = kernel_find_lanes(kind, count, KERNEL_IN_REGISTERS);
	const struct kernel *vectors = kernel_find_lanes(kind, count, KERNEL_IN_VECTORS);
	const struct kernel *array = kernel_find_lanes(kind, count, KERNEL_IN_ARRAY);
	if (best)
		return best;
	if (vectors && array)
		return is_faster(vectors, array, count) ? vectors : array;
	return vectors ? vectors : array ? array : kernel_find(kind, count);
}

const struct kernel *lanes_kernel(struct lanes *lanes, enum kernel_kind kind, unsigned count)
{
	const struct kernel **chosen = &lanes->chosen[kind][count];
	if (!*chosen)
		*chosen = choose(kind, count);
	return *chosen;
}

const struct kernel *lanes_kernel_in(enum fathom_lane_store store, enum kernel_kind kind,
				     unsigned count)
{
	const struct kernel *registers = kernel_find_lanes(kind, count, KERNEL_IN_REGISTERS);
	switch (store) {
	case FATHOM_STORE_REGISTERS:
		return registers;
	case FATHOM_STORE_VECTORS:
		return registers ? registers : kernel_find_lanes(kind, count, KERNEL_IN_VECTORS);
	case FATHOM_STORE_STACK:
		return kernel_find_lanes(kind, count, KERNEL_ON_STACK);
	default:
		return kernel_find_lanes(kind, count, KERNEL_IN_ARRAY);
	}
}

unsigned lanes_most_in(enum fathom_lane_store store, enum kernel_kind kind)
{
	unsigned most = FATHOM_MOST_LANES;
	while (most > 1 && !lanes_kernel_in(store, kind, most))
		most--;
	return most;
}

enum fathom_lane_store lanes_store(const struct kernel *kernel)
{
	switch (kernel->store) {
	case KERNEL_IN_REGISTERS:
		return FATHOM_STORE_REGISTERS;
	case KERNEL_IN_VECTORS:
		return FATHOM_STORE_VECTORS;
	case KERNEL_ON_STACK:
		return FATHOM_STORE_STACK;
	default:
		return FATHOM_STORE_ARRAY;
	}
}
