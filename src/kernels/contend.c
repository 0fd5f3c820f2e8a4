#include "kernels/contend.h"

uint64_t contend_add(exchange_word *word, uint64_t count)
{
	for (uint64_t i = 0; i < count; i++)
		atomic_fetch_add_explicit(word, 1, memory_order_relaxed);
	return count;
}

uint64_t contend_swap(exchange_word *word, uint64_t count)
{
	uint64_t expected = atomic_load_explicit(word, memory_order_relaxed);
	for (uint64_t i = 0; i < count; i++, expected++)
		while (!atomic_compare_exchange_strong_explicit(
			word, &expected, expected + 1, memory_order_relaxed, memory_order_relaxed))
			;
	return count;
}

uint64_t contend_exchange(exchange_word *word, uint64_t count)
{
	uint64_t value = count;
	for (uint64_t i = 0; i < count; i++)
		value = atomic_exchange_explicit(word, value + i, memory_order_relaxed);
	return 0;
}

uint64_t contend_read(exchange_word *word, uint64_t count)
{
	for (uint64_t i = 0; i < count; i++)
		atomic_load_explicit(word, memory_order_relaxed);
	return 0;
}
