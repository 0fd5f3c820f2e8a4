#include "kernels/ticks.h"

#if defined(__riscv) && __riscv_xlen == 64

const char *ticks_counter(void)
{
	return "time";
}

/* The RISC-V Instruction Set Manual, volume I, Zicntr: time counts real time at a constant rate. */
bool ticks_are_steady(void)
{
	return true;
}

/* A fence orders reading the counter only as input (the same, Zicntr): the registers make it wait
 * for the word. */
static inline uint64_t ticks_read(uint64_t cursor)
{
	uint64_t now;
	__asm__ volatile("fence iorw, iorw\n\t"
			 "xor t0, %1, %1\n\t"
			 "beqz t0, 1f\n"
			 "1:\n\t"
			 "rdtime %0\n\t"
			 "fence iorw, iorw"
			 : "=r"(now)
			 : "r"(cursor)
			 : "t0", "memory");
	return now;
}

static inline uint64_t ticks_follow(uint64_t cursor, uint64_t hops)
{
	__asm__ volatile("1:\n\t"
			 "ld %[cursor], 0(%[cursor])\n\t"
			 "addi %[hops], %[hops], -1\n\t"
			 "bnez %[hops], 1b"
			 : [cursor] "+r"(cursor), [hops] "+r"(hops)
			 :
			 : "memory");
	return cursor;
}

/* There is none: see flush.c. */
static inline void ticks_flush(uint64_t line)
{
	(void)line;
}

#include "kernels/ticks_template.h"

#endif
