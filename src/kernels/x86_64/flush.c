#include "kernels/flush.h"

#if defined(__x86_64__)

#include <cpuid.h>
#include <stdbool.h>

/* CPUID leaf 1, EBX bits 8 to 15: the line of CLFLUSH in units of 8 bytes; leaf 7, EBX bit 23:
 * CLFLUSHOPT, which need not wait for the one before (Intel SDM, volume 2, CPUID). */
#define LINE_SHIFT     8
#define LINE_UNIT      8
#define CLFLUSHOPT_BIT 23

static uint64_t line_bytes(void)
{
	unsigned a, b, c, d;
	return __get_cpuid(1, &a, &b, &c, &d) ? (b >> LINE_SHIFT & 0xff) * LINE_UNIT : 0;
}

static bool has_clflushopt(void)
{
	unsigned a, b, c, d;
	return __get_cpuid_count(7, 0, &a, &b, &c, &d) && b >> CLFLUSHOPT_BIT & 1;
}

const char *flush_instruction(void)
{
	if (!line_bytes())
		return 0;
	return has_clflushopt() ? "clflushopt" : "clflush";
}

void flush_lines(const unsigned char *memory, uint64_t bytes)
{
	uint64_t line = line_bytes();
	bool opt = has_clflushopt();
	__asm__ volatile("mfence" ::: "memory");
	for (const unsigned char *at = memory; at < memory + bytes; at += line) {
		if (opt)
			__asm__ volatile("clflushopt (%0)" : : "r"(at) : "memory");
		else
			__asm__ volatile("clflush (%0)" : : "r"(at) : "memory");
	}
	__asm__ volatile("mfence" ::: "memory");
}

#endif
