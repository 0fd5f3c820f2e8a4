/* From the two functions of a structure, how a lookup begins and what its next step is, its loops:
 * one lookup after the other, whose key waits for the value before or does not, and several at a
 * time, step by step. OPERATIONS defines those of a structure. */
#pragma once

#include "structures/structures.h"

struct element {
	uint64_t key, value;
};

/* A lookup that is under way. */
struct cursor {
	uint64_t key, value;     /* asked for; found, once it has ended */
	const unsigned char *at; /* whatever the structure puts here */
	uint64_t left;
};

#define OPERATE_INLINE static inline __attribute__((always_inline))

OPERATE_INLINE uint64_t scatter(uint64_t k)
{
	uint64_t mixed = (k + 1) * 0x9e3779b97f4a7c15; /* odd: no two have the same */
	return mixed ^ mixed >> 32;
}

OPERATE_INLINE uint64_t key_of(enum structures_keys keys, uint64_t k)
{
	return keys == STRUCTURES_DENSE ? k : keys == STRUCTURES_ODD ? 2 * k + 1 : scatter(k);
}

OPERATE_INLINE uint64_t value_of(uint64_t key)
{
	return (key * 0xd1342543de82ef95) >> 1;
}

/* In [0, count): the high half of a product. */
OPERATE_INLINE uint64_t scaled(uint64_t word, uint64_t count)
{
	return (uint64_t)(((unsigned __int128)word * count) >> 64);
}

/* Which is asked for next: a Weyl sequence, whose high half is mixed into the low one, then both by
 * a product (the constants of Steele, Lea and Flood 2014). The next state is there after an
 * addition. */
OPERATE_INLINE uint64_t next_request(struct structures_requests *requests, uint64_t count)
{
	requests->state += 0x9e3779b97f4a7c15;
	return scaled((requests->state ^ requests->state >> 32) * 0xbf58476d1ce4e5b9, count);
}

typedef void operate_begin(const void *root, struct cursor *cursor);
/* false: it has ended. */
typedef bool operate_step(const void *root, struct cursor *cursor);

OPERATE_INLINE uint64_t operate_find(const void *root, uint64_t key, operate_begin *begin,
				     operate_step *step)
{
	struct cursor cursor = {.key = key};
	begin(root, &cursor);
	while (step(root, &cursor))
		;
	return cursor.value;
}

/* No value has its highest bit set, which the core does not know: where it counts, the next key is
 * there no sooner than the value. A comparison of it would be guessed. */
OPERATE_INLINE uint64_t operate_one(const void *root, struct structures_requests *requests,
				    uint64_t keys, uint64_t count, enum structures_keys kind,
				    bool dependent, operate_begin *begin, operate_step *step)
{
	struct structures_requests own = *requests; /* which nothing else can change */
	uint64_t sum = 0, value = 0;
	for (uint64_t i = 0; i < count; i++) {
		uint64_t key = key_of(kind, next_request(&own, keys));
		value = operate_find(root, key + (dependent ? value >> 63 : 0), begin, step);
		sum += value;
	}
	*requests = own;
	return sum;
}

/* One whose turn finds that it has ended makes room for the next one: the loop goes on, whatever
 * the operations do. */
OPERATE_INLINE uint64_t operate_several(const void *root, struct structures_requests *requests,
					uint64_t keys, uint64_t count, unsigned together,
					enum structures_keys kind, operate_begin *begin,
					operate_step *step)
{
	struct structures_requests own = *requests;
	struct cursor cursors[STRUCTURES_TOGETHER];
	unsigned live = (unsigned)(count < together ? count : together);
	uint64_t sum = 0, waiting = count - live;
	for (unsigned k = 0; k < live; k++) {
		cursors[k].key = key_of(kind, next_request(&own, keys));
		begin(root, &cursors[k]);
	}
	for (unsigned k = 0; live > 0; k = k + 1 < live ? k + 1 : 0) {
		if (step(root, &cursors[k]))
			continue;
		sum += cursors[k].value;
		if (waiting == 0) {
			cursors[k] = cursors[--live];
			continue;
		}
		waiting--;
		cursors[k].key = key_of(kind, next_request(&own, keys));
		begin(root, &cursors[k]);
	}
	*requests = own;
	return sum;
}

/* `keys_in` is an expression of `root` for the number of keys. */
#define OPERATIONS(name, kind, keys_in)                                                            \
	static uint64_t name##_find(const void *root, uint64_t key)                                \
	{                                                                                          \
		return operate_find(root, key, name##_begin, name##_step);                         \
	}                                                                                          \
	static uint64_t name##_dependent(void *root, struct structures_requests *requests,         \
					 uint64_t count, unsigned together)                        \
	{                                                                                          \
		(void)together;                                                                    \
		return operate_one(root, requests, keys_in, count, kind, true, name##_begin,       \
				   name##_step);                                                   \
	}                                                                                          \
	static uint64_t name##_independent(void *root, struct structures_requests *requests,       \
					   uint64_t count, unsigned together)                      \
	{                                                                                          \
		(void)together;                                                                    \
		return operate_one(root, requests, keys_in, count, kind, false, name##_begin,      \
				   name##_step);                                                   \
	}                                                                                          \
	static uint64_t name##_interleaved(void *root, struct structures_requests *requests,       \
					   uint64_t count, unsigned together)                      \
	{                                                                                          \
		return operate_several(root, requests, keys_in, count, together, kind,             \
				       name##_begin, name##_step);                                 \
	}

#define OPERATIONS_OF(name)                                                                        \
	.find = name##_find, .run = {name##_dependent, name##_independent, name##_interleaved}

/* ---- building: layout.c ---- */

/* Of `bytes`, to be freed by the caller: {0}. NULL: FAILED. */
void *structures_root(size_t bytes, struct fathom_error *error);
/* Memory of so many elements; 0: too much. */
uint64_t structures_element_bytes(const struct structures_shape *shape);
/* Elements of ascending odd keys, with their values. */
void structures_fill_sorted(struct element *elements, uint64_t count);
