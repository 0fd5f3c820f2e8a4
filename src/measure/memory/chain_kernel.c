#include "measure/memory/chain_kernel.h"

#include "base/patterns.h"
#include "measure/memory/stream.h"

/* The loops that follow links, or fold them in, have twins for links of 32 bits. */
enum kernel_kind chain_kernel_kind(const struct fathom_spec *spec)
{
	enum kernel_kind kind = pattern_traits(spec->pattern)->kernel;
	if (spec->link != FATHOM_LINK_INDEX32)
		return kind;
	return kind == KERNEL_POINTER         ? KERNEL_INDEX32
	       : kind == KERNEL_INDEPENDENT64 ? KERNEL_INDEPENDENT32
					      : kind;
}

const struct kernel *chain_kernel(const struct fathom_spec *spec)
{
	enum kernel_kind kind = chain_kernel_kind(spec);
	return pattern_in_address_order(spec->pattern) ? kernel_find_rolled(kind)
						       : kernel_find(kind, spec->lanes);
}

uint32_t chain_instructions(const struct fathom_spec *spec)
{
	const struct kernel *kernel = chain_kernel(spec);
	if (spec->lanes > 1 && spec->lane_store == FATHOM_STORE_STACK)
		return kernel_find_lanes(kernel->kind, spec->lanes, KERNEL_ON_STACK)
			->instructions_per_hop;
	if (spec->lanes > 1 && kernel->store != KERNEL_IN_REGISTERS)
		return 0; /* lanes differ, and which loop is taken is found out by timing */
	return kernel->instructions_per_hop * (uint32_t)stream_hops(spec, 1);
}
