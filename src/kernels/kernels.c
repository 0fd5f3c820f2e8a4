#include "kernels/kernels.h"

#include "kernels/chase.h"
#include "kernels/portable.h"

static const struct kernel kernels[] = {
#if defined(CHASE_ISA)
	{"pointer", CHASE_ISA, KERNEL_POINTER, 1, 1, 1, chase_pointer},
	{"index32", CHASE_ISA, KERNEL_INDEX32, 1, 1, CHASE_INDEX32_INSTRUCTIONS, chase_index32},
#endif
	{"pointer", "portable", KERNEL_POINTER, 1, 1, 0, portable_pointer},
	{"index32", "portable", KERNEL_INDEX32, 1, 1, 0, portable_index32},
	{"independent64", "portable", KERNEL_INDEPENDENT64, 1, 1, 0, portable_independent64},
	{"independent32", "portable", KERNEL_INDEPENDENT32, 1, 1, 0, portable_independent32},
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

const struct kernel_probe *kernel_probe(void)
{
	return &probe;
}
