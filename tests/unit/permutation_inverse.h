/* The position of a node in the order of a permutation, which the library never asks for. */
#pragma once

#include "kernels/successors.h"

/* Euclid's extended algorithm; the coefficients stay below modulus in size. */
static inline uint64_t inverse_modulo(uint64_t value, uint64_t modulus)
{
	int64_t coefficient = 0, next_coefficient = 1;
	uint64_t rest = modulus, next_rest = value;
	while (next_rest) {
		uint64_t quotient = rest / next_rest;
		uint64_t new_rest = rest % next_rest;
		int64_t new_coefficient = coefficient - (int64_t)quotient * next_coefficient;
		rest = next_rest;
		next_rest = new_rest;
		coefficient = next_coefficient;
		next_coefficient = new_coefficient;
	}
	return coefficient < 0 ? modulus - (uint64_t)-coefficient : (uint64_t)coefficient;
}

/* x < count. */
static inline uint64_t permutation_inverse(const struct permutation *permutation, uint64_t x)
{
	static uint64_t step, count, inverse_step; /* of the permutation that was asked for last */
	if (permutation->step != step || permutation->count != count) {
		step = permutation->step;
		count = permutation->count;
		inverse_step = inverse_modulo(step, count) % count;
	}
	return (uint64_t)((unsigned __int128)successors_inverse(permutation, x) * inverse_step %
			  count);
}
