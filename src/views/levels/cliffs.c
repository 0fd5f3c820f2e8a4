/* How steeply a curve rises where a cache ends. */
#include <math.h>

#include "views/levels/levels.h"
#include "views/points.h"
#include "views/rounding.h"

#define MOST_GAP      4.0 /* sizes: of two measured ones, between which a value is told */
#define FEWEST_BLOCKS 3
#define HALF          0.5 /* of a cache: all of what is there hits it */

static const double times[] = {1, 2, 4}; /* the size of the cache */
#define TIMES (sizeof(times) / sizeof(*times))

/* One disturbed block does not move a median of three. */
static bool is_base(const struct fathom_point *point)
{
	struct estimate time = points_time(point, FATHOM_Y_NS);
	return point->block_count >= FEWEST_BLOCKS || (isfinite(time.low) && isfinite(time.high));
}

struct reading {
	double time;
	bool measured; /* at that size itself: no line between two others tells it */
};

/* Straight between the sizes that were measured, both in logarithms; NAN: none are near. `sure`: of
 * those alone that are a base of a ratio. */
static struct reading read_among(const struct fathom_curve *curve, bool sure, double bytes)
{
	double size_before = NAN, before = NAN;
	for (size_t i = 0; i < curve->point_count; i++) {
		const struct fathom_point *point = &curve->points[i];
		double size = (double)point->spec.size_bytes;
		double time = points_time(point, FATHOM_Y_NS).value;
		if (!(time > 0) || (sure && !is_base(point)))
			continue;
		if (size == bytes)
			return (struct reading){time, true};
		if (size > bytes && !(size <= MOST_GAP * size_before))
			break;
		if (size > bytes) {
			double share = log(bytes / size_before) / log(size / size_before);
			return (struct reading){before * pow(time / before, share), false};
		}
		size_before = size;
		before = time;
	}
	return (struct reading){NAN, false};
}

/* One block is no base of a ratio, unless nothing else is near. */
static struct reading read_at(const struct fathom_curve *curve, double bytes)
{
	struct reading sure = read_among(curve, true, bytes);
	return isnan(sure.time) ? read_among(curve, false, bytes) : sure;
}

static bool is_cache(const struct fathom_cache *cache)
{
	return cache->kind != FATHOM_CACHE_INSTRUCTION && cache->size_bytes > 0;
}

static double rise_at(const struct fathom_curve *curve, const struct fathom_cache *cache,
		      double size_times)
{
	double bytes = (double)cache->size_bytes;
	return read_at(curve, size_times * bytes).time / read_at(curve, HALF * bytes).time;
}

/* Is one of its two times not of a size that was measured? */
static bool is_between(const struct fathom_curve *curve, const struct fathom_cache *cache,
		       double size_times)
{
	double bytes = (double)cache->size_bytes;
	return isfinite(rise_at(curve, cache, size_times)) &&
	       !(read_at(curve, size_times * bytes).measured &&
		 read_at(curve, HALF * bytes).measured);
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
	for (size_t i = 0; i < TIMES; i++) {
		view_number(view, rise_at(curve, cache, times[i]));
		view_mark(view, is_between(curve, cache, times[i]) ? '*' : 0);
	}
}

static double last_size(const struct fathom_curve *curve)
{
	double bytes = 0;
	for (size_t i = 0; i < curve->point_count; i++)
		bytes = fmax(bytes, (double)curve->points[i].spec.size_bytes);
	return bytes;
}

/* Why a cache has no row. */
static void add_missing(struct view *view, const struct fathom_curve *curve,
			const struct fathom_cache *cache)
{
	struct text line = {0};
	double last = last_size(curve);
	text_add(&line, "no row for L%u of %s: ", cache->level,
		 rounding_size(cache->size_bytes).text);
	if (last < 2 * (double)cache->size_bytes)
		text_add(&line, "the curve ends at %s, before 2 s",
			 rounding_size((uint64_t)last).text);
	else
		text_add(&line, "no size near a half or twice of it is known");
	view_take(view, VIEW_NOTE, &line);
}

void levels_cliffs(struct view *view, const struct fathom_result *result,
		   const struct fathom_curve *curve)
{
	const struct fathom_machine *machine = result->machine;
	bool any = false, between = false;
	for (size_t i = 0; machine && i < machine->cache_count; i++) {
		any |= is_shown(curve, &machine->caches[i]);
		for (size_t k = 0; is_shown(curve, &machine->caches[i]) && k < TIMES; k++)
			between |= is_between(curve, &machine->caches[i], times[k]);
	}
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
	for (size_t i = 0; i < machine->cache_count; i++)
		if (is_cache(&machine->caches[i]) && !is_shown(curve, &machine->caches[i]))
			add_missing(view, curve, &machine->caches[i]);
	if (between)
		view_say(view, VIEW_NOTE,
			 "* of a size that was not measured: told from those on either side, on a "
			 "straight line in logarithms, which makes cliffs softer than they are");
	view_say(view, VIEW_NOTE,
		 "a cliff is sharp where an access takes at 4 s hardly more than at 2 s: nothing "
		 "hits the cache any more, and softer the more still do");
}
