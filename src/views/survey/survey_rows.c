#include "views/survey/survey_rows.h"

#include <math.h>
#include <string.h>

#include "model/past_caches.h"

#define SURE        0.9
#define UNEXPLAINED 0.05 /* of an access: less is the noise of two runs */

static bool is_row(const struct fathom_level *level)
{
	return level->name &&
	       (level->kind == FATHOM_LEVEL_CACHE || level->kind == FATHOM_LEVEL_MEMORY);
}

/* Memory is all that lies past the caches, whatever the steps there are called. */
static bool is_of(const struct fathom_result *result, const struct fathom_level *level,
		  const struct fathom_parallelism *one)
{
	if (level->kind == FATHOM_LEVEL_MEMORY)
		return past_caches(result, one);
	return one->level && strcmp(one->level, level->name) == 0;
}

/* At the largest size that is in the level, of the kinds of pages the one with which accesses
 * overlap most, or with `reading` the one that reading in order was measured on. */
static const struct fathom_parallelism *
find_parallelism(const struct fathom_result *result, const struct fathom_level *level, bool reading)
{
	const struct fathom_parallelism *found = NULL;
	double most = NAN;
	for (size_t i = 0; i < result->parallelism_count; i++) {
		const struct fathom_parallelism *one = &result->parallelism[i];
		double value = reading ? one->read_bytes_per_second : one->speedup;
		if (!is_of(result, level, one) || !isfinite(value))
			continue;
		if (!found || one->size_bytes > found->size_bytes ||
		    (one->size_bytes == found->size_bytes && value > most)) {
			found = one;
			most = value;
		}
	}
	return found;
}

/* The largest size that is more than the cache before holds and no more than this one. */
static const struct fathom_decomposition *find_decomposition(const struct fathom_result *result,
							     const struct fathom_level *level,
							     const struct fathom_level *before)
{
	const struct fathom_decomposition *found = NULL;
	for (size_t i = 0; i < result->decomposition_count; i++) {
		const struct fathom_decomposition *one = &result->decompositions[i];
		double bytes = (double)one->size_bytes;
		bool open = level->kind == FATHOM_LEVEL_MEMORY || !isfinite(level->size_bytes);
		if ((!before || bytes > before->size_bytes) && (open || bytes <= level->size_bytes))
			found = one;
	}
	return found;
}

bool survey_rows_next(const struct fathom_result *result, size_t *at, struct survey_row *row)
{
	const struct fathom_level *before = row->level;
	for (; *at < result->level_count; ++*at) {
		const struct fathom_level *level = &result->levels[*at];
		if (!is_row(level))
			continue;
		*row = (struct survey_row){level, find_parallelism(result, level, true),
					   find_parallelism(result, level, false),
					   find_decomposition(result, level, before)};
		++*at;
		return true;
	}
	return false;
}

struct survey_row survey_rows_find(const struct fathom_result *result, const char *name)
{
	struct survey_row row = {0};
	for (size_t at = 0; survey_rows_next(result, &at, &row);)
		if (strcmp(row.level->name, name) == 0)
			return row;
	return (struct survey_row){0};
}

bool survey_rows_is_sure(const struct fathom_level *level)
{
	return level->confidence >= SURE && isfinite(level->latency_low_ns);
}

struct estimate survey_rows_latency(const struct fathom_level *level)
{
	return ESTIMATE(level, latency, _ns);
}

double survey_rows_translation_ns(const struct fathom_decomposition *decomposition)
{
	if (!decomposition)
		return NAN;
	double tlb_ns = decomposition->parts[FATHOM_PART_TLB].ns;
	double walk_ns = decomposition->parts[FATHOM_PART_WALK].ns;
	return isnan(tlb_ns) ? walk_ns : isnan(walk_ns) ? tlb_ns : tlb_ns + walk_ns;
}

bool survey_rows_translation_is_bound(const struct fathom_decomposition *decomposition)
{
	if (!decomposition)
		return false;
	const struct fathom_cost *parts = decomposition->parts;
	const struct fathom_cost *residual = &parts[FATHOM_PART_RESIDUAL];
	return isnan(parts[FATHOM_PART_TLB].ns) || isnan(parts[FATHOM_PART_WALK].ns) ||
	       (isfinite(parts[FATHOM_PART_MEMORY].ns) && residual->low_ns > 0 &&
		residual->ns > UNEXPLAINED * decomposition->total.ns);
}
