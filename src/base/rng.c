#include "base/rng.h"

#include <math.h>
#include <sys/random.h>

uint64_t rng_mix(uint64_t seed, uint64_t index)
{
	uint64_t z = seed + (index + 1) * 0x9E3779B97F4A7C15u;
	z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
	z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
	return z ^ (z >> 31);
}

struct rng rng_make(uint64_t seed)
{
	struct rng rng;
	for (int i = 0; i < 4; i++)
		rng.state[i] = rng_mix(seed, (uint64_t)i);
	return rng;
}

static uint64_t rotate_left(uint64_t x, int bits)
{
	return (x << bits) | (x >> (64 - bits));
}

uint64_t rng_next(struct rng *rng)
{
	uint64_t *s = rng->state;
	uint64_t result = rotate_left(s[1] * 5, 7) * 9;
	uint64_t t = s[1] << 17;
	s[2] ^= s[0];
	s[3] ^= s[1];
	s[1] ^= s[2];
	s[0] ^= s[3];
	s[2] ^= t;
	s[3] = rotate_left(s[3], 45);
	return result;
}

uint64_t rng_below(struct rng *rng, uint64_t bound)
{
	for (;;) {
		unsigned __int128 product = (unsigned __int128)rng_next(rng) * bound;
		uint64_t low = (uint64_t)product;
		if (low >= bound || low >= -bound % bound)
			return (uint64_t)(product >> 64);
	}
}

double rng_unit(struct rng *rng)
{
	return (double)(rng_next(rng) >> 11) * 0x1p-53;
}

double rng_normal(struct rng *rng)
{
	double radius = sqrt(-2 * log(1 - rng_unit(rng)));
	return radius * cos(2 * M_PI * rng_unit(rng));
}

uint64_t rng_entropy(void)
{
	uint64_t value;
	if (getrandom(&value, sizeof(value), GRND_NONBLOCK) != (ssize_t)sizeof(value))
		value = rng_mix((uint64_t)(uintptr_t)&value, (uint64_t)(uintptr_t)&rng_entropy);
	return value;
}
