#include "kernels/chase.h"

#if defined(__x86_64__)

#define LOOP(instructions)                                                                         \
	".p2align 6\n"                                                                             \
	"1:\n"                                                                                     \
	".rept " CHASE_UNROLL "\n" instructions "\n"                                               \
	".endr\n"                                                                                  \
	"dec %[rounds]\n"                                                                          \
	"jnz 1b\n"

void chase_pointer(struct kernel_work *work, uint64_t hops)
{
	uint64_t cursor = work->cursor, rounds = hops / KERNEL_UNROLL;
	if (rounds == 0)
		return;
	__asm__ volatile(LOOP("mov (%[cursor]), %[cursor]")
			 : [cursor] "+r"(cursor), [rounds] "+r"(rounds)
			 :
			 : "memory", "cc");
	work->cursor = cursor;
}

void chase_index32(struct kernel_work *work, uint64_t hops)
{
	uint64_t cursor = work->cursor, rounds = hops / KERNEL_UNROLL;
	if (rounds == 0)
		return;
	__asm__ volatile(LOOP("movl (%[base], %[cursor], 4), %k[cursor]")
			 : [cursor] "+r"(cursor), [rounds] "+r"(rounds)
			 : [base] "r"(work->base)
			 : "memory", "cc");
	work->cursor = cursor;
}

/* One load in the loop, as programs have it. */
#define ROLLED(instructions) ".p2align 6\n1:\n" instructions "\ndec %[rounds]\njnz 1b\n"

void chase_pointer_rolled(struct kernel_work *work, uint64_t hops)
{
	uint64_t cursor = work->cursor;
	if (hops == 0)
		return;
	__asm__ volatile(ROLLED("mov (%[cursor]), %[cursor]")
			 : [cursor] "+r"(cursor), [rounds] "+r"(hops)
			 :
			 : "memory", "cc");
	work->cursor = cursor;
}

void chase_index32_rolled(struct kernel_work *work, uint64_t hops)
{
	uint64_t cursor = work->cursor;
	if (hops == 0)
		return;
	__asm__ volatile(ROLLED("movl (%[base], %[cursor], 4), %k[cursor]")
			 : [cursor] "+r"(cursor), [rounds] "+r"(hops)
			 : [base] "r"(work->base)
			 : "memory", "cc");
	work->cursor = cursor;
}

uint64_t chase_index_array(const struct kernel_work *work, uint64_t position, uint64_t nodes)
{
	const uint32_t *index = work->index + position;
	uint64_t sum = 0, at, rounds = nodes / KERNEL_UNROLL;
	if (rounds == 0)
		return 0;
	__asm__ volatile(
		LOOP("movl (%[index]), %k[at]\n"
		     "add $4, %[index]\n"
		     "movzbl (%[base], %[at], 4), %k[at]\n"
		     "add %[at], %[sum]")
		: [sum] "+r"(sum), [index] "+r"(index), [at] "=&r"(at), [rounds] "+r"(rounds)
		: [base] "r"(work->base)
		: "memory", "cc");
	return sum;
}

uint64_t chase_index_bytes(const struct kernel_work *work, uint64_t position, uint64_t nodes)
{
	const uint32_t *index = work->index + position;
	uint64_t sum = 0, at, rounds = nodes / KERNEL_UNROLL;
	if (rounds == 0)
		return 0;
	__asm__ volatile(
		LOOP("movl (%[index]), %k[at]\n"
		     "add $4, %[index]\n"
		     "movzbl (%[base], %[at]), %k[at]\n"
		     "add %[at], %[sum]")
		: [sum] "+r"(sum), [index] "+r"(index), [at] "=&r"(at), [rounds] "+r"(rounds)
		: [base] "r"(work->base)
		: "memory", "cc");
	return sum;
}

uint64_t chase_stride_loop(const struct kernel_work *work, uint64_t position, uint64_t nodes)
{
	const unsigned char *at = work->base + position * work->node_bytes;
	uint64_t sum = 0, rounds = nodes / KERNEL_UNROLL;
	if (rounds == 0)
		return 0;
	__asm__ volatile(LOOP("add (%[at]), %[sum]\n"
			      "add %[stride], %[at]")
			 : [sum] "+r"(sum), [at] "+r"(at), [rounds] "+r"(rounds)
			 : [stride] "r"(work->node_bytes)
			 : "memory", "cc");
	return sum;
}

/* Four sums: one alone would take a word a cycle. */
uint64_t chase_linear_sum(const struct kernel_work *work, uint64_t position, uint64_t nodes)
{
	const unsigned char *at = work->base + position * KERNEL_SUM_BYTES;
	uint64_t a = 0, b = 0, c = 0, d = 0, rounds = nodes / KERNEL_UNROLL;
	if (rounds == 0)
		return 0;
	__asm__ volatile(LOOP("add (%[at]), %[a]\n"
			      "add 8(%[at]), %[b]\n"
			      "add 16(%[at]), %[c]\n"
			      "add 24(%[at]), %[d]\n"
			      "add 32(%[at]), %[a]\n"
			      "add 40(%[at]), %[b]\n"
			      "add 48(%[at]), %[c]\n"
			      "add 56(%[at]), %[d]\n"
			      "add $64, %[at]")
			 : [a] "+r"(a), [b] "+r"(b), [c] "+r"(c), [d] "+r"(d), [at] "+r"(at),
			   [rounds] "+r"(rounds)
			 :
			 : "memory", "cc");
	return a + b + c + d;
}

void chase_add(uint64_t count)
{
	uint64_t value = 1, rounds = count / KERNEL_UNROLL;
	if (rounds == 0)
		return;
	__asm__ volatile(LOOP("add %[value], %[value]")
			 : [value] "+r"(value), [rounds] "+r"(rounds)
			 :
			 : "cc");
}

void chase_multiply(uint64_t count)
{
	uint64_t value = 1, rounds = count / KERNEL_UNROLL;
	if (rounds == 0)
		return;
	__asm__ volatile(LOOP("imul %[factor], %[value]")
			 : [value] "+r"(value), [rounds] "+r"(rounds)
			 : [factor] "r"(KERNEL_LCG_MULTIPLIER)
			 : "cc");
}

#endif
