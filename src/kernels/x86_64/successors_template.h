/* The vectorised successors, included once a variant by successors.c, which defines VARIANT,
 * TARGET, LANES and what the vector extensions of the compiler do not find by themselves:
 * MULTIPLY (of the low 32 bits of each lane, to 64), MINIMUM (of unsigned 32-bit halves) and
 * ANY_NEGATIVE (non-zero when a 64-bit lane is). No include guard: it is meant to repeat. */
#if defined(VARIANT)

#define LOCAL(name) JOIN(name, VARIANT)
#define INLINE      static inline __attribute__((always_inline, target(TARGET)))
/* Vectors in flight: one alone waits for its own latencies. */
#define VECTORS (SUCCESSORS_BLOCK / LANES)

typedef uint64_t LOCAL(lanes) __attribute__((vector_size(8 * LANES)));
typedef int64_t LOCAL(signed_lanes) __attribute__((vector_size(8 * LANES)));
#define lanes LOCAL(lanes)

INLINE lanes LOCAL(all)(uint64_t value)
{
	return value - (lanes){0};
}

INLINE lanes LOCAL(multiply)(lanes a, lanes b)
{
	return (lanes)MULTIPLY(a, b);
}

/* As in permutation.c; only the low 32 bits of what a multiplication takes count. */
INLINE lanes LOCAL(round_hash)(const struct permutation *p, unsigned round, lanes half)
{
	lanes spread = LOCAL(multiply)(half, LOCAL(all)(p->multiply_key[round])) +
		       LOCAL(all)(p->add_key[round]);
	return LOCAL(multiply)(spread, spread) >> 16;
}

INLINE lanes LOCAL(left_hash)(const struct permutation *p, unsigned round, lanes right)
{
	return LOCAL(multiply)(LOCAL(round_hash)(p, round, right), LOCAL(all)(p->lefts)) >> 32;
}

/* a or b, whichever is inside [0, lefts): the other one is larger, or below zero and so larger
 * in its low half, while its high half is all ones against 0. lefts <= 2^31. */
INLINE lanes LOCAL(inside)(lanes a, lanes b)
{
	return (lanes)MINIMUM(a, b);
}

INLINE void LOCAL(network_forward)(const struct permutation *p, lanes x[VECTORS])
{
	lanes mask = LOCAL(all)(((uint64_t)1 << p->bits) - 1), lefts = LOCAL(all)(p->lefts);
	lanes left[VECTORS], right[VECTORS];
	for (unsigned v = 0; v < VECTORS; v++) {
		left[v] = x[v] >> p->bits;
		right[v] = x[v] & mask;
	}
	for (unsigned round = 0; round < PERMUTATION_ROUNDS; round += 2) {
		for (unsigned v = 0; v < VECTORS; v++)
			right[v] = (right[v] + LOCAL(round_hash)(p, round, left[v])) & mask;
		for (unsigned v = 0; v < VECTORS; v++) {
			left[v] += LOCAL(left_hash)(p, round + 1, right[v]);
			left[v] = LOCAL(inside)(left[v], left[v] - lefts);
		}
	}
	for (unsigned v = 0; v < VECTORS; v++)
		x[v] = left[v] << p->bits | right[v];
}

INLINE void LOCAL(network_inverse)(const struct permutation *p, lanes x[VECTORS])
{
	lanes mask = LOCAL(all)(((uint64_t)1 << p->bits) - 1), lefts = LOCAL(all)(p->lefts);
	lanes left[VECTORS], right[VECTORS];
	for (unsigned v = 0; v < VECTORS; v++) {
		left[v] = x[v] >> p->bits;
		right[v] = x[v] & mask;
	}
	for (unsigned round = PERMUTATION_ROUNDS; round > 0; round -= 2) {
		for (unsigned v = 0; v < VECTORS; v++) {
			left[v] -= LOCAL(left_hash)(p, round - 1, right[v]);
			left[v] = LOCAL(inside)(left[v], left[v] + lefts);
		}
		for (unsigned v = 0; v < VECTORS; v++)
			right[v] = (right[v] - LOCAL(round_hash)(p, round - 2, left[v])) & mask;
	}
	for (unsigned v = 0; v < VECTORS; v++)
		x[v] = left[v] << p->bits | right[v];
}

/* The few lanes that fell outside go on alone. */
INLINE void LOCAL(walk)(const struct permutation *p, lanes x[VECTORS],
			uint64_t go_on(const struct permutation *, uint64_t))
{
	lanes outside = {0};
	for (unsigned v = 0; v < VECTORS; v++)
		outside |= LOCAL(all)(p->count - 1) - x[v];
	if (__builtin_expect(!ANY_NEGATIVE(outside), 1))
		return;
	/* through a copy, so that x itself stays in registers */
	uint64_t values[SUCCESSORS_BLOCK];
	__builtin_memcpy(values, x, sizeof(values));
	for (unsigned i = 0; i < SUCCESSORS_BLOCK; i++)
		if (values[i] >= p->count)
			values[i] = go_on(p, values[i]);
	__builtin_memcpy(x, values, sizeof(values));
}

__attribute__((target(TARGET))) void LOCAL(successors)(const struct permutation *permutation,
						       uint64_t first,
						       uint64_t next[SUCCESSORS_BLOCK])
{
	const struct permutation *p = permutation;
	lanes ascending, x[VECTORS];
	for (unsigned lane = 0; lane < LANES; lane++)
		ascending[lane] = lane;
	for (unsigned v = 0; v < VECTORS; v++)
		x[v] = ascending + LOCAL(all)(first + v * LANES);
	LOCAL(network_inverse)(p, x);
	LOCAL(walk)(p, x, successors_inverse);
	for (unsigned v = 0; v < VECTORS; v++) {
		lanes place = x[v] + LOCAL(all)(p->step) - LOCAL(all)(p->count);
		lanes below = (lanes)((LOCAL(signed_lanes))place < 0);
		x[v] = place + (below & LOCAL(all)(p->count));
	}
	LOCAL(network_forward)(p, x);
	LOCAL(walk)(p, x, successors_forward);
	__builtin_memcpy(next, x, sizeof(x));
}

#undef lanes
#undef VECTORS
#undef INLINE
#undef LOCAL
#undef ANY_NEGATIVE
#undef MINIMUM
#undef MULTIPLY
#undef LANES
#undef TARGET
#undef VARIANT

#endif
