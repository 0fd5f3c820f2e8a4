/* The loops that each ISA directory writes in its own instructions, under the same names. */
#ifndef KERNELS_CHASE_H
#define KERNELS_CHASE_H

#include "kernels/kernels.h"

/* What kernels.c tells of them; CHASE_ISA is left undefined where there are none. */
#if defined(__x86_64__)
#define CHASE_ISA                  "x86_64"
#define CHASE_INDEX32_INSTRUCTIONS 1
#elif defined(__aarch64__)
#define CHASE_ISA                  "aarch64"
#define CHASE_INDEX32_INSTRUCTIONS 1
#elif defined(__riscv) && __riscv_xlen == 64
#define CHASE_ISA                  "riscv64"
#define CHASE_INDEX32_INSTRUCTIONS 3 /* no scaled addressing */
#endif

kernel_run chase_pointer;
kernel_run chase_index32;
void chase_add(uint64_t count);
void chase_multiply(uint64_t count);

/* For .rept: how often an instruction is repeated in a loop. */
#define CHASE_TEXT_OF(number) #number
#define CHASE_TEXT(number)    CHASE_TEXT_OF(number)
#define CHASE_UNROLL          CHASE_TEXT(KERNEL_UNROLL)

#endif
