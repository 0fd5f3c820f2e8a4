#include "kernels/ticks.h"

#if defined(__x86_64__)

#include <cpuid.h>

/* CPUID leaf 1, EDX bit 4: there is a time-stamp counter; leaf 0x80000007, EDX bit 8: it is
 * invariant (Intel SDM, volume 3, 18.17.1; AMD APM, volume 3, E.4.17). */
#define TSC_BIT        4
#define INVARIANT_LEAF 0x80000007u
#define INVARIANT_BIT  8

const char *ticks_counter(void)
{
	unsigned a, b, c, d;
	return __get_cpuid(1, &a, &b, &c, &d) && d >> TSC_BIT & 1 ? "tsc" : 0;
}

bool ticks_are_steady(void)
{
	unsigned a, b, c, d;
	return __get_cpuid(INVARIANT_LEAF, &a, &b, &c, &d) && d >> INVARIANT_BIT & 1;
}

/* LFENCE waits until all instructions before it have completed, loads with their data, and no later
 * one begins before it has (Intel SDM, volume 2, LFENCE and RDTSC; AMD APM, volume 3, LFENCE, as
 * Linux sets it up). */
static inline uint64_t ticks_read(uint64_t cursor)
{
	(void)cursor;
	uint32_t low, high;
	__asm__ volatile("lfence\n\trdtsc\n\tlfence" : "=a"(low), "=d"(high) : : "memory");
	return (uint64_t)high << 32 | low;
}

static inline uint64_t ticks_follow(uint64_t cursor, uint64_t hops)
{
	__asm__ volatile("1:\n\t"
			 "mov (%[cursor]), %[cursor]\n\t"
			 "dec %[hops]\n\t"
			 "jnz 1b"
			 : [cursor] "+r"(cursor), [hops] "+r"(hops)
			 :
			 : "cc", "memory");
	return cursor;
}

static inline void ticks_flush(uint64_t line)
{
	__asm__ volatile("clflush (%0)\n\tmfence" : : "r"(line) : "memory");
}

#include "kernels/ticks_template.h"

#endif
