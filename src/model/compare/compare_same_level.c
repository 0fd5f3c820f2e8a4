#include "model/compare/compare_same_level.h"

#include <math.h>

#include "model/plateau.h"

static size_t count_caches(const struct fathom_result *result)
{
	size_t count = 0;
	for (size_t i = 0; i < result->level_count; i++)
		count += result->levels[i].kind == FATHOM_LEVEL_CACHE;
	return count;
}

static size_t caches_of(const struct compare_set *set, size_t run)
{
	return count_caches(compare_set_run(set, run)->result);
}

/* How many runs have fewer caches than that, or as many. */
static size_t count_up_to(const struct compare_set *set, size_t caches, bool or_as_many)
{
	size_t count = 0;
	for (size_t run = 0; run < compare_set_count(set); run++)
		count += caches_of(set, run) < caches ||
			 (or_as_many && caches_of(set, run) == caches);
	return count;
}

size_t compare_reference(const struct compare_set *set)
{
	size_t runs = compare_set_count(set);
	for (size_t run = 0; run < runs; run++) {
		size_t caches = caches_of(set, run), middle = (runs - 1) / 2;
		if (count_up_to(set, caches, false) <= middle &&
		    count_up_to(set, caches, true) > middle)
			return run;
	}
	return 0;
}

size_t compare_level_rank(const struct fathom_result *result, const struct fathom_level *level)
{
	size_t rank = 0;
	for (size_t i = 0; &result->levels[i] < level; i++)
		rank += result->levels[i].curve != result->levels[i + 1].curve;
	return rank;
}

const struct fathom_level *compare_find_level(const struct fathom_result *result, size_t rank,
					      double low_bytes, double high_bytes,
					      enum fathom_level_kind kind)
{
	const struct fathom_level *found = NULL;
	double most = 0, low, high;
	for (size_t i = 0; i < result->level_count; i++) {
		const struct fathom_level *level = &result->levels[i];
		if (level->kind != kind || compare_level_rank(result, level) != rank ||
		    !plateau_range(result, level, &low, &high))
			continue;
		if (kind == FATHOM_LEVEL_MEMORY)
			return level;
		double common = log(fmin(high, high_bytes) / fmax(1, fmax(low, low_bytes)));
		if (common > most) {
			most = common;
			found = level;
		}
	}
	return found;
}

bool compare_is_of_curve(const struct fathom_result *result, size_t curve,
			 const struct fathom_point *point)
{
	if (curve >= result->curve_count)
		return false;
	const struct fathom_curve *of = &result->curves[curve];
	return of->point_count && point >= of->points && point < of->points + of->point_count;
}
