/* How steeply a curve rises where a cache ends. */
#include <math.h>

#include "views/levels/levels.h"
#include "views/points.h"
#include "views/rounding.h"

#define MOST_GAP 4.0 /* sizes: of two measured ones, between which a value is told */
#define HALF     0.5 /* of a cache: all of what is there hits it */

static const double times[] = {1, 2, 4}; /* the size of the cache */
#define TIMES (sizeof(times) / sizeof(*times))

/* Straight between the sizes that were measured, both in logarithms; NAN: none are near. */
static double time_at(const struct fathom_curve *curve, double bytes)
{
	double size_before = NAN, before = NAN;
	for (size_t i = 0; i < curve->point_count; i++) {
		const struct fathom_point *point = &curve->points[i];
		double size = (double)point->spec.size_bytes;
		double time = points_time(point, FATHOM_Y_NS).value;
		if (!(time > 0))
			continue;
		if (size == bytes)
			return time;
		if (size > bytes)
			return size <= MOST_GAP * size_before
				       ? before *
						 pow(time / before, log(bytes / size_before) /
									    log(size / size_before))
				       : NAN;
		size_before = size;
		before = time;
	}
	return NAN;
}

static bool is_cache(const struct fathom_cache *cache)
{
	return cache->kind != FATHOM_CACHE_INSTRUCTION && cache->size_bytes > 0;
}

static double rise_at(const struct fathom_curve *curve, const struct fathom_cache *cache,
		      double size_times)
{
	double bytes = (double)cache->size_bytes;
	return time_at(curve, size_times * bytes) / time_at(curve, HALF * bytes);
}

static bool is_shown(const struct fathom_curve *curve, const struct fathom_cache *cache)
{
	return is_cache(cache) && isfinite(rise_at(curve, cache, 2));
}

static void add_row(struct view *view, const struct fathom_curve *curve,
		    const struct fathom_cache *cache)
{
	view_row(view);
	view_name(view, "L%u", cache->level);
	view_size(view, (double)cache->size_bytes);
	for (size_t i = 0; i < TIMES; i++)
		view_number(view, rise_at(curve, cache, times[i]));
}

void levels_cliffs(struct view *view, const struct fathom_result *result,
		   const struct fathom_curve *curve)
{
	const struct fathom_machine *machine = result->machine;
	bool any = false;
	for (size_t i = 0; machine && i < machine->cache_count; i++)
		any |= is_shown(curve, &machine->caches[i]);
	if (!any)
		return;
	view_gap(view);
	view_say(view, VIEW_PLAIN,
		 "The cliffs: how many times as long an access takes as at half the size s that "
		 "the OS reports");
	VIEW_TABLE(view, COLUMN("cache"), COLUMN("size s"), COLUMN("at s"), COLUMN("at 2 s"),
		   COLUMN("at 4 s"));
	for (size_t i = 0; i < machine->cache_count; i++)
		if (is_shown(curve, &machine->caches[i]))
			add_row(view, curve, &machine->caches[i]);
	view_say(view, VIEW_NOTE,
		 "a cliff is sharp where an access takes at 4 s hardly more than at 2 s: nothing "
		 "hits the cache any more, and softer the more still do");
}
