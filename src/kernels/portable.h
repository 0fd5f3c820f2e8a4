/* The loops in plain C: what every other one is tested against. */
#pragma once

#include "kernels/kernels.h"
#include "kernels/laps.h"

kernel_run portable_pointer;
kernel_run portable_index32;
kernel_run portable_pointer_lanes;
kernel_run portable_index32_lanes;
kernel_run portable_pointer_lanes_stack;
kernel_run portable_index32_lanes_stack;
kernel_run portable_independent64;
kernel_run portable_independent32;
kernel_run portable_independent8;
kernel_sum portable_index_array;
kernel_sum portable_index_bytes;
kernel_sum portable_index_array_kept;
kernel_sum portable_index_bytes_kept;
kernel_sum portable_stride_loop;
kernel_sum portable_linear_sum;
kernel_sum portable_branches;
kernel_sum portable_locks;
kernel_run portable_read;
kernel_run portable_write;
kernel_run portable_copy;
kernel_run portable_update;
void portable_add(uint64_t count);
void portable_multiply(uint64_t count);
void portable_add_apart(uint64_t count);
