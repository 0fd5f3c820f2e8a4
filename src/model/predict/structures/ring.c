/* A queue between two threads: a ring of slots, each with its own flag, so that no index is shared.
 * The line of a slot comes to the consumer, and back to the producer when the ring has gone
 * round. When the wait for a message ends is not foreseen. */
#include "model/predict/structures/structures.h"

static void lay(const struct shape *shape, struct layout *layout)
{
	layout->size_bytes = shape->keys * shape->line_bytes;
	layout->transfers = 1;
	layout->keyless = true;
	LAYOUT_STEP(layout, "slot, its flag", .count = 1, .lines = 1, .pages = 1, .cycles = 2,
		    .instructions = 8, .waiting = 4, .mispredicted = 1);
}

const struct structure structure_ring = {
	.name = "ring",
	.words = "queue between two threads, a message on its way",
	.operation = "message",
	.lay = lay,
};
