#include "model/prefetchers.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/list.h"
#include "base/point.h"
#include "base/stats.h"
#include "document/table.h"

/* Less than that of the slower pattern comes also of page tables that are read in another order. */
#define LEAST_SHARE 0.05

/* `without`: the pattern that the prefetcher cannot help, `with`: the one that it can. */
struct contrast {
	const char *name;
	enum fathom_pattern without, with;
	bool nearer; /* of two curves of the pattern `with` is the one with the shorter stride */
	double accesses; /* over which what is saved on one is spread */
};

static const struct contrast contrasts[] = {
	/* Both stay in a page for as many accesses. */
	{"stride", FATHOM_PAGE_LOCAL, FATHOM_SEQUENTIAL, false, 1},
	/* The second access of a pair goes to the other line of two, or to the line after these. */
	{"adjacent line", FATHOM_LINE_PAIR, FATHOM_LINE_PAIR, true, 2},
	/* Only a cycle comes by in the same order again. */
	{"temporal", FATHOM_RANDOM_LAPS, FATHOM_RANDOM_CYCLE, false, 1},
};
#define CONTRAST_COUNT (sizeof(contrasts) / sizeof(*contrasts))

/* The first curve of the pattern, or of the longest stride, or of the shortest. */
static const struct fathom_curve *find_curve(const struct fathom_result *result,
					     enum fathom_pattern pattern, bool nearest)
{
	const struct fathom_curve *found = NULL;
	for (size_t i = 0; i < result->curve_count; i++) {
		const struct fathom_curve *curve = &result->curves[i];
		if (curve->experiment != FATHOM_ABLATION || curve->tool || !curve->point_count ||
		    curve->points[0].spec.pattern != pattern)
			continue;
		uint64_t stride = curve->points[0].spec.stride_bytes;
		uint64_t best = found ? found->points[0].spec.stride_bytes : 0;
		if (!found || (nearest ? stride < best : stride > best))
			found = curve;
	}
	return found;
}

/* Rounds visit all points once: blocks of the same number are the nearest in time, and what drifts
 * from round to round is not in their difference. 1: they have too few for an interval. */
static int compare_blocks(const struct fathom_point *without, const struct fathom_point *with,
			  struct fathom_effect *effect, struct fathom_error *error)
{
	size_t count =
		without->block_count < with->block_count ? without->block_count : with->block_count;
	if (stats_interval_rank(count) == 0)
		return 1;
	double *saved_ns = malloc(count * sizeof(*saved_ns));
	if (!saved_ns)
		return error_no_memory(error);
	for (size_t i = 0; i < count; i++)
		saved_ns[i] = without->blocks_ns[i] - with->blocks_ns[i];
	stats_sort(saved_ns, count);
	struct stats_interval interval = stats_median_interval(saved_ns, count);
	effect->ns = stats_median_sorted(saved_ns, count);
	effect->low_ns = interval.low;
	effect->high_ns = interval.high;
	free(saved_ns);
	return 0;
}

static int compare(const struct contrast *contrast, const struct fathom_point *without,
		   const struct fathom_point *with, struct fathom_effect *effect,
		   struct fathom_error *error)
{
	*effect = (struct fathom_effect){
		.size_bytes = without->spec.size_bytes,
		.ns = without->latency_ns - with->latency_ns,
		.low_ns = without->latency_low_ns - with->latency_high_ns,
		.high_ns = without->latency_high_ns - with->latency_low_ns,
	};
	if (compare_blocks(without, with, effect, error) < 0)
		return -1;
	effect->ns *= contrast->accesses;
	effect->low_ns *= contrast->accesses;
	effect->high_ns *= contrast->accesses;
	effect->acts = effect->low_ns > 0 && effect->ns > LEAST_SHARE * without->latency_ns;
	return 0;
}

static int add(struct fathom_result *result, const struct contrast *contrast,
	       struct fathom_effect effect, struct fathom_error *error)
{
	effect.name = strdup(contrast->name);
	if (effect.name && LIST_APPEND(&result->effects, &result->effect_count, &effect) == 0)
		return 0;
	free(effect.name);
	return error_no_memory(error);
}

static int add_contrast(struct fathom_result *result, const struct contrast *contrast,
			struct fathom_error *error)
{
	const struct fathom_curve *without = find_curve(result, contrast->without, false);
	const struct fathom_curve *with = find_curve(result, contrast->with, contrast->nearer);
	if (!without || !with || without == with)
		return 0;
	for (size_t i = 0; i < without->point_count; i++) {
		const struct fathom_point *slow = &without->points[i];
		const struct fathom_point *fast = point_at_size(with, slow->spec.size_bytes);
		if (!fast)
			continue;
		struct fathom_effect effect;
		if (compare(contrast, slow, fast, &effect, error))
			return -1;
		effect.without_curve = (size_t)(without - result->curves);
		effect.with_curve = (size_t)(with - result->curves);
		if (add(result, contrast, effect, error))
			return -1;
	}
	return 0;
}

int prefetchers_find(struct fathom_result *result, struct fathom_error *error)
{
	table_free_items(&effect_table, result->effects, result->effect_count);
	result->effects = NULL;
	result->effect_count = 0;
	for (size_t i = 0; i < CONTRAST_COUNT; i++)
		if (add_contrast(result, &contrasts[i], error))
			return -1;
	return 0;
}
