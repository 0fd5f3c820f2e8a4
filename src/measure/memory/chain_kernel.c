#include "measure/memory/chain_kernel.h"

#include "base/patterns.h"
#include "measure/memory/stream.h"
#include "measure/spec.h"

/* The loops that follow links, or fold them in, have twins for smaller ones. */
enum kernel_kind chain_kernel_kind(const struct fathom_spec *spec)
{
	enum kernel_kind kind = pattern_traits(spec->pattern)->kernel;
	bool keeps = pattern_traits(spec->pattern)->keeps;
	bool index32 = spec->link == FATHOM_LINK_INDEX32, byte = spec->link == FATHOM_LINK_BYTE;
	switch (kind) {
	case KERNEL_POINTER:
		return index32 ? KERNEL_INDEX32 : kind;
	case KERNEL_INDEPENDENT64:
		return index32 ? KERNEL_INDEPENDENT32 : byte ? KERNEL_INDEPENDENT8 : kind;
	case KERNEL_INDEX_ARRAY:
		if (spec_index_unit(spec) == 1)
			return keeps ? KERNEL_INDEX_BYTES_KEPT : KERNEL_INDEX_BYTES;
		return keeps ? KERNEL_INDEX_ARRAY_KEPT : kind;
	default:
		return kind;
	}
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
