/* A hash join of two tables of as many tuples, whose keys are the same. Both are partitioned; then,
 * part after part, a hash table is built of the tuples of the one, and asked for those of the
 * other. A run makes an equal share of each of these phases: as a pass writes what the pass before
 * it wrote to the same places, all parts are whole at any time. */
#include <math.h>
#include <stdlib.h>

#include "base/error.h"
#include "structures/kinds.h"
#include "structures/partition.h"

#define JOIN_MULTIPLIER                                                                            \
	0xc4ceb9fe1a85ec53 /* odd (MurmurHash3): of a part, the other hash is alike */
#define PLACES_A_TUPLE 2   /* of a part's table */
#define DEVIATIONS     16  /* that a part is larger than the others, at most */

struct join {
	struct partition built, asked;
	uint64_t stride; /* the k-th tuple that is asked for has the key k * stride, modulo all */
	struct element *table;
	uint64_t room; /* in it */
};

static uint64_t room_of(const struct structures_shape *shape)
{
	double mean = (double)shape->keys / shape->fanout;
	uint64_t tuples = (uint64_t)(mean + DEVIATIONS * (sqrt(mean) + 1));
	return PLACES_A_TUPLE * (tuples < shape->keys ? tuples : shape->keys) + 1;
}

static uint64_t memory_bytes(const struct structures_shape *shape)
{
	return 4 * structures_element_bytes(shape) + room_of(shape) * sizeof(struct element);
}

/* Near the golden section, so that keys which follow each other are far apart. */
static uint64_t find_stride(uint64_t keys)
{
	uint64_t stride = (uint64_t)(0.6180339887498949 * (double)keys) + 1;
	for (;; stride++) {
		uint64_t a = keys, b = stride;
		while (b) {
			uint64_t rest = a % b;
			a = b;
			b = rest;
		}
		if (a == 1)
			return stride;
	}
}

static uint64_t asked_key(const struct join *join, uint64_t k)
{
	unsigned __int128 product = (unsigned __int128)k * join->stride;
	return key_of(STRUCTURES_SCATTERED, (uint64_t)(product % join->asked.keys));
}

/* All parts, and places of the table where their tuples are. */
static bool has_room(const struct join *join)
{
	for (uint64_t part = 0; part < join->built.parts; part++)
		if (PLACES_A_TUPLE *
			    (partition_end(&join->built, part) - join->built.starts[part]) >=
		    join->room)
			return false;
	return true;
}

static int build(const struct structures_shape *shape, unsigned char *memory, uint64_t key,
		 void **root, struct fathom_error *error)
{
	uint64_t places = partition_places_bytes(shape->fanout);
	struct join *join = structures_root(sizeof(*join) + 2 * places, error);
	(void)key;
	if (!join)
		return -1;
	struct element *elements = (struct element *)memory;
	struct partition *sides[] = {&join->built, &join->asked};
	join->stride = find_stride(shape->keys);
	join->table = elements + 4 * shape->keys;
	join->room = room_of(shape);
	memset(join->table, 0, join->room * sizeof(*join->table));
	for (unsigned side = 0; side < 2; side++) {
		struct partition *one = sides[side];
		one->from = elements + 2 * side * shape->keys;
		one->to = one->from + shape->keys;
		one->keys = shape->keys;
		one->parts = shape->fanout;
		for (uint64_t k = 0; k < shape->keys; k++) {
			uint64_t own = side ? asked_key(join, k) : key_of(STRUCTURES_SCATTERED, k);
			one->from[k] = (struct element){own, value_of(own)};
		}
		partition_find_starts(one, (uint64_t *)((char *)(join + 1) + side * places));
		partition_run(one, 0, shape->keys);
	}
	if (has_room(join)) {
		*root = join;
		return 0;
	}
	free(join);
	return error_set(error, FATHOM_FAILED, "ask for another --fanout",
			 "a part of a join of %llu keys has more than its share",
			 (unsigned long long)shape->keys);
}

