/* Binary search trees whose nodes, of 32 bytes, lie in random order: balanced, or as keys that are
 * inserted in random order make them. */
#include "base/rng.h"
#include "kernels/permutation.h"
#include "structures/kinds.h"
#include "structures/operate.h"

struct node {
	uint64_t key, value;
	const struct node *children[2]; /* of lesser, and of greater keys */
};

struct tree {
	struct node *nodes, *root;
	uint64_t keys, taken;
	struct permutation order;
	struct rng *rng; /* while it grows at random; NULL: balanced */
};

/* Of the keys [from, to). Which of them is inserted first is as likely each, and the others go to
 * either side: the same trees as of insertion, without searching. Its depth is a few times the
 * logarithm. */
static struct node *grow(struct tree *tree, uint64_t from, uint64_t to)
{
	if (from >= to)
		return NULL;
	uint64_t middle = from + (tree->rng ? rng_below(tree->rng, to - from) : (to - from) / 2);
	struct node *node = &tree->nodes[permutation_forward(&tree->order, tree->taken++)];
	node->key = key_of(STRUCTURES_ODD, middle);
	node->value = value_of(node->key);
	node->children[0] = grow(tree, from, middle);
	node->children[1] = grow(tree, middle + 1, to);
	return node;
}

static int build(const struct structures_shape *shape, unsigned char *memory, uint64_t key,
		 struct rng *rng, void **root, struct fathom_error *error)
{
	struct tree *tree = structures_root(sizeof(*tree), error);
	if (!tree)
		return -1;
	*tree = (struct tree){.nodes = (struct node *)memory,
			      .keys = shape->keys,
			      .order = permutation_make(shape->keys, key),
			      .rng = rng};
	tree->root = grow(tree, 0, tree->keys);
	tree->rng = NULL;
	*root = tree;
	return 0;
}

static int build_balanced(const struct structures_shape *shape, unsigned char *memory, uint64_t key,
			  void **root, struct fathom_error *error)
{
	return build(shape, memory, key, NULL, root, error);
}

static int build_random(const struct structures_shape *shape, unsigned char *memory, uint64_t key,
			void **root, struct fathom_error *error)
{
	struct rng rng = rng_make(key);
	return build(shape, memory, key, &rng, root, error);
}

static uint64_t memory_bytes(const struct structures_shape *shape)
{
	return shape->keys * sizeof(struct node);
}

OPERATE_INLINE void tree_begin(const void *root, struct cursor *cursor)
{
	cursor->at = (const unsigned char *)((const struct tree *)root)->root;
}

/* Which child is an index, not a branch. */
OPERATE_INLINE bool tree_step(const void *root, struct cursor *cursor)
{
	const struct node *node = (const struct node *)cursor->at;
	(void)root;
	if (!node || node->key == cursor->key) {
		cursor->value = node ? node->value : STRUCTURES_ABSENT;
		return false;
	}
	cursor->at = (const unsigned char *)node->children[node->key < cursor->key];
	return true;
}

OPERATIONS(tree, STRUCTURES_ODD, ((const struct tree *)root)->keys)

const struct structures_kind kind_bst = {
	.name = "bst",
	.keys = STRUCTURES_ODD,
	.memory_bytes = memory_bytes,
	.build = build_balanced,
	OPERATIONS_OF(tree),
};

const struct structures_kind kind_bst_random = {
	.name = "bst-random",
	.keys = STRUCTURES_ODD,
	.memory_bytes = memory_bytes,
	.build = build_random,
	OPERATIONS_OF(tree),
};
