/* A hash table with chains: a head of 8 bytes a bucket, nodes of 32 bytes in random order. */
#include <string.h>

#include "kernels/permutation.h"
#include "structures/hashing.h"
#include "structures/kinds.h"

struct node {
	const struct node *next;
	uint64_t key, value, unused; /* malloc gives multiples of 16 */
};

struct chained {
	const struct node **heads;
	uint64_t keys, buckets;
};

static uint64_t heads_bytes(const struct structures_shape *shape)
{
	uint64_t bytes = hash_places(shape) * sizeof(struct node *);
	return bytes + (64 - bytes % 64) % 64; /* whole lines */
}

static uint64_t memory_bytes(const struct structures_shape *shape)
{
	return heads_bytes(shape) + shape->keys * sizeof(struct node);
}

static int build(const struct structures_shape *shape, unsigned char *memory, uint64_t key,
		 void **root, struct fathom_error *error)
{
	struct chained *table = structures_root(sizeof(*table), error);
	struct node *nodes = (struct node *)(memory + heads_bytes(shape));
	struct permutation order = permutation_make(shape->keys, key);
	if (!table)
		return -1;
	*table = (struct chained){(const struct node **)memory, shape->keys, hash_places(shape)};
	memset(memory, 0, heads_bytes(shape));
	for (uint64_t k = 0; k < table->keys; k++) {
		struct node *node = &nodes[permutation_forward(&order, k)];
		uint64_t own = key_of(STRUCTURES_SCATTERED, k);
		const struct node **head =
			&table->heads[hash_place(own, HASH_MULTIPLIER, table->buckets)];
		*node = (struct node){.next = *head, .key = own, .value = value_of(own)};
		*head = node;
	}
	*root = table;
	return 0;
}

OPERATE_INLINE void chained_begin(const void *root, struct cursor *cursor)
{
	const struct chained *table = root;
	uint64_t bucket = hash_place(cursor->key, HASH_MULTIPLIER, table->buckets);
	cursor->at = (const unsigned char *)&table->heads[bucket];
	__builtin_prefetch(cursor->at); /* of one operation a step away, of several worth it */
}

/* `at` is a pointer to a node: the head, or the one in the node before. */
OPERATE_INLINE bool chained_step(const void *root, struct cursor *cursor)
{
	const struct node *node = *(const struct node *const *)cursor->at;
	(void)root;
	if (!node || node->key == cursor->key) {
		cursor->value = node ? node->value : STRUCTURES_ABSENT;
		return false;
	}
	cursor->at = (const unsigned char *)node; /* whose first word is the pointer */
	return true;
}

OPERATIONS(chained, STRUCTURES_SCATTERED, ((const struct chained *)root)->keys)

const struct structures_kind kind_chained_hash = {
	.name = "chained-hash",
	.keys = STRUCTURES_SCATTERED,
	.memory_bytes = memory_bytes,
	.build = build,
	OPERATIONS_OF(chained),
};
