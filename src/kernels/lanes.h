/* The loops that walk several chains at once, a function for each number of lanes and each place
 * where their cursors can live: what the table of kernels.c and the ISAs' lanes.S share.
 *
 * chase_KIND_registers_LANES, chase_KIND_vectors_LANES, chase_KIND_array_LANES,
 * chase_KIND_stack_LANES */
#pragma once

/* F(lanes) for each number of lanes; cut where some ISA runs out of registers. */
#define LANES_2_13(F)  F(2) F(3) F(4) F(5) F(6) F(7) F(8) F(9) F(10) F(11) F(12) F(13)
#define LANES_15_26(F) F(15) F(16) F(17) F(18) F(19) F(20) F(21) F(22) F(23) F(24) F(25) F(26)
#define LANES_30_44(F)                                                                             \
	F(30) F(31) F(32) F(33) F(34) F(35) F(36) F(37) F(38) F(39) F(40) F(41) F(42) F(43) F(44)
#define LANES_46_57(F) F(46) F(47) F(48) F(49) F(50) F(51) F(52) F(53) F(54) F(55) F(56) F(57)
#define LANES_2_26(F)  LANES_2_13(F) F(14) LANES_15_26(F)
#define LANES_29_57(F) F(29) LANES_30_44(F) F(45) LANES_46_57(F)
#define LANES_2_64(F)                                                                              \
	LANES_2_26(F) F(27) F(28) LANES_29_57(F) F(58) F(59) F(60) F(61) F(62) F(63) F(64)

/* LANES_GENERAL pointers fit into general registers. The base of index32 takes one of these,
 * and so does what an address out of a vector register is moved to. */
#if defined(__x86_64__)
/* All but the stack's and the counter. Of the vector registers 16 are on every CPU. */
#define LANES_GENERAL                      14
#define LANES_VECTORS_ANYWHERE             16
#define LANES_INDEX32_VECTORS_INSTRUCTIONS 2
#define LANES_INDEX32_MEMORY_INSTRUCTIONS  3
#define LANES_POINTER_IN_REGISTERS(F)      LANES_2_13(F) F(14)
#define LANES_INDEX32_IN_REGISTERS(F)      LANES_2_13(F)
#define LANES_POINTER_IN_VECTORS(F)        LANES_15_26(F) F(27) F(28) F(29) LANES_30_44(F) F(45)
#define LANES_INDEX32_IN_VECTORS(F)        F(14) LANES_15_26(F) F(27) F(28) F(29) LANES_30_44(F)
#define LANES_IN_MEMORY(F)                 LANES_2_64(F)
#elif defined(__aarch64__)
/* All but the stack's, the frame's, the platform's (x18) and the counter. */
#define LANES_GENERAL                      28
#define LANES_VECTORS_ANYWHERE             32
#define LANES_INDEX32_VECTORS_INSTRUCTIONS 2
#define LANES_INDEX32_MEMORY_INSTRUCTIONS  3
#define LANES_POINTER_IN_REGISTERS(F)      LANES_2_26(F) F(27) F(28)
#define LANES_INDEX32_IN_REGISTERS(F)      LANES_2_26(F) F(27)
#define LANES_POINTER_IN_VECTORS(F)        LANES_29_57(F) F(58) F(59)
#define LANES_INDEX32_IN_VECTORS(F)        F(28) LANES_29_57(F) F(58)
#define LANES_IN_MEMORY(F)                 LANES_2_64(F)
#elif defined(__riscv) && __riscv_xlen == 64
/* All but zero, sp, gp and tp (handlers of signals need them) and the counter. */
#define LANES_GENERAL                      27
#define LANES_VECTORS_ANYWHERE             32
#define LANES_INDEX32_VECTORS_INSTRUCTIONS 5
#define LANES_INDEX32_MEMORY_INSTRUCTIONS  5
#define LANES_POINTER_IN_REGISTERS(F)      LANES_2_26(F) F(27)
#define LANES_INDEX32_IN_REGISTERS(F)      LANES_2_26(F)
#if defined(__riscv_d)
#define LANES_POINTER_IN_VECTORS(F) F(28) LANES_29_57(F) F(58)
#define LANES_INDEX32_IN_VECTORS(F) F(27) F(28) LANES_29_57(F)
#else
#define LANES_POINTER_IN_VECTORS(F)
#define LANES_INDEX32_IN_VECTORS(F)
#endif
#define LANES_IN_MEMORY(F) LANES_2_64(F)
#else
#define LANES_GENERAL                      0
#define LANES_VECTORS_ANYWHERE             0
#define LANES_INDEX32_VECTORS_INSTRUCTIONS 0
#define LANES_INDEX32_MEMORY_INSTRUCTIONS  0
#define LANES_POINTER_IN_REGISTERS(F)
#define LANES_INDEX32_IN_REGISTERS(F)
#define LANES_POINTER_IN_VECTORS(F)
#define LANES_INDEX32_IN_VECTORS(F)
#define LANES_IN_MEMORY(F)
#endif

/* Rounds in a loop: KERNEL_LANES_UNROLL with all in registers, else one, which is long enough. */
#define LANES_ROUNDS       8
#define LANES_ROUNDS_SHIFT 3

/* On the stack: cursors of so many lanes, and what keeps it aligned to 16 bytes. */
#define LANES_FRAME(lanes) (((lanes) + 1) / 2 * 16)

