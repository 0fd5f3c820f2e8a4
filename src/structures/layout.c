#include <stdlib.h>

#include "base/error.h"
#include "structures/operate.h"

void *structures_root(size_t bytes, struct fathom_error *error)
{
	void *root = calloc(1, bytes);
	if (!root)
		error_no_memory(error);
	return root;
}

uint64_t structures_element_bytes(const struct structures_shape *shape)
{
	return shape->keys * sizeof(struct element);
}

void structures_fill_sorted(struct element *elements, uint64_t count)
{
	for (uint64_t k = 0; k < count; k++)
		elements[k] = (struct element){key_of(STRUCTURES_ODD, k),
					       value_of(key_of(STRUCTURES_ODD, k))};
}
