/* How steeply a curve rises where a cache ends. */
#include <math.h>

#include "views/levels/levels.h"
#include "views/points.h"
#include "views/rounding.h"

#define MOST_GAP      4.0 /* sizes: of two measured ones, between which a value is told */
#define FEWEST_BLOCKS 3

/* From one size to another, in sizes of the cache: all of what is in half of it hits it. */
static const struct rise {
	double from, to;
} rises[] = {{0.5, 2}, {0.5, 4}, {2, 4}};
#define RISES (sizeof(rises) / sizeof(*rises))

/* One disturbed block does not move a median of three. */
static bool is_base(const struct fathom_point *point)
{
	struct estimate time = points_time(point, FATHOM_Y_NS);
	return point->block_count >= FEWEST_BLOCKS || (isfinite(time.low) && isfinite(time.high));
}

/* `way` from one to the other, in logarithms. */
static struct estimate between(struct estimate from, struct estimate to, double way)
{
	return (struct estimate){from.value * pow(to.value / from.value, way),
				 from.low * pow(to.low / from.low, way),
				 from.high * pow(to.high / from.high, way)};
}

struct reading {
	struct estimate time;
	bool measured; /* at that size itself: no line between two others tells it */
};

/* Straight between the sizes that were measured, both in logarithms; unknown: none are near.
 * `sure`: of those alone that are a base of a ratio. */
static struct reading read_among(const struct fathom_curve *curve, bool sure, double bytes)
{
	double size_before = NAN;
	struct estimate before = ESTIMATE_UNKNOWN;
	for (size_t i = 0; i < curve->point_count; i++) {
		const struct fathom_point *point = &curve->points[i];
		double size = (double)point->spec.size_bytes;
		struct estimate time = points_time(point, FATHOM_Y_NS);
		if (!(time.value > 0) || (sure && !is_base(point)))
			continue;
		if (size == bytes)
			return (struct reading){time, true};
		if (size > bytes && !(size <= MOST_GAP * size_before))
			break;
		if (size > bytes) {
			double way = log(bytes / size_before) / log(size / size_before);
			return (struct reading){between(before, time, way), false};
		}
		size_before = size;
		before = time;
	}
	return (struct reading){ESTIMATE_UNKNOWN, false};
}

/* One block is no base of a ratio, unless nothing else is near. */
static struct reading read_at(const struct fathom_curve *curve, double bytes)
{
	struct reading sure = read_among(curve, true, bytes);
	return isnan(sure.time.value) ? read_among(curve, false, bytes) : sure;
}

static bool is_cache(const struct fathom_cache *cache)
{
	return cache->kind != FATHOM_CACHE_INSTRUCTION && cache->size_bytes > 0;
}

/* At so many times the size of the cache over so many. */
static struct estimate rise_at(const struct fathom_curve *curve, const struct fathom_cache *cache,
			       const struct rise *rise)
{
	double bytes = (double)cache->size_bytes;
	return estimate_over(read_at(curve, rise->to * bytes).time,
			     read_at(curve, rise->from * bytes).time);
}

/* Is one of its two times not of a size that was measured? */
static bool is_between(const struct fathom_curve *curve, const struct fathom_cache *cache,
		       const struct rise *rise)
{
	double bytes = (double)cache->size_bytes;
	return isfinite(rise_at(curve, cache, rise).value) &&
	       !(read_at(curve, rise->to * bytes).measured &&
		 read_at(curve, rise->from * bytes).measured);
}

static bool is_shown(const struct fathom_curve *curve, const struct fathom_cache *cache)
{
	return is_cache(cache) && isfinite(rise_at(curve, cache, &rises[0]).value);
}

/* The level that is that cache, but ends elsewhere; NULL: there is none. */
static const struct fathom_level *find_elsewhere(const struct fathom_result *result,
						 const struct fathom_cache *cache)
{
	for (size_t i = 0; i < result->level_count; i++) {
		const struct fathom_level *level = &result->levels[i];
		if (level->kind == FATHOM_LEVEL_CACHE && isfinite(level->size_bytes) &&
		    level->reported_bytes == cache->size_bytes && levels_differ(result, level))
			return level;
	}
	return NULL;
}

static void add_row(struct view *view, const struct fathom_result *result,
		    const struct fathom_curve *curve, const struct fathom_cache *cache)
{
	view_row(view);
	view_name(view, "L%u", cache->level);
	view_size(view, (double)cache->size_bytes);
	view_mark(view, find_elsewhere(result, cache) ? '!' : 0);
	for (size_t i = 0; i < RISES; i++) {
		view_estimate(view, rise_at(curve, cache, &rises[i]));
		view_mark(view, is_between(curve, cache, &rises[i]) ? '*' : 0);
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

static void add_elsewhere(struct view *view, const struct fathom_result *result,
			  const struct fathom_cache *cache)
{
	const struct fathom_level *level = find_elsewhere(result, cache);
	struct text line = {0};
	if (!level)
		return;
	text_add(&line, "! L%u", cache->level);
	if (level->name[1] != (char)('0' + cache->level))
		text_add(&line, " of the OS, %s of the levels,", level->name);
	text_add(&line, " was found to end at %s, not at s: its row is not of its cliff alone",
		 levels_size(level).text);
	view_take(view, VIEW_NOTE, &line);
}

static void add_notes(struct view *view, bool between)
{
	if (between)
		view_say(view, VIEW_NOTE,
			 "* of a size that was not measured: told from those on either side, on a "
			 "straight line in logarithms, which makes cliffs softer than they are");
	view_say(view, VIEW_NOTE,
		 "4/2: at 4 s, over at 2 s. Near 1 a cliff is sharp: nothing hits the cache any "
		 "more; the more above 1, the more still do, or the more is missed besides (a TLB, "
		 "the next cache)");
}

void levels_cliffs(struct view *view, const struct fathom_result *result,
		   const struct fathom_curve *curve)
{
	const struct fathom_machine *machine = result->machine;
	bool any = false, between = false;
	for (size_t i = 0; machine && i < machine->cache_count; i++) {
		const struct fathom_cache *cache = &machine->caches[i];
		if (!is_shown(curve, cache))
			continue;
		any = true;
		for (size_t k = 0; k < RISES; k++)
			between |= is_between(curve, cache, &rises[k]);
	}
	if (!any)
		return;
	view_gap(view);
	view_say(view, VIEW_PLAIN,
		 "The cliffs: how many times as long an access takes as at half the size s that "
		 "the OS reports");
	VIEW_TABLE(view, COLUMN("cache"), COLUMN("size s"), COLUMN("at 2 s"), COLUMN("at 4 s"),
		   COLUMN("4/2"));
	for (size_t i = 0; i < machine->cache_count; i++)
		if (is_shown(curve, &machine->caches[i]))
			add_row(view, result, curve, &machine->caches[i]);
	for (size_t i = 0; i < machine->cache_count; i++)
		if (is_cache(&machine->caches[i]) && !is_shown(curve, &machine->caches[i]))
			add_missing(view, curve, &machine->caches[i]);
	for (size_t i = 0; i < machine->cache_count; i++)
		if (is_shown(curve, &machine->caches[i]))
			add_elsewhere(view, result, &machine->caches[i]);
	add_notes(view, between);
}
