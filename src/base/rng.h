/* Random numbers with an explicit seed; nothing global. */
#pragma once

#include <stdint.h>

/* xoshiro256** by Blackman and Vigna (2018), seeded through splitmix64. */
struct rng {
	uint64_t state[4];
};

struct rng rng_make(uint64_t seed);
uint64_t rng_next(struct rng *rng);
/* Uniform in [0, bound), bound > 0, without bias (Lemire 2019). */
uint64_t rng_below(struct rng *rng, uint64_t bound);
/* Uniform in [0, 1). */
double rng_unit(struct rng *rng);
/* Standard normal (Box-Muller, one of the pair). */
double rng_normal(struct rng *rng);

/* One number out of two, well mixed: keys that derive from a seed (splitmix64's finaliser). */
uint64_t rng_mix(uint64_t seed, uint64_t index);
/* From the operating system; the fallback is the address space's own randomness. */
uint64_t rng_entropy(void);
