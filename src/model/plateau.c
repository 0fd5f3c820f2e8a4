#include "model/plateau.h"

#include <math.h>

#define FIRST_SHARE  0.5 /* of the first cache: sets are filled unevenly; of a range of sizes */
#define LAST_SHARE   0.7 /* of any cache: beyond it some sets overflow */
#define TIMES_BEFORE 4.0 /* a random cache answers 2 % of a cycle so much larger, LRU nothing */
#define ROOM         2.0 /* the end of a range of sizes over its begin, that some are in it */
#define STEPS        4.0 /* sizes to an octave: 1, 1.25, 1.5, 1.75 times a power of two */

/* Down to a size that reads well. */
static uint64_t plain_size(double bytes)
{
	double power = exp2(floor(log2(bytes)));
	return (uint64_t)(power * floor(bytes / power * STEPS) / STEPS);
}

static double least_reach(const struct fathom_level *level)
{
	return isnan(level->size_low_bytes) ? level->size_bytes : level->size_low_bytes;
}

static double inside_cache(double before_bytes, const struct fathom_level *level)
{
	double least = least_reach(level);
	double most = LAST_SHARE * least;
	if (before_bytes == 0)
		return FIRST_SHARE * least;
	if (TIMES_BEFORE * before_bytes <= most)
		return fmin(most, fmax(TIMES_BEFORE * before_bytes, sqrt(before_bytes * least)));
	return sqrt(before_bytes * least);
}

/* How far it reaches; of a cache whose end was not seen, as far as is known. */
static double reach_of(const struct fathom_level *level)
{
	return isnan(level->size_bytes) ? level->size_low_bytes : level->size_bytes;
}

/* Caches by reach come first in a result. Other curves have levels of their own. */
static const struct fathom_level *cache_before(const struct fathom_result *result,
					       const struct fathom_level *level)
{
	const struct fathom_level *before = NULL;
	for (size_t i = 0; i < result->level_count; i++)
		if (result->levels[i].kind == FATHOM_LEVEL_CACHE &&
		    result->levels[i].curve == level->curve &&
		    reach_of(&result->levels[i]) < reach_of(level))
			before = &result->levels[i];
	return before;
}

static const struct fathom_level *last_cache(const struct fathom_result *result, size_t curve)
{
	const struct fathom_level *last = NULL;
	for (size_t i = 0; i < result->level_count; i++)
		if (result->levels[i].kind == FATHOM_LEVEL_CACHE &&
		    result->levels[i].curve == curve &&
		    (!last || reach_of(&result->levels[i]) > reach_of(last)))
			last = &result->levels[i];
	return last;
}

static bool is_cache(const struct fathom_result *result, const struct fathom_level *level)
{
	if (level->kind != FATHOM_LEVEL_UNKNOWN)
		return level->kind == FATHOM_LEVEL_CACHE;
	const struct fathom_level *before = cache_before(result, level);
	return before && level->penalty_ns > before->latency_ns;
}

/* The cache with the smallest reach of at least so much, or more; NULL: none. */
static const struct fathom_level *next_cache(const struct fathom_result *result, double bytes,
					     bool or_as_much)
{
	const struct fathom_level *next = NULL;
	for (size_t i = 0; i < result->level_count; i++) {
		const struct fathom_level *level = &result->levels[i];
		double reach = reach_of(level);
		bool enough = or_as_much ? reach >= bytes : reach > bytes;
		if (enough && is_cache(result, level) && (!next || reach < reach_of(next)))
			next = level;
	}
	return next;
}

static const struct fathom_level *find_memory(const struct fathom_result *result)
{
	for (size_t i = 0; i < result->level_count; i++)
		if (result->levels[i].kind == FATHOM_LEVEL_MEMORY)
			return &result->levels[i];
	return NULL;
}

const struct fathom_level *plateau_level(const struct fathom_result *result, uint64_t size_bytes)
{
	const struct fathom_level *cache = next_cache(result, (double)size_bytes, true);
	return cache ? cache : find_memory(result);
}

size_t plateau_sizes(const struct fathom_result *result, uint64_t most_bytes, uint64_t *sizes_bytes,
		     const struct fathom_level **levels, size_t most)
{
	const struct fathom_level *memory = find_memory(result), *level;
	double before_bytes = 0;
	size_t count = 0;
	while (count < most && (level = next_cache(result, before_bytes, false)) &&
	       !isnan(level->size_bytes)) {
		double bytes = inside_cache(before_bytes, level);
		before_bytes = level->size_bytes;
		if (bytes > (double)most_bytes)
			break;
		sizes_bytes[count] = plain_size(bytes);
		levels[count++] = level;
	}
	if (memory && count < most) {
		sizes_bytes[count] = plain_size(fmin((double)most_bytes, memory->at_bytes));
		levels[count++] = memory;
	}
	return count;
}

/* From where the cache before hardly answers; `end_bytes`: what is known of the level itself. */
static double inside_from(const struct fathom_level *before, double end_bytes)
{
	double before_bytes = before ? reach_of(before) : 0;
	double far = TIMES_BEFORE * before_bytes;
	return ROOM * far <= end_bytes ? far : sqrt(before_bytes * end_bytes);
}

bool plateau_range(const struct fathom_result *result, const struct fathom_level *level,
		   double *low_bytes, double *high_bytes)
{
	bool memory = level->kind == FATHOM_LEVEL_MEMORY;
	double end_bytes = memory ? level->at_bytes : FIRST_SHARE * least_reach(level);
	if (!(memory || level->kind == FATHOM_LEVEL_CACHE) || !(end_bytes > 0))
		return false;
	*low_bytes = inside_from(
		memory ? last_cache(result, level->curve) : cache_before(result, level), end_bytes);
	*high_bytes = memory ? INFINITY : end_bytes;
	return *low_bytes < *high_bytes;
}

bool plateau_has_levels(const struct fathom_result *result, size_t curve)
{
	for (size_t i = 0; i < result->level_count; i++)
		if (result->levels[i].curve == curve)
			return true;
	return false;
}

bool plateau_is_in_first_cache(const struct fathom_result *result, uint64_t size_bytes)
{
	const struct fathom_level *level = plateau_level(result, size_bytes);
	const struct fathom_machine *machine = result->machine;
	if (result->level_count)
		return level && level == result->levels && level->kind == FATHOM_LEVEL_CACHE;
	for (size_t i = 0; machine && i < machine->cache_count; i++)
		if (machine->caches[i].level == 1 &&
		    machine->caches[i].kind != FATHOM_CACHE_INSTRUCTION)
			return size_bytes <= machine->caches[i].size_bytes;
	return false;
}
