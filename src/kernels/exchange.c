#include "kernels/exchange.h"

#define PATIENCE ((uint64_t)1 << 23) /* looks at the word, some ns each */

static inline bool await(exchange_word *word, uint64_t value)
{
	for (uint64_t look = 0; look < PATIENCE; look++)
		if (atomic_load_explicit(word, memory_order_acquire) == value)
			return true;
	return false;
}

static inline bool swap(exchange_word *word, uint64_t from)
{
	for (uint64_t look = 0; look < PATIENCE; look++) {
		uint64_t expected = from;
		if (atomic_compare_exchange_strong_explicit(
			    word, &expected, from + 1, memory_order_acq_rel, memory_order_relaxed))
			return true;
	}
	return false;
}

static inline void store(exchange_word *word, uint64_t value)
{
	atomic_store_explicit(word, value, memory_order_release);
}

bool exchange_store_lead(exchange_word *word, uint64_t from, uint64_t rounds)
{
	for (uint64_t end = from + 2 * rounds; from < end; from += 2) {
		store(word, from + 1);
		if (!await(word, from + 2))
			return false;
	}
	return true;
}

bool exchange_store_follow(exchange_word *word, uint64_t from, uint64_t rounds)
{
	for (uint64_t end = from + 2 * rounds; from < end; from += 2) {
		if (!await(word, from + 1))
			return false;
		store(word, from + 2);
	}
	return true;
}

bool exchange_store_alone(exchange_word *word, uint64_t from, uint64_t rounds)
{
	for (uint64_t end = from + 2 * rounds; from < end; from += 2) {
		store(word, from + 1);
		if (!await(word, from + 1))
			return false;
		store(word, from + 2);
		if (!await(word, from + 2))
			return false;
	}
	return true;
}

/* Ends once the other side has had its last turn, as where words are stored. */
bool exchange_swap_lead(exchange_word *word, uint64_t from, uint64_t rounds)
{
	for (uint64_t end = from + 2 * rounds; from < end; from += 2)
		if (!swap(word, from))
			return false;
	return await(word, from);
}

bool exchange_swap_follow(exchange_word *word, uint64_t from, uint64_t rounds)
{
	for (uint64_t end = from + 2 * rounds; from < end; from += 2)
		if (!swap(word, from + 1))
			return false;
	return true;
}

bool exchange_swap_alone(exchange_word *word, uint64_t from, uint64_t rounds)
{
	for (uint64_t end = from + 2 * rounds; from < end; from++)
		if (!swap(word, from))
			return false;
	return true;
}
