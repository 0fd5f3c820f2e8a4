/* Where no ISA directory has them. */
#include "kernels/ticks.h"

#if !defined(__x86_64__) && !defined(__aarch64__) && !(defined(__riscv) && __riscv_xlen == 64)

const char *ticks_counter(void)
{
	return 0;
}

bool ticks_are_steady(void)
{
	return false;
}

static inline uint64_t ticks_read(uint64_t cursor)
{
	(void)cursor;
	return 0;
}

static inline uint64_t ticks_follow(uint64_t cursor, uint64_t hops)
{
	for (; hops; hops--)
		cursor = *(const volatile uint64_t *)(uintptr_t)cursor;
	return cursor;
}

static inline void ticks_flush(uint64_t line)
{
	(void)line;
}

#include "kernels/ticks_template.h"

#endif
