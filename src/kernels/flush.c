/* Where no ISA directory has it. RISC-V's cbo.flush traps in user mode unless the kernel has
 * enabled it, which few do. */
#include "kernels/flush.h"

#if !defined(__x86_64__) && !defined(__aarch64__)

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
