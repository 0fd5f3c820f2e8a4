/* Keeps a branch what it is, keeps one out where there shall be none, keeps a pointer out of
 * vectors, and has instructions wait for a value: compilers choose as they please. */
#pragma once

#include <stdint.h>

/* In one side of a branch: that side has something that is not done on the other, so that no
 * compiler replaces the branch by a conditional move. */
static inline void branch_stays(void)
{
	__asm__ volatile("");
}

/* value <= bound ? chosen : otherwise, by a conditional move. */
static inline const void *branch_none(uint64_t value, uint64_t bound, const void *chosen,
				      const void *otherwise)
{
#if defined(__x86_64__)
	__asm__("cmpq %[value], %[bound]\n\tcmovaeq %[chosen], %[otherwise]"
		: [otherwise] "+r"(otherwise)
		: [value] "rm"(value), [bound] "r"(bound), [chosen] "r"(chosen)
		: "cc");
	return otherwise;
#elif defined(__aarch64__)
	const void *result;
	__asm__("cmp %[value], %[bound]\n\tcsel %[result], %[chosen], %[otherwise], ls"
		: [result] "=r"(result)
		: [value] "r"(value), [bound] "r"(bound), [chosen] "r"(chosen),
		  [otherwise] "r"(otherwise)
		: "cc");
	return result;
#else
	uintptr_t mask = -(uintptr_t)(value <= bound); /* no move of that kind in every core */
	__asm__("" : "+r"(mask));
	return (const void *)(((uintptr_t)chosen & mask) | ((uintptr_t)otherwise & ~mask));
#endif
}

/* The pointer, in a register of its own. */
static inline const void *branch_alone(const void *pointer)
{
	__asm__("" : "+r"(pointer));
	return pointer;
}

#define BRANCH_WAITING 64

#define BRANCH_TEXT(number)  #number
#define BRANCH_WORDS(number) BRANCH_TEXT(number)

/* The value, after BRANCH_WAITING instructions that each wait for the one before: complements, an
 * even number, so that it is unchanged. */
static inline uint64_t branch_waits(uint64_t value)
{
#if defined(__x86_64__)
	__asm__(".rept " BRANCH_WORDS(BRANCH_WAITING) "\n\tnotq %0\n\t.endr" : "+r"(value));
#elif defined(__aarch64__)
	__asm__(".rept " BRANCH_WORDS(BRANCH_WAITING) "\n\tmvn %0, %0\n\t.endr" : "+r"(value));
#elif defined(__riscv)
	__asm__(".rept " BRANCH_WORDS(BRANCH_WAITING) "\n\tnot %0, %0\n\t.endr" : "+r"(value));
#else
	for (int i = 0; i < BRANCH_WAITING; i++) {
		value = ~value;
		__asm__("" : "+r"(value));
	}
#endif
	return value;
}
