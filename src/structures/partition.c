/* A pass of a radix sort. */
#include "structures/partition.h"

#include "base/error.h"
#include "structures/kinds.h"

static uint64_t memory_bytes(const struct structures_shape *shape)
{
	return 2 * structures_element_bytes(shape);
}

static int build(const struct structures_shape *shape, unsigned char *memory, uint64_t key,
		 void **root, struct fathom_error *error)
{
	struct partition *partition =
		structures_root(sizeof(*partition) + partition_places_bytes(shape->fanout), error);
	(void)key;
	if (!partition)
		return -1;
	partition->from = (struct element *)memory;
	partition->to = partition->from + shape->keys;
	partition->keys = shape->keys;
	partition->parts = shape->fanout;
	for (uint64_t k = 0; k < partition->keys; k++) {
		uint64_t own = key_of(STRUCTURES_SCATTERED, k);
		partition->from[k] = (struct element){own, value_of(own)};
	}
	memset(partition->to, 0, partition->keys * sizeof(*partition->to));
	partition_find_starts(partition, (uint64_t *)(partition + 1));
	*root = partition;
	return 0;
}

/* From where the last run ended. */
static uint64_t run(void *root, struct structures_requests *requests, uint64_t count,
		    unsigned together)
{
	struct partition *partition = root;
	uint64_t sum = partition_run(partition, requests->state, count);
	(void)together;
	requests->state = (requests->state + count) % partition->keys;
	return sum;
}

static uint64_t expect(void *root, struct structures_requests *requests, uint64_t count,
		       unsigned together)
{
	const struct partition *partition = root;
	uint64_t sum = 0;
	(void)together;
	for (; count > 0; count--) {
		sum += value_of(key_of(STRUCTURES_SCATTERED, requests->state));
		requests->state = requests->state + 1 == partition->keys ? 0 : requests->state + 1;
	}
	return sum;
}

static uint64_t find(const void *root, uint64_t key)
{
	return partition_find(root, key);
}

const struct structures_kind kind_radix_partition = {
	.name = "radix-partition",
	.keys = STRUCTURES_SCATTERED,
	.memory_bytes = memory_bytes,
	.build = build,
	.find = find,
	.run = {[FATHOM_PREDICT_INDEPENDENT] = run},
	.expect = expect,
};
