/* The loops that each ISA directory writes in its own instructions, under the same names. */
#ifndef KERNELS_CHASE_H
#define KERNELS_CHASE_H

#include "kernels/laps.h"

/* What kernels.c tells of them; CHASE_ISA is left undefined where there are none. */
#if defined(__x86_64__)
#define CHASE_ISA                      "x86_64"
#define CHASE_INDEX32_INSTRUCTIONS     1
#define CHASE_INDEX_ARRAY_INSTRUCTIONS 4
#define CHASE_INDEX_BYTES_INSTRUCTIONS 4
#define CHASE_STRIDE_LOOP_INSTRUCTIONS 2
#define CHASE_LINEAR_SUM_INSTRUCTIONS  9
#elif defined(__aarch64__)
#define CHASE_ISA                      "aarch64"
#define CHASE_INDEX32_INSTRUCTIONS     1
#define CHASE_INDEX_ARRAY_INSTRUCTIONS 4
#define CHASE_INDEX_BYTES_INSTRUCTIONS 3
#define CHASE_STRIDE_LOOP_INSTRUCTIONS 3
#define CHASE_LINEAR_SUM_INSTRUCTIONS  17
#elif defined(__riscv) && __riscv_xlen == 64
#define CHASE_ISA                      "riscv64"
#define CHASE_INDEX32_INSTRUCTIONS     3 /* no scaled addressing */
#define CHASE_INDEX_ARRAY_INSTRUCTIONS 6
#define CHASE_INDEX_BYTES_INSTRUCTIONS 5
#define CHASE_STRIDE_LOOP_INSTRUCTIONS 3
#define CHASE_LINEAR_SUM_INSTRUCTIONS  17
#endif

kernel_run chase_pointer;
kernel_run chase_index32;
kernel_run chase_pointer_rolled;
kernel_run chase_index32_rolled;
/* Multiples of KERNEL_UNROLL nodes, 0 too. */
kernel_sum chase_index_array;
kernel_sum chase_index_bytes;
kernel_sum chase_stride_loop;
kernel_sum chase_linear_sum;
void chase_add(uint64_t count);
void chase_multiply(uint64_t count);

/* What counts the hops and branches back, on each ISA. */
#define CHASE_LOOP_INSTRUCTIONS 2

/* For .rept: how often an instruction is repeated in a loop. */
#define CHASE_TEXT_OF(number) #number
#define CHASE_TEXT(number)    CHASE_TEXT_OF(number)
#define CHASE_UNROLL          CHASE_TEXT(KERNEL_UNROLL)

#endif
