/* A skip list (Pugh 1990): every second node is on the next level, too. Nodes lie in random order,
 * one behind the other. */
#include <stdlib.h>

#include "base/error.h"
#include "kernels/permutation.h"
#include "structures/kinds.h"
#include "structures/operate.h"

#define MOST_LEVELS 40

struct node {
	uint64_t key, value;
	struct node *next[]; /* of each level that it is on */
};

struct skip_list {
	uint64_t keys;
	unsigned levels;
	struct {
		uint64_t key, value;
		struct node *next[MOST_LEVELS];
	} head; /* as a node */
};

/* Of the k-th node. */
static unsigned height_of(uint64_t k)
{
	return (unsigned)__builtin_ctzll(k + 1) + 1;
}

static uint64_t node_bytes(uint64_t k)
{
	uint64_t bytes = sizeof(struct node) + height_of(k) * sizeof(struct node *);
	return (bytes + 15) / 16 * 16; /* as malloc has them */
}

/* On level i, from 0 on, are keys / 2^i. */
static uint64_t memory_bytes(const struct structures_shape *shape)
{
	uint64_t bytes = 0;
	for (unsigned height = 1; shape->keys >> (height - 1); height++) {
		uint64_t with = shape->keys >> (height - 1), higher = shape->keys >> height;
		bytes += (with - higher) * node_bytes(((uint64_t)1 << (height - 1)) - 1);
	}
	return bytes;
}

static void link_nodes(struct skip_list *list, struct node *const *nodes)
{
	struct node **last[MOST_LEVELS]; /* the pointer that the next one of a level goes to */
	for (unsigned level = 0; level < MOST_LEVELS; level++)
		last[level] = &list->head.next[level];
	for (uint64_t k = 0; k < list->keys; k++) {
		unsigned height = height_of(k);
		nodes[k]->key = key_of(STRUCTURES_ODD, k);
		nodes[k]->value = value_of(nodes[k]->key);
		for (unsigned level = 0; level < height; level++) {
			*last[level] = nodes[k];
			last[level] = &nodes[k]->next[level];
		}
		list->levels = height > list->levels ? height : list->levels;
	}
	for (unsigned level = 0; level < MOST_LEVELS; level++)
		*last[level] = NULL;
}

static int build(const struct structures_shape *shape, unsigned char *memory, uint64_t key,
		 void **root, struct fathom_error *error)
{
	struct permutation order = permutation_make(shape->keys, key);
	struct skip_list *list = structures_root(sizeof(*list), error);
	struct node **nodes = malloc(shape->keys * sizeof(*nodes)); /* by their keys */
	if (!list || !nodes) {
		free(list);
		free(nodes);
		return error_no_memory(error);
	}
	list->keys = shape->keys;
	for (uint64_t i = 0, at = 0; i < list->keys; i++) {
		uint64_t k = permutation_forward(&order, i);
		nodes[k] = (struct node *)(memory + at);
		at += node_bytes(k);
	}
	link_nodes(list, nodes);
	free(nodes);
	*root = list;
	return 0;
}

OPERATE_INLINE void skip_begin(const void *root, struct cursor *cursor)
{
	const struct skip_list *list = root;
	cursor->at = (const unsigned char *)&list->head;
	cursor->left = list->levels;
}

/* Along a level, or down. */
OPERATE_INLINE bool skip_step(const void *root, struct cursor *cursor)
{
	const struct node *node = (const struct node *)cursor->at;
	const struct node *next = node->next[cursor->left - 1];
	(void)root;
	if (next && next->key <= cursor->key) {
		cursor->at = (const unsigned char *)next;
		return true;
	}
	if (--cursor->left > 0)
		return true;
	/* No key is 0, but the head's. */
	cursor->value = node->key == cursor->key && cursor->key ? node->value : STRUCTURES_ABSENT;
	return false;
}

OPERATIONS(skip, STRUCTURES_ODD, ((const struct skip_list *)root)->keys)

const struct structures_kind kind_skip_list = {
	.name = "skip-list",
	.keys = STRUCTURES_ODD,
	.memory_bytes = memory_bytes,
	.build = build,
	OPERATIONS_OF(skip),
};
