/* Tuples that go to the end of the part that a hash of their key names: the pass of a radix sort.
 */
#pragma once

#include <string.h>

#include "structures/hashing.h"

struct partition {
	struct element *from, *to;
	uint64_t keys, parts;
	uint64_t *starts, *ends; /* of each part, in `to`; so far */
};

/* Of `starts` and `ends`. */
OPERATE_INLINE uint64_t partition_places_bytes(uint64_t parts)
{
	return 2 * parts * sizeof(uint64_t);
}

OPERATE_INLINE uint64_t partition_of(const struct partition *partition, uint64_t key)
{
	return hash_place(key, HASH_MULTIPLIER, partition->parts);
}

OPERATE_INLINE void partition_begin(struct partition *partition)
{
	memcpy(partition->ends, partition->starts, partition->parts * sizeof(*partition->ends));
}

/* Where each part begins; `places` has room for `starts` and `ends`, and is 0. */
OPERATE_INLINE void partition_find_starts(struct partition *partition, uint64_t *places)
{
	uint64_t sum = 0;
	partition->starts = places;
	partition->ends = places + partition->parts;
	for (uint64_t k = 0; k < partition->keys; k++)
		partition->ends[partition_of(partition, partition->from[k].key)]++;
	for (uint64_t part = 0; part < partition->parts; part++) {
		partition->starts[part] = sum;
		sum += partition->ends[part];
	}
	partition_begin(partition);
}

/* Behind its last tuple. */
OPERATE_INLINE uint64_t partition_end(const struct partition *partition, uint64_t part)
{
	return part + 1 < partition->parts ? partition->starts[part + 1] : partition->keys;
}

/* The value of a key's tuple, in the part that it is in. */
OPERATE_INLINE uint64_t partition_find(const struct partition *partition, uint64_t key)
{
	uint64_t part = partition_of(partition, key);
	for (uint64_t k = partition->starts[part]; k < partition_end(partition, part); k++)
		if (partition->to[k].key == key)
			return partition->to[k].value;
	return STRUCTURES_ABSENT;
}

/* So many tuples from `at` on; at the first one all over again. Returns the sum of their values. */
OPERATE_INLINE uint64_t partition_run(struct partition *partition, uint64_t at, uint64_t count)
{
	uint64_t sum = 0;
	if (at == 0) /* wherever the run before ended */
		partition_begin(partition);
	for (; count > 0; count--) {
		const struct element *tuple = &partition->from[at];
		partition->to[partition->ends[partition_of(partition, tuple->key)]++] = *tuple;
		sum += tuple->value;
		if (++at == partition->keys) {
			at = 0;
			partition_begin(partition);
		}
	}
	return sum;
}
