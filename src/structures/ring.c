/* A queue between two threads: a ring of slots, a line each, with their own flags. What is run
 * sends a message and waits for the answer, which comes in the same slot and is a message, too. */
#include <sched.h>
#include <stdatomic.h>
#include <string.h>

#include "base/error.h"
#include "structures/kinds.h"
#include "structures/operate.h"

#define SLOT_BYTES 64
#define LOOKS      4096 /* before the other thread may have this CPU, if it has no other */

struct slot {
	_Alignas(SLOT_BYTES) atomic_uint_fast64_t number; /* of the last message in it */
	uint64_t value;
};

/* Where one of the two is. */
struct place {
	uint64_t slot, number; /* of the next message */
};

struct ring {
	struct slot *slots;
	uint64_t keys;
	struct place sender;
	char apart[SLOT_BYTES]; /* the other thread's own is in another line */
	struct place answerer;
};

static uint64_t memory_bytes(const struct structures_shape *shape)
{
	return shape->keys * sizeof(struct slot);
}

static int build(const struct structures_shape *shape, unsigned char *memory, uint64_t key,
		 void **root, struct fathom_error *error)
{
	struct ring *ring = structures_root(sizeof(*ring), error);
	(void)key;
	if (!ring)
		return -1;
	ring->slots = (struct slot *)memory;
	ring->keys = shape->keys;
	ring->sender.number = ring->answerer.number = 1;
	memset(memory, 0, memory_bytes(shape));
	*root = ring;
	return 0;
}

/* The first message is 1, its answer 2, the next message 3. */
static struct slot *go_on(const struct ring *ring, struct place *place)
{
	struct slot *slot = &ring->slots[place->slot];
	place->slot = place->slot + 1 == ring->keys ? 0 : place->slot + 1;
	place->number += 2;
	return slot;
}

static bool has_come(struct slot *slot, uint64_t number)
{
	for (unsigned look = 0; look < LOOKS; look++)
		if (atomic_load_explicit(&slot->number, memory_order_acquire) == number)
			return true;
	return false;
}

/* A message and its answer are two; an odd one is made with its answer. */
static uint64_t run(void *root, struct structures_requests *requests, uint64_t count,
		    unsigned together)
{
	struct ring *ring = root;
	uint64_t sum = 0;
	(void)together;
	for (uint64_t made = 0; made < count; made += 2) {
		uint64_t number = ring->sender.number;
		struct slot *slot = go_on(ring, &ring->sender);
		slot->value = value_of(requests->state++);
		atomic_store_explicit(&slot->number, number, memory_order_release);
		while (!has_come(slot, number + 1))
			sched_yield();
		sum += slot->value;
	}
	return sum;
}

static void answer(void *root)
{
	struct ring *ring = root;
	uint64_t number = ring->answerer.number;
	struct slot *slot = &ring->slots[ring->answerer.slot];
	if (!has_come(slot, number)) {
		sched_yield();
		return;
	}
	slot->value++;
	atomic_store_explicit(&slot->number, number + 1, memory_order_release);
	go_on(ring, &ring->answerer);
}

static uint64_t expect(void *root, struct structures_requests *requests, uint64_t count,
		       unsigned together)
{
	uint64_t sum = 0;
	(void)root;
	(void)together;
	for (uint64_t made = 0; made < count; made += 2)
		sum += value_of(requests->state++) + 1;
	return sum;
}

const struct structures_kind kind_ring = {
	.name = "ring",
	.keys = STRUCTURES_DENSE,
	.memory_bytes = memory_bytes,
	.build = build,
	.run = {[FATHOM_PREDICT_DEPENDENT] = run},
	.expect = expect,
	.beside = answer,
};
