/* An array of elements, in order and by their index. */
#include "kernels/branch.h"
#include "structures/kinds.h"
#include "structures/operate.h"

struct array {
	struct element *elements;
	uint64_t count;
};

static int build(const struct structures_shape *shape, unsigned char *memory, uint64_t key,
		 void **root, struct fathom_error *error)
{
	struct array *array = structures_root(sizeof(*array), error);
	(void)key;
	if (!array)
		return -1;
	*array = (struct array){(struct element *)memory, shape->keys};
	for (uint64_t k = 0; k < array->count; k++)
		array->elements[k] = (struct element){k, value_of(k)};
	*root = array;
	return 0;
}

OPERATE_INLINE void random_begin(const void *root, struct cursor *cursor)
{
	(void)root, (void)cursor;
}

OPERATE_INLINE bool random_step(const void *root, struct cursor *cursor)
{
	const struct array *array = root;
	cursor->value =
		cursor->key < array->count ? array->elements[cursor->key].value : STRUCTURES_ABSENT;
	return false;
}

OPERATIONS(random, STRUCTURES_DENSE, ((const struct array *)root)->count)

const struct structures_kind kind_array_random = {
	.name = "array-random",
	.keys = STRUCTURES_DENSE,
	.memory_bytes = structures_element_bytes,
	.build = build,
	OPERATIONS_OF(random),
};

/* ---- the window ---- */

#define window_begin random_begin
OPERATE_INLINE bool window_step(const void *root, struct cursor *cursor)
{
	random_step(root, cursor);
	_Static_assert(STRUCTURES_WINDOW_WAITING == BRANCH_WAITING, "as many");
	cursor->value = branch_waits(cursor->value);
	return false;
}

OPERATIONS(window, STRUCTURES_DENSE, ((const struct array *)root)->count)

const struct structures_kind structures_window = {
	.name = "window",
	.keys = STRUCTURES_DENSE,
	.memory_bytes = structures_element_bytes,
	.build = build,
	OPERATIONS_OF(window),
};

/* ---- in order ---- */

/* From where the last run ended, round and round. */
static uint64_t walk(void *root, struct structures_requests *requests, uint64_t count,
		     unsigned together)
{
	const struct array *array = root;
	uint64_t sum = 0, at = requests->state;
	(void)together;
	while (count > 0) {
		uint64_t part = count < array->count - at ? count : array->count - at;
		for (const struct element *one = &array->elements[at], *end = one + part; one < end;
		     one++)
			sum += one->key + one->value;
		at = at + part == array->count ? 0 : at + part;
		count -= part;
	}
	requests->state = at;
	return sum;
}

static uint64_t expect(void *root, struct structures_requests *requests, uint64_t count,
		       unsigned together)
{
	const struct array *array = root;
	uint64_t sum = 0;
	(void)together;
	for (; count > 0; count--) {
		sum += requests->state + value_of(requests->state);
		requests->state = requests->state + 1 == array->count ? 0 : requests->state + 1;
	}
	return sum;
}

const struct structures_kind kind_array = {
	.name = "array",
	.keys = STRUCTURES_DENSE,
	.memory_bytes = structures_element_bytes,
	.build = build,
	.run = {[FATHOM_PREDICT_INDEPENDENT] = walk},
	.expect = expect,
};
