/* A linked list of nodes of 32 bytes, in the order of their addresses or in random order: a cycle,
 * of which a run comes to the node that it ends at. */
#include "kernels/branch.h"
#include "kernels/permutation.h"
#include "structures/kinds.h"
#include "structures/operate.h"

struct node {
	struct node *next;
	uint64_t key, value, unused; /* malloc gives multiples of 16 */
};

struct list {
	struct node *nodes;
	uint64_t count;
	bool shuffled;
	struct permutation order;
	uint64_t starts[STRUCTURES_TOGETHER]; /* of several walks, how far on each is */
	uint64_t position;                    /* of the one walk */
};

/* The node after so many steps. */
static uint64_t node_at(const struct list *list, uint64_t position)
{
	uint64_t at = position % list->count;
	return list->shuffled ? permutation_forward(&list->order, at) : at;
}

static int build(const struct structures_shape *shape, unsigned char *memory, uint64_t key,
		 bool shuffled, void **root, struct fathom_error *error)
{
	struct list *list = structures_root(sizeof(*list), error);
	if (!list)
		return -1;
	*list = (struct list){.nodes = (struct node *)memory,
			      .count = shape->keys,
			      .shuffled = shuffled,
			      .order = permutation_make(shape->keys, key)};
	uint64_t at = node_at(list, 0);
	for (uint64_t position = 0; position < list->count; position++) {
		uint64_t next = node_at(list, position + 1);
		list->nodes[at] =
			(struct node){.next = &list->nodes[next], .key = at, .value = value_of(at)};
		at = next;
	}
	for (uint64_t i = 0; i < STRUCTURES_TOGETHER; i++)
		list->starts[i] = i * list->count / STRUCTURES_TOGETHER;
	*root = list;
	return 0;
}

static int build_in_order(const struct structures_shape *shape, unsigned char *memory, uint64_t key,
			  void **root, struct fathom_error *error)
{
	return build(shape, memory, key, false, root, error);
}

static int build_shuffled(const struct structures_shape *shape, unsigned char *memory, uint64_t key,
			  void **root, struct fathom_error *error)
{
	return build(shape, memory, key, true, root, error);
}

static uint64_t memory_bytes(const struct structures_shape *shape)
{
	return shape->keys * sizeof(struct node);
}

static uint64_t walk(void *root, struct structures_requests *requests, uint64_t count,
		     unsigned together)
{
	struct list *list = root;
	const struct node *node = &list->nodes[node_at(list, list->position)];
	(void)requests, (void)together;
	for (uint64_t i = 0; i < count; i++)
		node = node->next;
	return node->value;
}

/* Several walks round the same cycle, far from each other. */
static uint64_t walk_several(void *root, struct structures_requests *requests, uint64_t count,
			     unsigned together)
{
	struct list *list = root;
	const struct node *nodes[STRUCTURES_TOGETHER];
	uint64_t sum = 0;
	(void)requests;
	for (unsigned k = 0; k < together; k++)
		nodes[k] = &list->nodes[node_at(list, list->starts[k])];
	for (uint64_t i = 0; i < count; i += together)
		for (unsigned k = 0; k < together; k++) /* two in a vector would wait for both */
			nodes[k] = branch_alone(nodes[k]->next);
	for (unsigned k = 0; k < together; k++)
		sum += nodes[k]->value;
	return sum;
}

/* After the run: it begins where the one before ended. */
static uint64_t expect(void *root, struct structures_requests *requests, uint64_t count,
		       unsigned together)
{
	struct list *list = root;
	uint64_t sum = 0;
	(void)requests;
	if (together == 1) {
		list->position = (list->position + count) % list->count;
		return value_of(node_at(list, list->position));
	}
	for (unsigned k = 0; k < together; k++) {
		list->starts[k] = (list->starts[k] + count / together) % list->count;
		sum += value_of(node_at(list, list->starts[k]));
	}
	return sum;
}

#define WALKS                                                                                      \
	.run = {[FATHOM_PREDICT_DEPENDENT] = walk, [FATHOM_PREDICT_INTERLEAVED] = walk_several},   \
	.expect = expect

const struct structures_kind kind_list = {
	.name = "list",
	.keys = STRUCTURES_DENSE,
	.memory_bytes = memory_bytes,
	.build = build_in_order,
	WALKS,
};

const struct structures_kind kind_list_shuffled = {
	.name = "list-shuffled",
	.keys = STRUCTURES_DENSE,
	.memory_bytes = memory_bytes,
	.build = build_shuffled,
	WALKS,
};
