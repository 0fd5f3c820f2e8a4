#include <math.h>

#include "model/levels/levels.h"

#define WIDE_SHARE 0.03 /* a reach better known than that needs no further size */

/* The measured sizes next to either side of `bytes` on the curve; 0: none. */
static void neighbours(const struct fathom_curve *curve, double bytes, uint64_t *below,
		       uint64_t *above)
{
	*below = *above = 0;
	for (size_t i = 0; i < curve->point_count; i++) {
		uint64_t size = curve->points[i].spec.size_bytes;
		if ((double)size <= bytes && size > *below)
			*below = size;
		if ((double)size > bytes && (*above == 0 || size < *above))
			*above = size;
	}
}

size_t levels_wanted(const struct fathom_result *result, uint64_t *sizes_bytes, size_t most)
{
	size_t count = 0;
	for (size_t i = 0; i < result->level_count && count < most; i++) {
		const struct fathom_level *level = &result->levels[i];
		double wide = level->size_high_bytes / level->size_low_bytes - 1;
		uint64_t below, above;
		if (level->kind != FATHOM_LEVEL_CACHE || !(wide > 2 * WIDE_SHARE))
			continue;
		neighbours(&result->curves[level->curve], level->size_bytes, &below, &above);
		if (below && above && (double)above > (1 + WIDE_SHARE) * (double)below)
			sizes_bytes[count++] =
				(uint64_t)llround(sqrt((double)below * (double)above));
	}
	return count;
}
