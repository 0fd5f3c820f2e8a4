#include "model/inside.h"

#include <math.h>

#define FIRST_SHARE  0.5 /* of the first cache: sets are filled unevenly */
#define LAST_SHARE   0.7 /* of any cache: beyond it some sets overflow */
#define TIMES_BEFORE 4.0 /* a random cache answers 2 % of a cycle so much larger, LRU nothing */
#define STEPS        4.0 /* sizes to an octave: 1, 1.25, 1.5, 1.75 times a power of two */

/* Down to a size that reads well. */
static uint64_t plain_size(double bytes)
{
	double power = exp2(floor(log2(bytes)));
	return (uint64_t)(power * floor(bytes / power * STEPS) / STEPS);
}

static double inside_cache(double before_bytes, const struct fathom_level *level)
{
	double least = isnan(level->size_low_bytes) ? level->size_bytes : level->size_low_bytes;
	double most = LAST_SHARE * least;
	if (before_bytes == 0)
		return FIRST_SHARE * least;
	if (TIMES_BEFORE * before_bytes <= most)
		return fmin(most, fmax(TIMES_BEFORE * before_bytes, sqrt(before_bytes * least)));
	return sqrt(before_bytes * least);
}

size_t inside_sizes(const struct fathom_result *result, uint64_t most_bytes, uint64_t *sizes_bytes,
		    const struct fathom_level **levels, size_t most)
{
	double before_bytes = 0;
	size_t count = 0;
	for (size_t i = 0; i < result->level_count && count < most; i++) {
		const struct fathom_level *level = &result->levels[i];
		double bytes = NAN;
		if (level->kind == FATHOM_LEVEL_CACHE && !isnan(level->size_bytes))
			bytes = inside_cache(before_bytes, level);
		else if (level->kind == FATHOM_LEVEL_MEMORY)
			bytes = fmin((double)most_bytes, level->at_bytes);
		if (!(bytes >= 1) || bytes > (double)most_bytes)
			continue;
		if (level->kind == FATHOM_LEVEL_CACHE)
			before_bytes = level->size_bytes;
		sizes_bytes[count] = plain_size(bytes);
		levels[count++] = level;
	}
	return count;
}
