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

/* One load in the loop, as programs have it. */
#define ROLLED(instructions)                                                                       \
	".p2align 6\n1:\n" instructions "\naddi %[rounds], %[rounds], -1\nbnez %[rounds], 1b\n"

void chase_pointer_rolled(struct kernel_work *work, uint64_t hops)
{
	uint64_t cursor = work->cursor;
	if (hops == 0)
		return;
	__asm__ volatile(ROLLED("ld %[cursor], 0(%[cursor])")
			 : [cursor] "+r"(cursor), [rounds] "+r"(hops)
			 :
			 : "memory");
	work->cursor = cursor;
}

void chase_index32_rolled(struct kernel_work *work, uint64_t hops)
{
	uint64_t cursor = work->cursor;
	if (hops == 0)
		return;
	__asm__ volatile(ROLLED("slli %[cursor], %[cursor], 2\n"
				"add %[cursor], %[cursor], %[base]\n"
				"lwu %[cursor], 0(%[cursor])")
			 : [cursor] "+r"(cursor), [rounds] "+r"(hops)
			 : [base] "r"(work->base)
			 : "memory");
	work->cursor = cursor;
}

uint64_t chase_index_array(const struct kernel_work *work, uint64_t position, uint64_t nodes)
{
	const uint32_t *index = work->index + position;
	uint64_t sum = 0, at, rounds = nodes / KERNEL_UNROLL;
	if (rounds == 0)
		return 0;
	__asm__ volatile(
		LOOP("lwu %[at], 0(%[index])\n"
		     "addi %[index], %[index], 4\n"
		     "slli %[at], %[at], 2\n"
		     "add %[at], %[at], %[base]\n"
		     "lbu %[at], 0(%[at])\n"
		     "add %[sum], %[sum], %[at]")
		: [sum] "+r"(sum), [index] "+r"(index), [at] "=&r"(at), [rounds] "+r"(rounds)
		: [base] "r"(work->base)
		: "memory");
	return sum;
}

uint64_t chase_index_bytes(const struct kernel_work *work, uint64_t position, uint64_t nodes)
{
	const uint32_t *index = work->index + position;
	uint64_t sum = 0, at, rounds = nodes / KERNEL_UNROLL;
	if (rounds == 0)
		return 0;
	__asm__ volatile(
		LOOP("lwu %[at], 0(%[index])\n"
		     "addi %[index], %[index], 4\n"
		     "add %[at], %[at], %[base]\n"
		     "lbu %[at], 0(%[at])\n"
		     "add %[sum], %[sum], %[at]")
		: [sum] "+r"(sum), [index] "+r"(index), [at] "=&r"(at), [rounds] "+r"(rounds)
		: [base] "r"(work->base)
		: "memory");
	return sum;
}

uint64_t chase_stride_loop(const struct kernel_work *work, uint64_t position, uint64_t nodes)
{
	const unsigned char *at = work->base + position * work->node_bytes;
	uint64_t sum = 0, word, rounds = nodes / KERNEL_UNROLL;
	if (rounds == 0)
		return 0;
	__asm__ volatile(LOOP("ld %[word], 0(%[at])\n"
			      "add %[at], %[at], %[stride]\n"
			      "add %[sum], %[sum], %[word]")
			 : [sum] "+r"(sum), [at] "+r"(at), [word] "=&r"(word), [rounds] "+r"(rounds)
			 : [stride] "r"(work->node_bytes)
			 : "memory");
	return sum;
}

/* Four sums: one alone would take a word a cycle. */
uint64_t chase_linear_sum(const struct kernel_work *work, uint64_t position, uint64_t nodes)
{
	const unsigned char *at = work->base + position * KERNEL_SUM_BYTES;
	uint64_t a = 0, b = 0, c = 0, d = 0, w0, w1, w2, w3, rounds = nodes / KERNEL_UNROLL;
	if (rounds == 0)
		return 0;
	__asm__ volatile(
		LOOP("ld %[w0], 0(%[at])\n"
		     "ld %[w1], 8(%[at])\n"
		     "ld %[w2], 16(%[at])\n"
		     "ld %[w3], 24(%[at])\n"
		     "add %[a], %[a], %[w0]\n"
		     "add %[b], %[b], %[w1]\n"
		     "add %[c], %[c], %[w2]\n"
		     "add %[d], %[d], %[w3]\n"
		     "ld %[w0], 32(%[at])\n"
		     "ld %[w1], 40(%[at])\n"
		     "ld %[w2], 48(%[at])\n"
		     "ld %[w3], 56(%[at])\n"
		     "add %[a], %[a], %[w0]\n"
		     "add %[b], %[b], %[w1]\n"
		     "add %[c], %[c], %[w2]\n"
		     "add %[d], %[d], %[w3]\n"
		     "addi %[at], %[at], 64")
		: [a] "+r"(a), [b] "+r"(b), [c] "+r"(c), [d] "+r"(d), [at] "+r"(at), [w0] "=&r"(w0),
		  [w1] "=&r"(w1), [w2] "=&r"(w2), [w3] "=&r"(w3), [rounds] "+r"(rounds)
		:
		: "memory");
	return a + b + c + d;
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
