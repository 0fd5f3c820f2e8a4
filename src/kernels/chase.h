/* The loops of one lane in an ISA's own instructions: each ISA's hops.h says what a hop is. */
#pragma once

#include "kernels/laps.h"

/* CHASE_ISA is left undefined where there are none. */
#if defined(__x86_64__)
#include "kernels/x86_64/hops.h"
#elif defined(__aarch64__)
#include "kernels/aarch64/hops.h"
#elif defined(__riscv) && __riscv_xlen == 64
#include "kernels/riscv64/hops.h"
#endif

kernel_run chase_pointer;
kernel_run chase_index32;
/* One load in the loop, as programs have it. */
kernel_run chase_pointer_rolled;
kernel_run chase_index32_rolled;
/* Multiples of KERNEL_UNROLL nodes, 0 too. */
kernel_sum chase_index_array;
kernel_sum chase_index_bytes;
kernel_sum chase_index_array_kept;
kernel_sum chase_index_bytes_kept;
kernel_sum chase_stride_loop;
kernel_sum chase_linear_sum;
void chase_add(uint64_t count);
void chase_multiply(uint64_t count);
void chase_add_apart(uint64_t count);

/* What counts the hops and branches back, on each ISA. */
#define CHASE_LOOP_INSTRUCTIONS 2