/* Where struct kernel_work has them. */
#define LANES_BASE    0
#define LANES_CURSORS 16

#if !defined(__ASSEMBLER__)

#include "kernels/chase.h"
#include "kernels/kernels.h"

_Static_assert(LANES_ROUNDS == KERNEL_LANES_UNROLL && LANES_ROUNDS == 1 << LANES_ROUNDS_SHIFT,
	       "lanes.S divides by shifts");
_Static_assert(offsetof(struct kernel_work, base) == LANES_BASE, "lanes.S reads it there");
_Static_assert(offsetof(struct kernel_work, cursors) == LANES_CURSORS, "lanes.S reads it there");

/* Whether this CPU has more vector registers than LANES_VECTORS_ANYWHERE. */
static inline bool lanes_more_vectors(void)
{
#if defined(__x86_64__)
	return __builtin_cpu_supports("avx512f");
#else
	return false;
#endif
}

/* The functions' prototypes. */
#define LANES_POINTER_REGISTERS(lanes) kernel_run chase_pointer_registers_##lanes;
#define LANES_INDEX32_REGISTERS(lanes) kernel_run chase_index32_registers_##lanes;
#define LANES_POINTER_VECTORS(lanes)   kernel_run chase_pointer_vectors_##lanes;
#define LANES_INDEX32_VECTORS(lanes)   kernel_run chase_index32_vectors_##lanes;
#define LANES_MEMORY(lanes)                                                                        \
	kernel_run chase_pointer_array_##lanes;                                                    \
	kernel_run chase_index32_array_##lanes;                                                    \
	kernel_run chase_pointer_stack_##lanes;                                                    \
	kernel_run chase_index32_stack_##lanes;
LANES_POINTER_IN_REGISTERS(LANES_POINTER_REGISTERS)
LANES_INDEX32_IN_REGISTERS(LANES_INDEX32_REGISTERS)
LANES_POINTER_IN_VECTORS(LANES_POINTER_VECTORS)
LANES_INDEX32_IN_VECTORS(LANES_INDEX32_VECTORS)
LANES_IN_MEMORY(LANES_MEMORY)

/* Their rows in the table of kernels.c. */
#define LANES_ROW(function, of_kind, count, loads, instructions, in, in_vectors)                   \
	{.name = #function "_" #count,                                                             \
	 .isa = CHASE_ISA,                                                                         \
	 .kind = of_kind,                                                                          \
	 .lanes = count,                                                                           \
	 .loads_per_hop = loads,                                                                   \
	 .instructions_per_hop = instructions,                                                     \
	 .run = chase_##function##_##count,                                                        \
	 .store = in,                                                                              \
	 .vector_lanes = in_vectors},
#define LANES_POINTER_REGISTERS_ROW(lanes)                                                         \
	LANES_ROW(pointer_registers, KERNEL_POINTER, lanes, 1, 1, KERNEL_IN_REGISTERS, 0)
#define LANES_INDEX32_REGISTERS_ROW(lanes)                                                         \
	LANES_ROW(index32_registers, KERNEL_INDEX32, lanes, 1, CHASE_INDEX32_INSTRUCTIONS,         \
		  KERNEL_IN_REGISTERS, 0)
#define LANES_POINTER_VECTORS_ROW(lanes)                                                           \
	LANES_ROW(pointer_vectors, KERNEL_POINTER, lanes, 1, 2, KERNEL_IN_VECTORS,                 \
		  lanes - (LANES_GENERAL - 1))
#define LANES_INDEX32_VECTORS_ROW(lanes)                                                           \
	LANES_ROW(index32_vectors, KERNEL_INDEX32, lanes, 1, LANES_INDEX32_VECTORS_INSTRUCTIONS,   \
		  KERNEL_IN_VECTORS, lanes - (LANES_GENERAL - 2))
#define LANES_ARRAY_ROWS(lanes)                                                                    \
	LANES_ROW(pointer_array, KERNEL_POINTER, lanes, 2, 3, KERNEL_IN_ARRAY, 0)                  \
	LANES_ROW(index32_array, KERNEL_INDEX32, lanes, 2, LANES_INDEX32_MEMORY_INSTRUCTIONS,      \
		  KERNEL_IN_ARRAY, 0)
#define LANES_STACK_ROWS(lanes)                                                                    \
	LANES_ROW(pointer_stack, KERNEL_POINTER, lanes, 2, 3, KERNEL_ON_STACK, 0)                  \
	LANES_ROW(index32_stack, KERNEL_INDEX32, lanes, 2, LANES_INDEX32_MEMORY_INSTRUCTIONS,      \
		  KERNEL_ON_STACK, 0)
#define LANES_ROWS                                                                                 \
	LANES_POINTER_IN_REGISTERS(LANES_POINTER_REGISTERS_ROW)                                    \
	LANES_INDEX32_IN_REGISTERS(LANES_INDEX32_REGISTERS_ROW)                                    \
	LANES_POINTER_IN_VECTORS(LANES_POINTER_VECTORS_ROW)                                        \
	LANES_INDEX32_IN_VECTORS(LANES_INDEX32_VECTORS_ROW)                                        \
	LANES_IN_MEMORY(LANES_ARRAY_ROWS)                                                          \
	LANES_IN_MEMORY(LANES_STACK_ROWS)

#endif
