#include "kernels/kernels.h"

#include "kernels/chase.h"
#include "kernels/laps.h"
#include "kernels/portable.h"

#define LAPS(name, whole)                                                                          \
	static void laps_##whole(struct kernel_work *work, uint64_t hops)                          \
	{                                                                                          \
		laps_sum(work, hops, whole, portable_##name);                                      \
	}
LAPS(index_array, portable_index_array)
LAPS(stride_loop, portable_stride_loop)
LAPS(linear_sum, portable_linear_sum)
#if defined(CHASE_ISA)
LAPS(index_array, chase_index_array)
LAPS(stride_loop, chase_stride_loop)
LAPS(linear_sum, chase_linear_sum)
#endif

static const struct kernel kernels[] = {
#if defined(CHASE_ISA)
	{"index_array", CHASE_ISA, KERNEL_INDEX_ARRAY, 1, 2, CHASE_INDEX_ARRAY_INSTRUCTIONS,
	 laps_chase_index_array, false},
	{"stride_loop", CHASE_ISA, KERNEL_STRIDE_LOOP, 1, 1, CHASE_STRIDE_LOOP_INSTRUCTIONS,
	 laps_chase_stride_loop, false},
	{"linear_sum", CHASE_ISA, KERNEL_LINEAR_SUM, 1, 8, CHASE_LINEAR_SUM_INSTRUCTIONS,
	 laps_chase_linear_sum, false},
	{"pointer", CHASE_ISA, KERNEL_POINTER, 1, 1, 1, chase_pointer, false},
	{"index32", CHASE_ISA, KERNEL_INDEX32, 1, 1, CHASE_INDEX32_INSTRUCTIONS, chase_index32,
	 false},
	{"pointer_rolled", CHASE_ISA, KERNEL_POINTER, 1, 1, 1 + CHASE_LOOP_INSTRUCTIONS,
	 chase_pointer_rolled, true},
	{"index32_rolled", CHASE_ISA, KERNEL_INDEX32, 1, 1,
	 CHASE_INDEX32_INSTRUCTIONS + CHASE_LOOP_INSTRUCTIONS, chase_index32_rolled, true},
#endif
	{"pointer", "portable", KERNEL_POINTER, 1, 1, 0, portable_pointer, false},
	{"index32", "portable", KERNEL_INDEX32, 1, 1, 0, portable_index32, false},
	{"independent64", "portable", KERNEL_INDEPENDENT64, 1, 1, 0, portable_independent64, false},
	{"independent32", "portable", KERNEL_INDEPENDENT32, 1, 1, 0, portable_independent32, false},
	{"index_array", "portable", KERNEL_INDEX_ARRAY, 1, 2, 0, laps_portable_index_array, false},
	{"stride_loop", "portable", KERNEL_STRIDE_LOOP, 1, 1, 0, laps_portable_stride_loop, false},
	{"linear_sum", "portable", KERNEL_LINEAR_SUM, 1, 8, 0, laps_portable_linear_sum, false},
};

static const struct kernel_probe probe =
#if defined(CHASE_ISA)
	{CHASE_ISA, chase_add, chase_multiply};
#else
	{"portable", portable_add, portable_multiply};
#endif

const struct kernel *kernel_list(size_t *count)
{
	*count = sizeof(kernels) / sizeof(kernels[0]);
	return kernels;
}

const struct kernel *kernel_find(enum kernel_kind kind, unsigned lanes)
{
	for (size_t i = 0; i < sizeof(kernels) / sizeof(kernels[0]); i++)
		if (kernels[i].kind == kind && kernels[i].lanes == lanes)
			return &kernels[i];
	return NULL;
}

const struct kernel *kernel_find_rolled(enum kernel_kind kind)
{
	for (size_t i = 0; i < sizeof(kernels) / sizeof(kernels[0]); i++)
		if (kernels[i].kind == kind && kernels[i].rolled)
			return &kernels[i];
	return kernel_find(kind, 1);
}

static const struct kernel *find_portable(enum kernel_kind kind)
{
	size_t last = sizeof(kernels) / sizeof(kernels[0]) - 1;
	while (kernels[last].kind != kind)
		last--;
	return &kernels[last];
}

void kernel_walk(const struct kernel *kernel, struct kernel_work *work, uint64_t hops)
{
	uint64_t rest = hops % KERNEL_UNROLL;
	if (kernel->kind >= KERNEL_INDEX_ARRAY || kernel->rolled)
		rest = 0; /* they take any number */
	kernel->run(work, hops - rest);
	if (rest)
		find_portable(kernel->kind)->run(work, rest);
}

const struct kernel_probe *kernel_probe(void)
{
	return &probe;
}
