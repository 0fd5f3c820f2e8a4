#include "measure/memory/chain_kernel.h"

#include "measure/memory/stream.h"

enum kernel_kind chain_kernel_kind(const struct fathom_spec *spec)
{
	bool wide = spec->link != FATHOM_LINK_INDEX32;
	switch (spec->pattern) {
	case FATHOM_INDEX_ARRAY:
		return KERNEL_INDEX_ARRAY;
	case FATHOM_STRIDE_LOOP:
		return KERNEL_STRIDE_LOOP;
	case FATHOM_LINEAR_SUM:
		return KERNEL_LINEAR_SUM;
	case FATHOM_INDEPENDENT:
		return wide ? KERNEL_INDEPENDENT64 : KERNEL_INDEPENDENT32;
	default:
		return wide ? KERNEL_POINTER : KERNEL_INDEX32;
	}
}

const struct kernel *chain_kernel(const struct fathom_spec *spec)
{
	bool in_address_order = spec->pattern == FATHOM_SEQUENTIAL ||
				spec->pattern == FATHOM_REVERSE || spec->pattern == FATHOM_STRIDED;
	enum kernel_kind kind = chain_kernel_kind(spec);
	return in_address_order ? kernel_find_rolled(kind) : kernel_find(kind, spec->lanes);
}

uint32_t chain_instructions(const struct fathom_spec *spec)
{
	const struct kernel *kernel = chain_kernel(spec);
	if (spec->lanes > 1 && kernel->store != KERNEL_IN_REGISTERS)
		return 0; /* lanes differ, and which loop is taken is found out by timing */
	return kernel->instructions_per_hop * (uint32_t)stream_hops(spec, 1);
}
