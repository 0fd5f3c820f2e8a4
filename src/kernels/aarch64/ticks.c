#include "kernels/ticks.h"

#if defined(__aarch64__)

/* Linux lets programs read CNTVCT_EL0. */
const char *ticks_counter(void)
{
	return "cntvct_el0";
}

/* Arm ARM, D12.1: the system counter does not stop and does not change its rate. */
bool ticks_are_steady(void)
{
	return true;
}

/* The barrier before it waits for loads, ISB keeps the reading from being early; the ISB after it
 * keeps what follows from being so (Arm ARM, D12.2.1 and B2.3.12). */
static inline uint64_t ticks_read(uint64_t cursor)
{
	(void)cursor;
	uint64_t now;
	__asm__ volatile("dsb ishld\n\tisb\n\tmrs %0, cntvct_el0\n\tisb" : "=r"(now) : : "memory");
	return now;
}

static inline uint64_t ticks_follow(uint64_t cursor, uint64_t hops)
{
	__asm__ volatile("1:\n\t"
			 "ldr %[cursor], [%[cursor]]\n\t"
			 "subs %[hops], %[hops], #1\n\t"
			 "b.ne 1b"
			 : [cursor] "+r"(cursor), [hops] "+r"(hops)
			 :
			 : "cc", "memory");
	return cursor;
}

static inline void ticks_flush(uint64_t line)
{
	__asm__ volatile("dc civac, %0\n\tdsb ish" : : "r"(line) : "memory");
}

#include "kernels/ticks_template.h"

#endif
