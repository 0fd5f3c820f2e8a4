/* A pass of a radix sort: tuples go to the end of the part that bits of their key name. */
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "structures/kinds.h"
#include "structures/operate.h"

struct partition {
	struct element *from, *to;
	uint64_t keys, parts;
	uint64_t *starts, *ends; /* of each part, in `to`; behind this struct */
};

static uint64_t memory_bytes(const struct structures_shape *shape)
{
	return 2 * structures_element_bytes(shape);
}

OPERATE_INLINE uint64_t part_of(const struct partition *partition, uint64_t key)
{
	return scaled(key << 32, partition->parts); /* the lower half of a key is mixed */
}

static void find_starts(struct partition *partition)
{
	uint64_t sum = 0;
	for (uint64_t k = 0; k < partition->keys; k++)
		partition->ends[part_of(partition, partition->from[k].key)]++;
	for (uint64_t part = 0; part < partition->parts; part++) {
		partition->starts[part] = sum;
		sum += partition->ends[part];
	}
}

static void begin_anew(struct partition *partition)
{
	memcpy(partition->ends, partition->starts, partition->parts * sizeof(*partition->ends));
}

static int build(const struct structures_shape *shape, unsigned char *memory, uint64_t key,
		 void **root, struct fathom_error *error)
{
	struct partition *partition =
		structures_root(sizeof(*partition) + 2 * sizeof(uint64_t) * shape->fanout, error);
	(void)key;
	if (!partition)
		return -1;
	partition->from = (struct element *)memory;
	partition->to = partition->from + shape->keys;
	partition->keys = shape->keys;
	partition->parts = shape->fanout;
	partition->starts = (uint64_t *)(partition + 1);
	partition->ends = partition->starts + partition->parts;
	for (uint64_t k = 0; k < partition->keys; k++) {
		uint64_t own = key_of(STRUCTURES_SCATTERED, k);
		partition->from[k] = (struct element){own, value_of(own)};
	}
	memset(partition->to, 0, partition->keys * sizeof(*partition->to));
	find_starts(partition);
	begin_anew(partition);
	*root = partition;
	return 0;
}

/* From where the last run ended; after the last tuple all over again. */
static uint64_t run(void *root, struct structures_requests *requests, uint64_t count,
		    unsigned together)
{
	struct partition *partition = root;
	uint64_t sum = 0, at = requests->state;
	(void)together;
	for (; count > 0; count--) {
		const struct element *tuple = &partition->from[at];
		partition->to[partition->ends[part_of(partition, tuple->key)]++] = *tuple;
		sum += tuple->value;
		if (++at == partition->keys) {
			at = 0;
			begin_anew(partition);
		}
	}
	requests->state = at;
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

/* In which part a key ended up; the value of its tuple. */
static uint64_t find(const void *root, uint64_t key)
{
	const struct partition *partition = root;
	uint64_t part = part_of(partition, key);
	uint64_t end = part + 1 < partition->parts ? partition->starts[part + 1] : partition->keys;
	for (uint64_t k = partition->starts[part]; k < end; k++)
		if (partition->to[k].key == key)
			return partition->to[k].value;
	return STRUCTURES_ABSENT;
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
