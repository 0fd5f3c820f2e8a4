/* A hash table with open addressing and linear probing; a slot is an element, empty where its key
 * is 0. */
#include <string.h>

#include "structures/hashing.h"
#include "structures/kinds.h"

struct open_table {
	struct element *slots;
	uint64_t keys, count;
};

static uint64_t memory_bytes(const struct structures_shape *shape)
{
	return (hash_places(shape) + 1) * sizeof(struct element); /* one is always empty */
}

static int build(const struct structures_shape *shape, unsigned char *memory, uint64_t key,
		 void **root, struct fathom_error *error)
{
	struct open_table *table = structures_root(sizeof(*table), error);
	(void)key;
	if (!table)
		return -1;
	*table = (struct open_table){(struct element *)memory, shape->keys, hash_places(shape) + 1};
	memset(memory, 0, table->count * sizeof(*table->slots));
	for (uint64_t k = 0; k < table->keys; k++) {
		uint64_t own = key_of(STRUCTURES_SCATTERED, k);
		uint64_t slot = hash_place(own, HASH_MULTIPLIER, table->count);
		while (table->slots[slot].key)
			slot = slot + 1 == table->count ? 0 : slot + 1;
		table->slots[slot] = (struct element){own, value_of(own)};
	}
	*root = table;
	return 0;
}

OPERATE_INLINE void open_begin(const void *root, struct cursor *cursor)
{
	const struct open_table *table = root;
	cursor->left = hash_place(cursor->key, HASH_MULTIPLIER, table->count);
	__builtin_prefetch(&table->slots[cursor->left]);
}

OPERATE_INLINE bool open_step(const void *root, struct cursor *cursor)
{
	const struct open_table *table = root;
	const struct element *slot = &table->slots[cursor->left];
	if (slot->key == cursor->key || !slot->key) {
		cursor->value = slot->key ? slot->value : STRUCTURES_ABSENT;
		return false;
	}
	cursor->left = cursor->left + 1 == table->count ? 0 : cursor->left + 1;
	return true;
}

OPERATIONS(open, STRUCTURES_SCATTERED, ((const struct open_table *)root)->keys)

const struct structures_kind kind_open_hash = {
	.name = "open-hash",
	.keys = STRUCTURES_SCATTERED,
	.memory_bytes = memory_bytes,
	.build = build,
	OPERATIONS_OF(open),
};
