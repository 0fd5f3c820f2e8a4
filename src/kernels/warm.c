#include "kernels/kernels.h"

/* Words of a buffer that others fill with bytes. */
typedef uint64_t word64 __attribute__((may_alias));
typedef uint32_t word32 __attribute__((may_alias));

static void warm_pointer(uint64_t cursors[static KERNEL_WARM_LANES], uint64_t hops)
{
	for (; hops; hops--)
		for (int lane = 0; lane < KERNEL_WARM_LANES; lane++)
			cursors[lane] = *(const word64 *)(uintptr_t)cursors[lane];
}

static void warm_index32(const unsigned char *base, uint64_t cursors[static KERNEL_WARM_LANES],
			 uint64_t hops)
{
	const word32 *words = (const word32 *)(const void *)base;
	for (; hops; hops--)
		for (int lane = 0; lane < KERNEL_WARM_LANES; lane++)
			cursors[lane] = words[cursors[lane]];
}

static uint64_t word_at(const unsigned char *word, enum kernel_kind kind)
{
	return kind == KERNEL_INDEPENDENT64   ? *(const word64 *)(const void *)word
	       : kind == KERNEL_INDEPENDENT32 ? *(const word32 *)(const void *)word
					      : *word;
}

static void warm_independent(const struct kernel_work *work,
			     uint64_t cursors[static KERNEL_WARM_LANES], uint64_t hops,
			     enum kernel_kind kind)
{
	for (; hops; hops--)
		for (int lane = 0; lane < KERNEL_WARM_LANES; lane++) {
			uint64_t node = kernel_independent_node(cursors[lane], work->nodes);
			const unsigned char *word =
				work->base + node * work->node_bytes +
				kernel_node_offset(node, work->slots, work->slot_bytes);
			cursors[lane] = kernel_independent_next(cursors[lane], word_at(word, kind));
		}
}

void kernel_warm(enum kernel_kind kind, struct kernel_work lanes[static KERNEL_WARM_LANES],
		 uint64_t hops)
{
	uint64_t cursors[KERNEL_WARM_LANES];
	for (int lane = 0; lane < KERNEL_WARM_LANES; lane++)
		cursors[lane] = lanes[lane].cursor;
	if (kind == KERNEL_POINTER)
		warm_pointer(cursors, hops);
	else if (kind == KERNEL_INDEX32)
		warm_index32(lanes[0].base, cursors, hops);
	else
		warm_independent(&lanes[0], cursors, hops, kind);
	for (int lane = 0; lane < KERNEL_WARM_LANES; lane++)
		lanes[lane].cursor = cursors[lane];
}
