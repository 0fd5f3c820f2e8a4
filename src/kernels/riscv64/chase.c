#include "kernels/chase.h"

#if defined(__riscv) && __riscv_xlen == 64

#define LOOP(instructions)                                                                         \
	".p2align 6\n"                                                                             \
	"1:\n"                                                                                     \
	".rept " CHASE_UNROLL "\n" instructions "\n"                                               \
	".endr\n"                                                                                  \
	"addi %[rounds], %[rounds], -1\n"                                                          \
	"bnez %[rounds], 1b\n"

void chase_pointer(struct kernel_work *work, uint64_t hops)
{
	uint64_t cursor = work->cursor, rounds = hops / KERNEL_UNROLL;
	if (rounds == 0)
		return;
	__asm__ volatile(LOOP("ld %[cursor], 0(%[cursor])")
			 : [cursor] "+r"(cursor), [rounds] "+r"(rounds)
			 :
			 : "memory");
	work->cursor = cursor;
}

void chase_index32(struct kernel_work *work, uint64_t hops)
{
	uint64_t cursor = work->cursor, rounds = hops / KERNEL_UNROLL;
	if (rounds == 0)
		return;
	__asm__ volatile(LOOP("slli %[cursor], %[cursor], 2\n"
			      "add %[cursor], %[cursor], %[base]\n"
			      "lwu %[cursor], 0(%[cursor])")
			 : [cursor] "+r"(cursor), [rounds] "+r"(rounds)
			 : [base] "r"(work->base)
			 : "memory");
	work->cursor = cursor;
}

void chase_add(uint64_t count)
{
	uint64_t value = 1, rounds = count / KERNEL_UNROLL;
	if (rounds == 0)
		return;
	__asm__ volatile(LOOP("add %[value], %[value], %[value]")
			 : [value] "+r"(value), [rounds] "+r"(rounds));
}

void chase_multiply(uint64_t count)
{
	uint64_t value = 1, rounds = count / KERNEL_UNROLL;
	if (rounds == 0)
		return;
	__asm__ volatile(LOOP("mul %[value], %[value], %[factor]")
			 : [value] "+r"(value), [rounds] "+r"(rounds)
			 : [factor] "r"(KERNEL_LCG_MULTIPLIER));
}

#endif
