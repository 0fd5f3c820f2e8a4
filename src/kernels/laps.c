#include "kernels/laps.h"

void laps_sum(struct kernel_work *work, uint64_t hops, kernel_sum *whole, kernel_sum *rest)
{
	while (hops) {
		uint64_t left = work->nodes - work->position;
		uint64_t part = hops < left ? hops : left;
		uint64_t most = part - part % KERNEL_UNROLL;
		work->cursor += whole(work, work->position, most);
		if (most < part)
			work->cursor += rest(work, work->position + most, part - most);
		work->position = part < left ? work->position + part : 0;
		hops -= part;
	}
}
