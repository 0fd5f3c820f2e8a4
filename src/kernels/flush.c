/* Where no ISA directory has it. */
#include "kernels/flush.h"

#if !defined(__x86_64__) && !defined(__aarch64__) && !(defined(__riscv) && __riscv_xlen == 64)

const char *flush_instruction(void)
{
	return 0;
}

void flush_lines(const unsigned char *memory, uint64_t bytes)
{
	(void)memory;
	(void)bytes;
}

#endif
