/* A B-tree: nodes of any size, 69 % full, level by level side by side. In each a binary search
 * without branches. */
#include <math.h>

#include "kernels/branch.h"
#include "structures/kinds.h"
#include "structures/operate.h"

#define FULL        0.69 /* ln 2, of random insertion (Yao 1978) */
#define MOST_LEVELS 40

/* Of a leaf `room` keys and as many values follow; of others, keys and one child more. */
struct node {
	uint64_t count;
	uint64_t words[];
};

struct btree {
	unsigned char *memory;
	uint64_t keys, node_bytes;
	uint64_t room, leaf_room;          /* keys of a node, and of a leaf */
	uint64_t used, leaf_used;          /* of these */
	uint64_t nodes[MOST_LEVELS];       /* from the leaves up */
	uint64_t first_bytes[MOST_LEVELS]; /* where a level begins; the root comes first */
	unsigned levels;
};

static uint64_t parts_of(uint64_t count, uint64_t part)
{
	return (count + part - 1) / part;
}

static struct btree plan(const struct structures_shape *shape, unsigned char *memory)
{
	struct btree tree = {.memory = memory, .keys = shape->keys};
	tree.node_bytes = shape->node_bytes - shape->node_bytes % 8;
	tree.room = (tree.node_bytes - 16) / 16;
	tree.leaf_room = (tree.node_bytes - 8) / 16;
	tree.used = (uint64_t)fmax(1, FULL * (double)tree.room);
	tree.leaf_used = (uint64_t)fmax(1, FULL * (double)tree.leaf_room);
	for (uint64_t count = parts_of(tree.keys, tree.leaf_used);;
	     count = parts_of(count, tree.used + 1)) {
		tree.nodes[tree.levels++] = count;
		if (count == 1)
			break;
	}
	for (unsigned level = tree.levels - 1; level-- > 0;)
		tree.first_bytes[level] =
			tree.first_bytes[level + 1] + tree.nodes[level + 1] * tree.node_bytes;
	return tree;
}

static uint64_t memory_bytes(const struct structures_shape *shape)
{
	struct btree tree = plan(shape, NULL);
	return tree.first_bytes[0] + tree.nodes[0] * tree.node_bytes;
}

static struct node *node_of(const struct btree *tree, unsigned level, uint64_t which)
{
	return (struct node *)(tree->memory + tree->first_bytes[level] + which * tree->node_bytes);
}

static void fill_leaf(const struct btree *tree, uint64_t which)
{
	struct node *leaf = node_of(tree, 0, which);
	uint64_t first = which * tree->leaf_used;
	for (leaf->count = 0; leaf->count < tree->leaf_used && first + leaf->count < tree->keys;
	     leaf->count++) {
		uint64_t key = key_of(STRUCTURES_ODD, first + leaf->count);
		leaf->words[leaf->count] = key;
		leaf->words[tree->leaf_room + leaf->count] = value_of(key);
	}
}

/* Between two children the least key below the second. `leaves`: below a child. */
static void fill_node(const struct btree *tree, unsigned level, uint64_t which, uint64_t leaves)
{
	struct node *node = node_of(tree, level, which);
	node->count = 0;
	for (uint64_t k = 0; k <= tree->used; k++) {
		uint64_t child = which * (tree->used + 1) + k;
		if (child >= tree->nodes[level - 1])
			break;
		node->words[tree->room + k] = (uintptr_t)node_of(tree, level - 1, child);
		if (k == 0)
			continue;
		node->words[k - 1] = key_of(STRUCTURES_ODD, child * leaves * tree->leaf_used);
		node->count = k;
	}
}

static int build(const struct structures_shape *shape, unsigned char *memory, uint64_t key,
		 void **root, struct fathom_error *error)
{
	struct btree *tree = structures_root(sizeof(*tree), error);
	(void)key;
	if (!tree)
		return -1;
	*tree = plan(shape, memory);
	for (uint64_t which = 0; which < tree->nodes[0]; which++)
		fill_leaf(tree, which);
	uint64_t leaves = 1;
	for (unsigned level = 1; level < tree->levels; level++, leaves *= tree->used + 1)
		for (uint64_t which = 0; which < tree->nodes[level]; which++)
			fill_node(tree, level, which, leaves);
	*root = tree;
	return 0;
}

OPERATE_INLINE void btree_begin(const void *root, struct cursor *cursor)
{
	const struct btree *tree = root;
	cursor->at = tree->memory;
	cursor->left = tree->levels;
}

/* How many of the node's keys are not greater. */
OPERATE_INLINE uint64_t rank_of(const struct node *node, uint64_t key)
{
	const uint64_t *first = node->words;
	uint64_t left = node->count;
	while (left > 1) {
		uint64_t half = left / 2;
		first = branch_none(first[half - 1], key, first + half, first);
		left -= half;
	}
	return (uint64_t)(first - node->words) + (left && *first <= key);
}

OPERATE_INLINE bool btree_step(const void *root, struct cursor *cursor)
{
	const struct btree *tree = root;
	const struct node *node = (const struct node *)cursor->at;
	uint64_t rank = rank_of(node, cursor->key);
	if (--cursor->left > 0) {
		cursor->at = (const unsigned char *)(uintptr_t)node->words[tree->room + rank];
		return true;
	}
	cursor->value = rank && node->words[rank - 1] == cursor->key
				? node->words[tree->leaf_room + rank - 1]
				: STRUCTURES_ABSENT;
	return false;
}

OPERATIONS(btree, STRUCTURES_ODD, ((const struct btree *)root)->keys)

const struct structures_kind kind_btree = {
	.name = "btree",
	.keys = STRUCTURES_ODD,
	.memory_bytes = memory_bytes,
	.build = build,
	OPERATIONS_OF(btree),
};