OPERATE_INLINE struct element *place_in(const struct join *join, uint64_t key, uint64_t places)
{
	struct element *place = &join->table[hash_place(key, JOIN_MULTIPLIER, places)];
	while (place->key && place->key != key)
		place = place + 1 == join->table + places ? join->table : place + 1;
	return place;
}

/* In which part the tuple at this place is. */
static uint64_t part_at(const struct partition *partition, uint64_t at)
{
	uint64_t low = 0, high = partition->parts;
	while (high - low > 1) {
		uint64_t middle = (low + high) / 2;
		if (partition->starts[middle] <= at)
			low = middle;
		else
			high = middle;
	}
	return low;
}

/* What is left of a part, but no more than so many halves of an operation: its tuples from `done`
 * on, which are those that build the table, then those that it is asked for. */
OPERATE_INLINE uint64_t join_part(struct join *join, uint64_t part, uint64_t done, uint64_t halves,
				  uint64_t *sum)
{
	uint64_t start = join->built.starts[part];
	uint64_t tuples = partition_end(&join->built, part) - start,
		 places = PLACES_A_TUPLE * tuples;
	uint64_t end = halves < 2 * tuples - done ? done + halves : 2 * tuples, found = 0;
	if (done == 0)
		memset(join->table, 0, places * sizeof(*join->table));
	for (uint64_t k = done; k < end && k < tuples; k++) {
		const struct element *tuple = &join->built.to[start + k];
		*place_in(join, tuple->key, places) = *tuple;
	}
	for (uint64_t k = done > tuples ? done : tuples; k < end; k++) {
		uint64_t key = join->asked.to[start + k - tuples].key;
		const struct element *place = place_in(join, key, places);
		found += place->key == key ? place->value : STRUCTURES_ABSENT;
	}
	*sum += found;
	return end - done;
}

/* From where the last run ended. */
static uint64_t run(void *root, struct structures_requests *requests, uint64_t count,
		    unsigned together)
{
	struct join *join = root;
	uint64_t at = requests->state, keys = join->built.keys;
	uint64_t sum = partition_run(&join->built, at, count);
	(void)together;
	sum += partition_run(&join->asked, at, count);
	for (uint64_t half = 2 * at, left = 2 * count; left > 0;) {
		uint64_t part = part_at(&join->built, half / 2);
		uint64_t made =
			join_part(join, part, half - 2 * join->built.starts[part], left, &sum);
		left -= made;
		half = half + made == 2 * keys ? 0 : half + made;
	}
	requests->state = (at + count) % keys;
	return sum;
}

static uint64_t expect(void *root, struct structures_requests *requests, uint64_t count,
		       unsigned together)
{
	const struct join *join = root;
	uint64_t sum = 0, keys = join->built.keys;
	(void)together;
	for (; count > 0; count--) {
		uint64_t at = requests->state;
		sum += value_of(key_of(STRUCTURES_SCATTERED, at)) + value_of(asked_key(join, at));
		for (uint64_t half = 2 * at; half < 2 * at + 2; half++) {
			uint64_t part = part_at(&join->built, half / 2);
			uint64_t start = join->built.starts[part];
			uint64_t end = partition_end(&join->built, part);
			if (half >= start + end) /* asked for: behind as many that were built */
				sum += value_of(join->asked.to[half - end].key);
		}
		requests->state = at + 1 == keys ? 0 : at + 1;
	}
	return sum;
}

/* Among the tuples that are asked for. */
static uint64_t find(const void *root, uint64_t key)
{
	return partition_find(&((const struct join *)root)->asked, key);
}

const struct structures_kind kind_hash_join = {
	.name = "hash-join",
	.keys = STRUCTURES_SCATTERED,
	.memory_bytes = memory_bytes,
	.build = build,
	.find = find,
	.run = {[FATHOM_PREDICT_INDEPENDENT] = run},
	.expect = expect,
};
