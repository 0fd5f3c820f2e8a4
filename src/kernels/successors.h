/* Between permutation.c and its vectorised inner loops in the ISA directories. */
#pragma once

#include "kernels/permutation.h"

/* Nodes in one call: several vectors, so that their long dependent chains overlap. */
#define SUCCESSORS_BLOCK 32

/* next[i] = the node that follows node first + i, for i < SUCCESSORS_BLOCK; all of them < count. */
typedef void successors_find(const struct permutation *permutation, uint64_t first,
			     uint64_t next[SUCCESSORS_BLOCK]);

#if defined(__x86_64__)
successors_find successors_avx512; /* needs AVX-512F */
successors_find successors_avx2;
#endif

/* The network on [0, count): goes on through it until the value is inside. x may be outside when
 * it comes from a walk, as what a vector holds does. */
uint64_t successors_forward(const struct permutation *permutation, uint64_t x);
uint64_t successors_inverse(const struct permutation *permutation, uint64_t x);
