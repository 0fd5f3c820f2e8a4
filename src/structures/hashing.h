/* What the hash tables have in common. */
#pragma once

#include "structures/operate.h"

/* In [0, places). */
OPERATE_INLINE uint64_t hash_place(uint64_t key, uint64_t multiplier, uint64_t places)
{
	return scaled(key * multiplier, places);
}

#define HASH_MULTIPLIER 0xff51afd7ed558ccd /* odd (MurmurHash3) */

/* Buckets or slots of so many keys. */
OPERATE_INLINE uint64_t hash_places(const struct structures_shape *shape)
{
	uint64_t places = (uint64_t)((double)shape->keys / shape->load);
	return places > 0 ? places : 1;
}
