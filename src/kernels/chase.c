#include "kernels/chase.h"

#if defined(CHASE_ISA)

#define TEXT_OF(number)      #number
#define TEXT(number)         TEXT_OF(number)
#define REPEATED(times, hop) ".p2align 6\n1:\n.rept " TEXT(times) "\n" hop ".endr\n" CHASE_BACK
#define UNROLLED(hop)        REPEATED(KERNEL_UNROLL, hop)
#define ROLLED(hop)          ".p2align 6\n1:\n" hop CHASE_BACK

#define CHAIN(name, loop, hops_in_loop)                                                            \
	void chase_##name(struct kernel_work *work, uint64_t hops)                                 \
	{                                                                                          \
		uint64_t cursor = work->cursor, rounds = hops / (hops_in_loop);                    \
		if (rounds == 0)                                                                   \
			return;                                                                    \
		__asm__ volatile(loop                                                              \
				 : [cursor] "+r"(cursor), [rounds] "+r"(rounds)                    \
				 : [base] "r"(work->base)                                          \
				 : "memory", "cc");                                                \
		work->cursor = cursor;                                                             \
	}
CHAIN(pointer, UNROLLED(CHASE_POINTER), KERNEL_UNROLL)
CHAIN(index32, UNROLLED(CHASE_INDEX32), KERNEL_UNROLL)
CHAIN(pointer_rolled, ROLLED(CHASE_POINTER), 1)
CHAIN(index32_rolled, ROLLED(CHASE_INDEX32), 1)

#define INDEXED(name, hop)                                                                         \
	uint64_t chase_##name(const struct kernel_work *work, uint64_t position, uint64_t nodes)   \
	{                                                                                          \
		const uint32_t *index = work->index + position;                                    \
		uint64_t sum = 0, at, rounds = nodes / KERNEL_UNROLL;                              \
		unsigned char kept;                                                                \
		if (rounds == 0)                                                                   \
			return 0;                                                                  \
		__asm__ volatile(UNROLLED(hop)                                                     \
				 : [sum] "+r"(sum), [index] "+r"(index), [at] "=&r"(at),           \
				   [rounds] "+r"(rounds), [kept] "=m"(kept)                        \
				 : [base] "r"(work->base)                                          \
				 : "memory", "cc");                                                \
		return sum;                                                                        \
	}
INDEXED(index_array, CHASE_INDEX_ARRAY)
INDEXED(index_bytes, CHASE_INDEX_BYTES)
INDEXED(index_array_kept, CHASE_INDEX_ARRAY CHASE_KEEP)
INDEXED(index_bytes_kept, CHASE_INDEX_BYTES CHASE_KEEP)

uint64_t chase_stride_loop(const struct kernel_work *work, uint64_t position, uint64_t nodes)
{
	const unsigned char *at = work->base + position * work->node_bytes;
	uint64_t sum = 0, word, rounds = nodes / KERNEL_UNROLL;
	if (rounds == 0)
		return 0;
	__asm__ volatile(UNROLLED(CHASE_STRIDE_LOOP)
			 : [sum] "+r"(sum), [at] "+r"(at), [word] "=&r"(word), [rounds] "+r"(rounds)
			 : [stride] "r"(work->node_bytes)
			 : "memory", "cc");
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
		UNROLLED(CHASE_LINEAR_SUM)
		: [a] "+r"(a), [b] "+r"(b), [c] "+r"(c), [d] "+r"(d), [at] "+r"(at), [w0] "=&r"(w0),
		  [w1] "=&r"(w1), [w2] "=&r"(w2), [w3] "=&r"(w3), [rounds] "+r"(rounds)
		:
		: "memory", "cc");
	return a + b + c + d;
}

#define PROBE(name, instruction)                                                                   \
	void chase_##name(uint64_t count)                                                          \
	{                                                                                          \
		uint64_t value = 1, rounds = count / KERNEL_UNROLL;                                \
		if (rounds == 0)                                                                   \
			return;                                                                    \
		__asm__ volatile(UNROLLED(instruction)                                             \
				 : [value] "+r"(value), [rounds] "+r"(rounds)                      \
				 : [factor] "r"(KERNEL_LCG_MULTIPLIER)                             \
				 : "cc");                                                          \
	}
PROBE(add, CHASE_ADD)
PROBE(multiply, CHASE_MULTIPLY)

#define SUMS 8
#define ADD_TO_ALL                                                                                 \
	CHASE_ADD_TO(a)                                                                            \
	CHASE_ADD_TO(b)                                                                            \
	CHASE_ADD_TO(c)                                                                            \
	CHASE_ADD_TO(d)                                                                            \
	CHASE_ADD_TO(e)                                                                            \
	CHASE_ADD_TO(f)                                                                            \
	CHASE_ADD_TO(g)                                                                            \
	CHASE_ADD_TO(h)
_Static_assert(KERNEL_UNROLL == 8 * SUMS, "a round has KERNEL_UNROLL additions");

void chase_add_apart(uint64_t count)
{
	uint64_t a = 1, b = 1, c = 1, d = 1, e = 1, f = 1, g = 1, h = 1;
	uint64_t rounds = count / KERNEL_UNROLL;
	if (rounds == 0)
		return;
	__asm__ volatile(REPEATED(8, ADD_TO_ALL)
			 : [a] "+r"(a), [b] "+r"(b), [c] "+r"(c), [d] "+r"(d), [e] "+r"(e),
			   [f] "+r"(f), [g] "+r"(g), [h] "+r"(h), [rounds] "+r"(rounds)
			 :
			 : "cc");
}

#endif
