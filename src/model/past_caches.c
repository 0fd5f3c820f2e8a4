#include "model/past_caches.h"

#include <math.h>

double past_caches_bytes(const struct fathom_result *result)
{
	double last_bytes = 0;
	for (size_t i = 0; i < result->level_count; i++) {
		const struct fathom_level *level = &result->levels[i];
		if (level->kind == FATHOM_LEVEL_CACHE)
			last_bytes =
				fmax(last_bytes,
				     isfinite(level->size_bytes) ? level->size_bytes : INFINITY);
	}
	return last_bytes;
}

bool past_caches(const struct fathom_result *result, const struct fathom_parallelism *measured)
{
	return measured->level && (double)measured->size_bytes > past_caches_bytes(result);
}
