/* A queue between two threads: a ring of slots, a line each, with their own flags. What is run
 * sends a message and waits for the answer, which comes in the same slot and is a message, too. */
#include <sched.h>
#include <stdatomic.h>
#include <string.h>

#include "base/error.h"
#include "structures/kinds.h"
#include "structures/operate.h"

#define SLOT_BYTES  64
#define APART_BYTES 128  /* two lines, which prefetchers bring together */
#define LOOKS       4096 /* some us, which no message takes: the other thread does not run */

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
	/* What one of the two writes is in no line that the other goes to. */
	char before[APART_BYTES];
	struct place sender;
	uint64_t interruptions;
	char between[APART_BYTES];
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
static void go_on(struct place *place, uint64_t keys)
{
	place->slot = place->slot + 1 == keys ? 0 : place->slot + 1;
	place->number += 2;
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
		struct slot *slot = &ring->slots[ring->sender.slot];
		slot->value = value_of(requests->state++);
		atomic_store_explicit(&slot->number, number, memory_order_release);
		while (!has_come(slot, number + 1)) {
			ring->interruptions++;
			sched_yield();
		}
		sum += slot->value;
		go_on(&ring->sender, ring->keys);
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
	go_on(&ring->answerer, ring->keys);
}

static uint64_t interruptions(const void *root)
{
	return ((const struct ring *)root)->interruptions;
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
	.interruptions = interruptions,
};
