/* A sorted array level by level: the children of element k, from 1 on, are 2k and 2k + 1. */
#include "structures/kinds.h"
#include "structures/operate.h"

#define LINE_BYTES 64
/* As many levels below as a line has elements, they stand side by side. */
#define AHEAD (LINE_BYTES / sizeof(struct element))

struct levels {
	struct element *elements; /* from 1 on, so that those side by side begin a line */
	uint64_t count;
};

/* In the order of the keys; `next` of them are placed already. */
static uint64_t fill(struct levels *levels, uint64_t k, uint64_t next)
{
	if (k > levels->count)
		return next;
	next = fill(levels, 2 * k, next);
	uint64_t key = key_of(STRUCTURES_ODD, next++);
	levels->elements[k] = (struct element){key, value_of(key)};
	return fill(levels, 2 * k + 1, next);
}

static uint64_t memory_bytes(const struct structures_shape *shape)
{
	return (shape->keys + 1) * sizeof(struct element);
}

static int build(const struct structures_shape *shape, unsigned char *memory, uint64_t key,
		 void **root, struct fathom_error *error)
{
	struct levels *levels = structures_root(sizeof(*levels), error);
	(void)key;
	if (!levels)
		return -1;
	*levels = (struct levels){(struct element *)memory, shape->keys};
	fill(levels, 1, 0);
	*root = levels;
	return 0;
}

OPERATE_INLINE void begin(const void *root, struct cursor *cursor)
{
	(void)root;
	cursor->left = 1; /* the element */
}

/* Below the last level: the way back up to where it last went left is the first key that is not
 * less. */
OPERATE_INLINE bool end(const struct levels *levels, struct cursor *cursor)
{
	uint64_t k = cursor->left >> (__builtin_ctzll(~cursor->left) + 1);
	const struct element *found = &levels->elements[k ? k : 1];
	cursor->value = found->key == cursor->key ? found->value : STRUCTURES_ABSENT;
	return false;
}

#define plain_begin begin
OPERATE_INLINE bool plain_step(const void *root, struct cursor *cursor)
{
	const struct levels *levels = root;
	uint64_t k = cursor->left;
	if (k > levels->count)
		return end(levels, cursor);
	cursor->left = 2 * k + (levels->elements[k].key < cursor->key);
	return true;
}

OPERATIONS(plain, STRUCTURES_ODD, ((const struct levels *)root)->count)

#define prefetch_begin begin
OPERATE_INLINE bool prefetch_step(const void *root, struct cursor *cursor)
{
	const struct levels *levels = root;
	uint64_t ahead = AHEAD * cursor->left;
	__builtin_prefetch(&levels->elements[ahead < levels->count ? ahead : levels->count]);
	return plain_step(root, cursor);
}

OPERATIONS(prefetch, STRUCTURES_ODD, ((const struct levels *)root)->count)

const struct structures_kind kind_eytzinger = {
	.name = "eytzinger",
	.keys = STRUCTURES_ODD,
	.memory_bytes = memory_bytes,
	.build = build,
	OPERATIONS_OF(plain),
};

const struct structures_kind kind_eytzinger_prefetch = {
	.name = "eytzinger-prefetch",
	.keys = STRUCTURES_ODD,
	.memory_bytes = memory_bytes,
	.build = build,
	OPERATIONS_OF(prefetch),
};
