#include "kernels/flush.h"

#if defined(__aarch64__)

/* CTR_EL0 bits 16 to 19: log2 of the words in the smallest data line. Linux lets programs read it
 * and clean by address (SCTLR_EL1.UCT and UCI), or does it for them. */
static uint64_t line_bytes(void)
{
	uint64_t type;
	__asm__("mrs %0, ctr_el0" : "=r"(type));
	return (uint64_t)4 << (type >> 16 & 15);
}

const char *flush_instruction(void)
{
	return "dc civac";
}

void flush_lines(const unsigned char *memory, uint64_t bytes)
{
	uint64_t line = line_bytes();
	__asm__ volatile("dsb ish" ::: "memory");
	for (const unsigned char *at = memory; at < memory + bytes; at += line)
		__asm__ volatile("dc civac, %0" : : "r"(at) : "memory");
	__asm__ volatile("dsb ish\nisb" ::: "memory");
}

#endif
