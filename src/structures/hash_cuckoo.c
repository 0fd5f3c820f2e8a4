/* A cuckoo hash table: each key is in one of two slots, which are read at once. */
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/rng.h"
#include "structures/hashing.h"
#include "structures/kinds.h"

#define MOST_TRIES 64  /* with other hash functions */
#define MOST_MOVES 500 /* of keys that make room for one */

struct cuckoo {
	struct element *slots;
	uint64_t keys, count;
	uint64_t multipliers[2]; /* of the hash functions; odd */
};

OPERATE_INLINE uint64_t place(const struct cuckoo *table, uint64_t key, unsigned which)
{
	return hash_place(key, table->multipliers[which], table->count);
}

/* Whoever is in its place goes to its other one. false: it goes round for ever. */
static bool insert(struct cuckoo *table, uint64_t key)
{
	struct element one = {key, value_of(key)};
	uint64_t at = place(table, key, 0);
	for (int moves = 0; moves < MOST_MOVES; moves++) {
		struct element before = table->slots[at];
		table->slots[at] = one;
		if (!before.key)
			return true;
		uint64_t first = place(table, before.key, 0);
		at = first == at ? place(table, before.key, 1) : first;
		one = before;
	}
	return false;
}

static bool fill(struct cuckoo *table)
{
	memset(table->slots, 0, table->count * sizeof(*table->slots));
	for (uint64_t k = 0; k < table->keys; k++)
		if (!insert(table, key_of(STRUCTURES_SCATTERED, k)))
			return false;
	return true;
}

static uint64_t memory_bytes(const struct structures_shape *shape)
{
	return (hash_places(shape) + 1) * sizeof(struct element);
}

static int build(const struct structures_shape *shape, unsigned char *memory, uint64_t key,
		 void **root, struct fathom_error *error)
{
	struct cuckoo *table = structures_root(sizeof(*table), error);
	if (!table)
		return -1;
	*table = (struct cuckoo){.slots = (struct element *)memory,
				 .keys = shape->keys,
				 .count = hash_places(shape) + 1};
	for (uint64_t i = 0; i < MOST_TRIES; i++) {
		table->multipliers[0] = rng_mix(key, 2 * i) | 1;
		table->multipliers[1] = rng_mix(key, 2 * i + 1) | 1;
		if (fill(table)) {
			*root = table;
			return 0;
		}
	}
	free(table);
	return error_set(error, FATHOM_FAILED, "use a lower --load",
			 "a cuckoo table of load %g could not be filled", shape->load);
}

OPERATE_INLINE void cuckoo_begin(const void *root, struct cursor *cursor)
{
	const struct cuckoo *table = root;
	cursor->at = (const unsigned char *)&table->slots[place(table, cursor->key, 0)];
	cursor->left = place(table, cursor->key, 1);
	__builtin_prefetch(cursor->at);
	__builtin_prefetch(&table->slots[cursor->left]);
}

/* Both are read, and the right one is chosen by masks: which it is cannot be foreseen. */
OPERATE_INLINE bool cuckoo_step(const void *root, struct cursor *cursor)
{
	const struct cuckoo *table = root;
	const struct element *one = (const struct element *)cursor->at;
	const struct element *other = &table->slots[cursor->left];
	uint64_t in_one = -(uint64_t)(one->key == cursor->key);
	uint64_t in_other = -(uint64_t)(other->key == cursor->key);
	cursor->value = (one->value & in_one) | (other->value & in_other) | ~(in_one | in_other);
	return false;
}

OPERATIONS(cuckoo, STRUCTURES_SCATTERED, ((const struct cuckoo *)root)->keys)

const struct structures_kind kind_cuckoo = {
	.name = "cuckoo",
	.keys = STRUCTURES_SCATTERED,
	.memory_bytes = memory_bytes,
	.build = build,
	OPERATIONS_OF(cuckoo),
};
