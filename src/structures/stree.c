/* A static B+ tree: nodes are a line of keys, full, level by level; a node's children are found by
 * arithmetic, and the values stand apart. Slotin, Algorithms for Modern Hardware, "Static B-trees".
 */
#include "structures/kinds.h"
#include "structures/operate.h"

#define NODE_KEYS   8 /* a line of 64 bytes */
#define CHILDREN    (NODE_KEYS + 1)
#define MOST_LEVELS 24

struct stree {
	uint64_t *words, *values;
	uint64_t keys;
	uint64_t nodes[MOST_LEVELS]; /* from the leaves up */
	uint64_t first[MOST_LEVELS]; /* the node that a level begins with; the root is node 0 */
	unsigned levels;
};

static struct stree plan(uint64_t keys, unsigned char *memory)
{
	struct stree tree = {.words = (uint64_t *)memory, .keys = keys};
	for (uint64_t count = (keys + NODE_KEYS - 1) / NODE_KEYS;;
	     count = (count + CHILDREN - 1) / CHILDREN) {
		tree.nodes[tree.levels++] = count;
		if (count == 1)
			break;
	}
	for (unsigned level = tree.levels - 1; level-- > 0;)
		tree.first[level] = tree.first[level + 1] + tree.nodes[level + 1];
	if (memory) /* else its size alone is asked for */
		tree.values = tree.words + (tree.first[0] + tree.nodes[0]) * NODE_KEYS;
	return tree;
}

static uint64_t memory_bytes(const struct structures_shape *shape)
{
	struct stree tree = plan(shape->keys, NULL);
	return ((tree.first[0] + tree.nodes[0]) * NODE_KEYS + tree.keys) * sizeof(uint64_t);
}

static uint64_t key_or_none(const struct stree *tree, uint64_t k)
{
	return k < tree->keys ? key_of(STRUCTURES_ODD, k) : UINT64_MAX;
}

/* The word of a node above the leaves is the least key below the child after it. `leaves`: below a
 * child. */
static void fill_level(const struct stree *tree, unsigned level, uint64_t leaves)
{
	uint64_t *word = tree->words + tree->first[level] * NODE_KEYS;
	for (uint64_t which = 0; which < tree->nodes[level]; which++)
		for (uint64_t k = 0; k < NODE_KEYS; k++) {
			uint64_t child = which * CHILDREN + k + 1;
			*word++ = key_or_none(tree, child * leaves * NODE_KEYS);
		}
}

static int build(const struct structures_shape *shape, unsigned char *memory, uint64_t key,
		 void **root, struct fathom_error *error)
{
	struct stree *tree = structures_root(sizeof(*tree), error);
	(void)key;
	if (!tree)
		return -1;
	*tree = plan(shape->keys, memory);
	for (uint64_t k = 0; k < tree->nodes[0] * NODE_KEYS; k++)
		tree->words[tree->first[0] * NODE_KEYS + k] = key_or_none(tree, k);
	for (uint64_t k = 0; k < tree->keys; k++)
		tree->values[k] = value_of(key_of(STRUCTURES_ODD, k));
	uint64_t leaves = 1;
	for (unsigned level = 1; level < tree->levels; level++, leaves *= CHILDREN)
		fill_level(tree, level, leaves);
	*root = tree;
	return 0;
}

OPERATE_INLINE void stree_begin(const void *root, struct cursor *cursor)
{
	const struct stree *tree = root;
	cursor->left = tree->levels;
	cursor->value = 0; /* the node, of its level */
}

OPERATE_INLINE bool stree_step(const void *root, struct cursor *cursor)
{
	const struct stree *tree = root;
	unsigned level = (unsigned)--cursor->left;
	const uint64_t *words = tree->words + (tree->first[level] + cursor->value) * NODE_KEYS;
	uint64_t rank = 0; /* keys that are not greater */
	for (unsigned k = 0; k < NODE_KEYS; k++)
		rank += words[k] <= cursor->key;
	if (level > 0) {
		cursor->value = cursor->value * CHILDREN + rank;
		return true;
	}
	uint64_t which = cursor->value * NODE_KEYS + rank - 1;
	cursor->value =
		rank && words[rank - 1] == cursor->key ? tree->values[which] : STRUCTURES_ABSENT;
	return false;
}

OPERATIONS(stree, STRUCTURES_ODD, ((const struct stree *)root)->keys)

const struct structures_kind kind_stree = {
	.name = "stree",
	.keys = STRUCTURES_ODD,
	.memory_bytes = memory_bytes,
	.build = build,
	OPERATIONS_OF(stree),
};
