#include "model/checks/coarse.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/text.h"
#include "base/warnings.h"

#define LEAST_PER_OCTAVE 2.0
#define LEAST_POINTS     4
#define NEAR             2.0  /* times a reported size: what one size an octave can tell */
#define EDGE             1.05 /* sizes are rounded */

/* Sizes an octave of another tool's curve; INFINITY: it is fathom's, or has too few to say. */
static double density(const struct fathom_curve *curve)
{
	size_t count = curve->point_count;
	if (!curve->tool || count < LEAST_POINTS)
		return INFINITY;
	double octaves = log2((double)curve->points[count - 1].spec.size_bytes /
			      (double)curve->points[0].spec.size_bytes);
	return (double)(count - 1) / octaves;
}

static bool is_coarse(const struct fathom_result *result, const struct fathom_level *level)
{
	return level->curve < result->curve_count &&
	       density(&result->curves[level->curve]) < LEAST_PER_OCTAVE / EDGE;
}

/* The reported cache for data that is nearest to the level's size, if within NEAR; NULL: none. */
static const struct fathom_cache *find_reported(const struct fathom_result *result,
						const struct fathom_level *level)
{
	const struct fathom_machine *machine = result->machine;
	const struct fathom_cache *found = NULL;
	double least = log(NEAR * EDGE);
	for (size_t i = 0; machine && i < machine->cache_count; i++) {
		double off = fabs(log(level->size_bytes / (double)machine->caches[i].size_bytes));
		if (machine->caches[i].kind == FATHOM_CACHE_INSTRUCTION || !(off <= least))
			continue;
		least = off;
		found = &machine->caches[i];
	}
	return found;
}

static bool is_reported(const struct fathom_result *result, const struct fathom_level *level)
{
	return level->kind == FATHOM_LEVEL_CACHE && find_reported(result, level);
}

/* Of a cache, of a TLB, or of a step that the curve has not told before either. */
static bool is_open(const struct fathom_result *result, const struct fathom_level *level)
{
	return is_coarse(result, level) && level->kind != FATHOM_LEVEL_MEMORY &&
	       !is_reported(result, level);
}

/* Takes `name` over. */
static int rename_level(struct fathom_level *level, char *name, struct fathom_error *error)
{
	if (!name)
		return error_no_memory(error);
	free(level->name);
	level->name = name;
	return 0;
}

static int become_step(struct fathom_level *level, size_t number, struct fathom_error *error)
{
	char *evidence = strdup("fewer than two sizes per octave do not tell whose step it is");
	if (!evidence || rename_level(level, text_format("step %zu", number), error)) {
		free(evidence);
		return error_no_memory(error);
	}
	free(level->evidence);
	free(level->replacement_evidence);
	level->evidence = evidence;
	level->replacement_evidence = NULL;
	level->replacement = FATHOM_REPLACEMENT_UNDECIDABLE;
	level->kind = FATHOM_LEVEL_UNKNOWN;
	level->increment_bytes = level->entries = NAN;
	level->entry_bytes = level->reported_bytes = 0;
	return 0;
}

/* By the name that the machine has for a cache of that size. */
static int become_reported(const struct fathom_result *result, struct fathom_level *level,
			   struct fathom_error *error)
{
	const struct fathom_cache *cache = find_reported(result, level);
	level->reported_bytes = cache->size_bytes;
	return rename_level(level, text_format("L%u", cache->level), error);
}

/* Of what does not end in the curve, as far as it goes. */
static double size_of(const struct fathom_level *level)
{
	return isfinite(level->size_bytes) ? level->size_bytes : level->size_low_bytes;
}

/* Caches and memory first, as they stand; then the steps, by size. */
static int compare(const void *a, const void *b)
{
	const struct fathom_level *x = a, *y = b;
	bool x_open = x->kind == FATHOM_LEVEL_UNKNOWN, y_open = y->kind == FATHOM_LEVEL_UNKNOWN;
	if (x->curve != y->curve)
		return x->curve < y->curve ? -1 : 1;
	if (x_open != y_open)
		return x_open ? 1 : -1;
	if (!x_open && (x->kind == FATHOM_LEVEL_MEMORY) != (y->kind == FATHOM_LEVEL_MEMORY))
		return x->kind == FATHOM_LEVEL_MEMORY ? 1 : -1;
	return (size_of(x) > size_of(y)) - (size_of(x) < size_of(y));
}

static int settle_level(const struct fathom_result *result, struct fathom_level *level,
			size_t *steps, struct fathom_error *error)
{
	if (level->kind == FATHOM_LEVEL_UNKNOWN)
		return become_step(level, ++*steps, error);
	return level->kind == FATHOM_LEVEL_CACHE ? become_reported(result, level, error) : 0;
}

/* Lies a step that may be a cache's, or what is taken for a TLB without proof, below a cache? Then
 * nobody can say the how many-th cache that is. */
static bool has_open_below(const struct fathom_result *result, size_t curve)
{
	double least = INFINITY, most = 0;
	for (size_t i = 0; i < result->level_count; i++) {
		const struct fathom_level *level = &result->levels[i];
		bool cache = level->kind == FATHOM_LEVEL_CACHE;
		if (level->curve != curve || level->kind == FATHOM_LEVEL_MEMORY)
			continue;
		most = cache ? fmax(most, size_of(level)) : most;
		least = cache ? least : fmin(least, size_of(level));
	}
	return least < most;
}

static int settle_curve(struct fathom_result *result, size_t curve, struct fathom_error *error)
{
	struct fathom_level *levels = result->levels;
	size_t steps = 0;
	if (!has_open_below(result, curve))
		return 0;
	for (size_t i = 0; i < result->level_count; i++)
		if (levels[i].curve == curve && is_open(result, &levels[i]))
			levels[i].kind = FATHOM_LEVEL_UNKNOWN;
	qsort(levels, result->level_count, sizeof(*levels), compare);
	for (size_t i = 0; i < result->level_count; i++)
		if (levels[i].curve == curve && settle_level(result, &levels[i], &steps, error))
			return -1;
	if (steps == 0)
		return 0;
	return warnings_add(
		       &result->warnings, "coarse", NULL,
		       "measure more sizes per octave; what else is known of the curve can be "
		       "said with --order and --caches",
		       "the curve has fewer than two sizes per octave: it shows that there are "
		       "steps, but not whether caches or TLBs make them, nor their sizes to "
		       "less than a factor of 2")
		       ? error_no_memory(error)
		       : 0;
}

int coarse_settle(struct fathom_result *result, struct fathom_error *error)
{
	for (size_t i = 0; i < result->curve_count; i++)
		if (density(&result->curves[i]) < LEAST_PER_OCTAVE / EDGE &&
		    settle_curve(result, i, error))
			return -1;
	return 0;
}
