/* A sorted array of elements, searched by halves: without branches, with them, and asking for both
 * next middles. */
#include "kernels/branch.h"
#include "structures/kinds.h"
#include "structures/operate.h"

struct sorted {
	struct element *elements;
	uint64_t count;
};

static int build(const struct structures_shape *shape, unsigned char *memory, uint64_t key,
		 void **root, struct fathom_error *error)
{
	struct sorted *sorted = structures_root(sizeof(*sorted), error);
	(void)key;
	if (!sorted)
		return -1;
	*sorted = (struct sorted){(struct element *)memory, shape->keys};
	structures_fill_sorted(sorted->elements, sorted->count);
	*root = sorted;
	return 0;
}

/* `at` is the first of `left` elements, of which the last one up to the key is looked for. */
OPERATE_INLINE void begin(const void *root, struct cursor *cursor)
{
	const struct sorted *sorted = root;
	cursor->at = (const unsigned char *)sorted->elements;
	cursor->left = sorted->count;
}

OPERATE_INLINE bool end(struct cursor *cursor)
{
	const struct element *found = (const struct element *)cursor->at;
	cursor->value = found->key == cursor->key ? found->value : STRUCTURES_ABSENT;
	return false;
}

#define branchless_begin begin
OPERATE_INLINE bool branchless_step(const void *root, struct cursor *cursor)
{
	const struct element *first = (const struct element *)cursor->at;
	uint64_t half = cursor->left / 2;
	const struct element *middle = first + half;
	(void)root;
	if (!half)
		return end(cursor);
	cursor->left -= half;
	cursor->at = branch_none(middle->key, cursor->key, middle, first);
	return true;
}

OPERATIONS(branchless, STRUCTURES_ODD, ((const struct sorted *)root)->count)

#define branchy_begin begin
OPERATE_INLINE bool branchy_step(const void *root, struct cursor *cursor)
{
	const struct element *first = (const struct element *)cursor->at;
	uint64_t half = cursor->left / 2;
	(void)root;
	if (!half)
		return end(cursor);
	cursor->left -= half;
	if (first[half].key <= cursor->key) {
		branch_stays();
		cursor->at = (const unsigned char *)&first[half];
	}
	return true;
}

OPERATIONS(branchy, STRUCTURES_ODD, ((const struct sorted *)root)->count)

#define prefetch_begin begin
OPERATE_INLINE bool prefetch_step(const void *root, struct cursor *cursor)
{
	const struct element *first = (const struct element *)cursor->at;
	uint64_t half = cursor->left / 2, quarter = (cursor->left - half) / 2;
	__builtin_prefetch(&first[quarter]);
	__builtin_prefetch(&first[half + quarter]);
	return branchless_step(root, cursor);
}

OPERATIONS(prefetch, STRUCTURES_ODD, ((const struct sorted *)root)->count)

#define SORTED .keys = STRUCTURES_ODD, .memory_bytes = structures_element_bytes, .build = build

const struct structures_kind kind_bsearch = {.name = "bsearch", SORTED, OPERATIONS_OF(branchless)};
const struct structures_kind kind_bsearch_branchy = {
	.name = "bsearch-branchy", SORTED, OPERATIONS_OF(branchy)};
const struct structures_kind kind_bsearch_prefetch = {
	.name = "bsearch-prefetch", SORTED, OPERATIONS_OF(prefetch)};
