#include "kernels/laps.h"

/* Of `hops` hops, those up to the end of the lap. */
static uint64_t hops_of_lap(const struct kernel_work *work, uint64_t hops)
{
	uint64_t left = work->nodes - work->position;
	return hops < left ? hops : left;
}

static void move_on(struct kernel_work *work, uint64_t hops)
{
	work->position += hops;
	if (work->position == work->nodes)
		work->position = 0;
}

void laps_sum(struct kernel_work *work, uint64_t hops, kernel_sum *whole, kernel_sum *rest)
{
	while (hops) {
		uint64_t part = hops_of_lap(work, hops);
		uint64_t most = part - part % KERNEL_UNROLL;
		work->cursor += whole(work, work->position, most);
		if (most < part)
			work->cursor += rest(work, work->position + most, part - most);
		move_on(work, part);
		hops -= part;
	}
}

void laps_stream(struct kernel_work *work, uint64_t hops, kernel_stream *stream)
{
	uint64_t last[KERNEL_LINE_WORDS] = {0};
	while (hops) {
		uint64_t part = hops_of_lap(work, hops);
		stream(work, work->position, part, last);
		move_on(work, part);
		hops -= part;
	}
	for (int i = 0; i < KERNEL_LINE_WORDS; i++)
		work->cursor ^= last[i];
}
