/* A radix tree of dense keys: a node has a pointer for each value of some bits, and the last ones
 * have the values. Nodes of a level are side by side. */
#include "structures/kinds.h"
#include "structures/operate.h"

#define MOST_LEVELS 40

struct radix {
	uint64_t *words;
	uint64_t keys, mask;
	uint64_t slots[MOST_LEVELS]; /* pointers of a level, from the values up: whole nodes are not
				      * filled up */
	uint64_t first[MOST_LEVELS]; /* where a level begins, in words; the root's is 0 */
	unsigned levels, bits;
};

static struct radix plan(const struct structures_shape *shape, unsigned char *memory)
{
	struct radix tree = {.words = (uint64_t *)memory,
			     .keys = shape->keys,
			     .mask = ((uint64_t)1 << shape->span_bits) - 1,
			     .bits = shape->span_bits};
	for (uint64_t count = shape->keys; tree.levels < MOST_LEVELS;
	     count = (count + tree.mask) >> tree.bits) {
		if (tree.levels && count == 1)
			break;
		tree.slots[tree.levels++] = count;
	}
	for (unsigned level = tree.levels - 1; level-- > 0;)
		tree.first[level] = tree.first[level + 1] + tree.slots[level + 1];
	return tree;
}

static uint64_t memory_bytes(const struct structures_shape *shape)
{
	struct radix tree = plan(shape, NULL);
	return (tree.first[0] + tree.slots[0]) * sizeof(uint64_t);
}

static int build(const struct structures_shape *shape, unsigned char *memory, uint64_t key,
		 void **root, struct fathom_error *error)
{
	struct radix *tree = structures_root(sizeof(*tree), error);
	(void)key;
	if (!tree)
		return -1;
	*tree = plan(shape, memory);
	for (uint64_t k = 0; k < tree->keys; k++)
		tree->words[tree->first[0] + k] = value_of(k);
	for (unsigned level = 1; level < tree->levels; level++)
		for (uint64_t k = 0; k < tree->slots[level]; k++)
			tree->words[tree->first[level] + k] =
				(uintptr_t)(tree->words + tree->first[level - 1] +
					    (k << tree->bits));
	*root = tree;
	return 0;
}

OPERATE_INLINE void radix_begin(const void *root, struct cursor *cursor)
{
	const struct radix *tree = root;
	cursor->at = (const unsigned char *)tree->words;
	cursor->left = (uint64_t)(tree->levels - 1) * tree->bits;
}

OPERATE_INLINE bool radix_step(const void *root, struct cursor *cursor)
{
	const struct radix *tree = root;
	const uint64_t *node = (const uint64_t *)cursor->at;
	if (cursor->key >= tree->keys) {
		cursor->value = STRUCTURES_ABSENT;
		return false;
	}
	uint64_t word = node[(cursor->key >> cursor->left) & tree->mask];
	if (cursor->left == 0) {
		cursor->value = word;
		return false;
	}
	cursor->at = (const unsigned char *)(uintptr_t)word;
	cursor->left -= tree->bits;
	return true;
}

OPERATIONS(radix, STRUCTURES_DENSE, ((const struct radix *)root)->keys)

const struct structures_kind kind_radix_tree = {
	.name = "radix-tree",
	.keys = STRUCTURES_DENSE,
	.memory_bytes = memory_bytes,
	.build = build,
	OPERATIONS_OF(radix),
};
