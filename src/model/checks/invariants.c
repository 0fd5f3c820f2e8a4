#include "model/checks/invariants.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/patterns.h"
#include "base/point.h"
#include "base/stats.h"
#include "base/text.h"
#include "model/checks/intervals.h"
#include "model/latency_numbers.h"

/* Cycles and ns are medians over the blocks, each for itself: apart by no more than the clock
 * moved, and this. */
#define CLOCK_SLACK 0.1
/* A point's value is one of its blocks', or of their batches': apart by less. */
#define BLOCKS_TIMES 10.0
/* A level's latency is that of points of its curve, at another clock and without translation. */
#define CURVE_TIMES  3.0
#define MOST_THREADS 65536u
#define ROUNDING     1e-6 /* of a sum, in documents of 9 digits */

#define BROKEN_HINT "fathom did not write this, or the file was changed since"

/* Takes `path` over; NULL: memory ran out. */
static int broken(char *path, const char *what, struct fathom_error *error)
{
	int failed = path ? error_set(error, FATHOM_BAD_INPUT, BROKEN_HINT, "'%s' %s", path, what)
			  : error_no_memory(error);
	free(path);
	return failed;
}

/* ---- points ---- */

typedef int each_point(const struct fathom_result *result, size_t curve, size_t point,
		       struct fathom_error *error);

/* Of fathom's own curves. */
static int for_points(const struct fathom_result *result, each_point *check,
		      struct fathom_error *error)
{
	for (size_t i = 0; i < result->curve_count; i++)
		for (size_t k = 0; !result->curves[i].tool && k < result->curves[i].point_count;
		     k++)
			if (check(result, i, k, error))
				return -1;
	return 0;
}

static int broken_point(size_t curve, size_t point, const char *field, const char *what,
			struct fathom_error *error)
{
	return broken(text_format("curves[%zu].points[%zu].%s", curve, point, field), what, error);
}

bool invariants_is_product(const struct fathom_point *point, double cycles, double ns)
{
	double by_clock = point->clock_hz * 1e-9;
	double taken_off_ns = isnan(point->overhead_ns) ? 0 : point->overhead_ns;
	return !(fabs(cycles - ns * by_clock) > CLOCK_SLACK * (fabs(ns) + taken_off_ns) * by_clock);
}

static int hold_cycles_of(const struct fathom_result *result, size_t curve, size_t point,
			  struct fathom_error *error)
{
	static const char what[] = "is not the time in ns at 'clock_hz'";
	const struct fathom_point *at = &result->curves[curve].points[point];
	if (!invariants_is_product(at, at->latency_cycles, at->latency_ns))
		return broken_point(curve, point, "latency_cycles", what, error);
	if (!invariants_is_product(at, at->cycles_per_access, at->ns_per_access))
		return broken_point(curve, point, "cycles_per_access", what, error);
	return 0;
}

/* What is measured of caches just made cold, or has another latency taken off it, may be below 0.
 */
static bool may_be_negative(const struct fathom_spec *spec)
{
	return pattern_traits(spec->pattern)->order == PATTERN_DRAWN || spec->warmth != FATHOM_WARM;
}

/* The least and the most of the blocks; NAN: there are none. */
static struct stats_interval find_blocks(const struct fathom_point *point)
{
	struct stats_interval span = {NAN, NAN};
	for (size_t i = 0; i < point->block_count; i++) {
		span.low = fmin(span.low, point->blocks_ns[i]);
		span.high = fmax(span.high, point->blocks_ns[i]);
	}
	return span;
}

bool invariants_is_of_blocks(const struct fathom_point *point, double ns)
{
	struct stats_interval span = find_blocks(point);
	return ns >= span.low * (1 - CLOCK_SLACK) && ns <= span.high * (1 + CLOCK_SLACK);
}

static int hold_blocks_of(const struct fathom_result *result, size_t curve, size_t point,
			  struct fathom_error *error)
{
	const struct fathom_point *at = &result->curves[curve].points[point];
	struct stats_interval span = find_blocks(at);
	double value = point_ns(at);
	if (may_be_negative(&at->spec))
		return 0;
	if (span.low <= 0)
		return broken_point(curve, point, "blocks_ns", "has a value that is not above 0",
				    error);
	if (value * BLOCKS_TIMES < span.low || value > span.high * BLOCKS_TIMES)
		return broken_point(curve, point, "blocks_ns",
				    "do not have the latency as their median", error);
	return 0;
}

static int hold_spec_of(const struct fathom_result *result, size_t curve, size_t point,
			struct fathom_error *error)
{
	const struct fathom_point *at = &result->curves[curve].points[point];
	const struct fathom_spec *spec = &at->spec;
	if (spec->node_bytes > spec->size_bytes)
		return broken_point(curve, point, "node_bytes", "is more than 'size_bytes'", error);
	if (spec->threads > MOST_THREADS)
		return broken_point(curve, point, "threads", "is more than any machine has", error);
	if (spec->node_bytes && at->nodes && at->nodes != spec->size_bytes / spec->node_bytes)
		return broken_point(curve, point, "nodes", "is not 'size_bytes' over 'node_bytes'",
				    error);
	if (at->nodes && spec->lanes > at->nodes)
		return broken_point(curve, point, "lanes", "is more than 'nodes'", error);
	return 0;
}

static int hold_floor_of(const struct fathom_result *result, size_t curve, size_t point,
			 struct fathom_error *error)
{
	const struct fathom_point *at = &result->curves[curve].points[point];
	if (at->floor_ns > at->ns_per_access)
		return broken_point(curve, point, "floor_ns", "is more than 'ns_per_access'",
				    error);
	return 0;
}

/* ---- levels ---- */

static int broken_level(size_t level, const char *field, const char *what,
			struct fathom_error *error)
{
	return broken(text_format("levels[%zu].%s", level, field), what, error);
}

/* Of the levels of one curve the one that is nearer: the last cache before. NULL: none. */
static const struct fathom_level *level_before(const struct fathom_result *result, size_t which)
{
	const struct fathom_level *level = &result->levels[which];
	while (which-- > 0)
		if (result->levels[which].kind == FATHOM_LEVEL_CACHE &&
		    result->levels[which].curve == level->curve)
			return &result->levels[which];
	return NULL;
}

static int hold_ascent(const struct fathom_result *result, struct fathom_error *error)
{
	for (size_t i = 0; i < result->level_count; i++) {
		const struct fathom_level *level = &result->levels[i];
		const struct fathom_level *before = level_before(result, i);
		bool cache = level->kind == FATHOM_LEVEL_CACHE;
		if (!before || !(cache || level->kind == FATHOM_LEVEL_MEMORY))
			continue;
		if (level->size_bytes <= before->size_bytes)
			return broken_level(i, "size_bytes",
					    "is not above that of the cache before", error);
		if (level->latency_ns <= before->latency_ns)
			return broken_level(i, "latency_ns",
					    "is not above that of the cache before", error);
		if (isnan(level->latency_ns) && level->latency_cycles <= before->latency_cycles)
			return broken_level(i, "latency_cycles",
					    "is not above that of the cache before", error);
	}
	return 0;
}

/* The least and the most of the curve's latencies; NAN: it has none in this unit. */
static struct stats_interval find_span(const struct fathom_curve *curve, bool cycles)
{
	struct stats_interval span = {NAN, NAN};
	for (size_t i = 0; i < curve->point_count; i++) {
		const struct fathom_point *at = &curve->points[i];
		double value = cycles ? at->latency_cycles : at->latency_ns;
		span.low = fmin(span.low, value);
		span.high = fmax(span.high, value);
	}
	return span;
}

static bool is_of_curve(double value, struct stats_interval span)
{
	return !(value * CURVE_TIMES < span.low) && !(value > CURVE_TIMES * span.high);
}

/* At one of the clocks that the curve's points had. */
static bool is_at_clock(const struct fathom_level *level, const struct fathom_curve *curve)
{
	double least_hz = NAN, most_hz = NAN;
	for (size_t i = 0; i < curve->point_count; i++) {
		least_hz = fmin(least_hz, curve->points[i].clock_hz);
		most_hz = fmax(most_hz, curve->points[i].clock_hz);
	}
	double hz = level->latency_cycles / level->latency_ns * 1e9;
	return !(hz < (1 - CLOCK_SLACK) * least_hz) && !(hz > (1 + CLOCK_SLACK) * most_hz);
}

static int hold_levels(const struct fathom_result *result, struct fathom_error *error)
{
	for (size_t i = 0; i < result->level_count; i++) {
		const struct fathom_level *level = &result->levels[i];
		const struct fathom_curve *curve = &result->curves[level->curve];
		if (curve->tool)
			continue;
		if (!is_of_curve(level->latency_ns, find_span(curve, false)))
			return broken_level(i, "latency_ns", "is not a latency of its curve",
					    error);
		if (!is_of_curve(level->latency_cycles, find_span(curve, true)))
			return broken_level(i, "latency_cycles", "is not a latency of its curve",
					    error);
		if (!is_at_clock(level, curve))
			return broken_level(i, "latency_cycles",
					    "is not 'latency_ns' at a clock of its curve", error);
	}
	return 0;
}

/* ---- what is made of them ---- */

static int hold_overlaps(const struct fathom_result *result, struct fathom_error *error)
{
	for (size_t i = 0; i < result->parallelism_count; i++) {
		const struct fathom_parallelism *one = &result->parallelism[i];
		const struct fathom_curve *curve = &result->curves[one->curve];
		if (curve->point_count == 0)
			continue;
		double most = curve->points[curve->point_count - 1].spec.lanes;
		if (one->speedup > most || one->speedup_high > most)
			return broken(text_format("parallelism[%zu].speedup", i),
				      "is more than the number of lanes measured", error);
	}
	return 0;
}

/* What was not measured is in the residual; where there is none either, nothing was. */
static int hold_sums(const struct fathom_result *result, struct fathom_error *error)
{
	for (size_t i = 0; i < result->decomposition_count; i++) {
		const struct fathom_decomposition *made = &result->decompositions[i];
		double residual_ns = made->parts[FATHOM_PART_RESIDUAL].ns;
		double sum = 0, most = fabs(made->total.ns);
		bool whole = true;
		for (int part = 0; part < FATHOM_PART_COUNT; part++) {
			double ns = made->parts[part].ns;
			whole &= isfinite(ns);
			sum += isfinite(ns) ? ns : 0;
			most = fmax(most, fabs(ns));
		}
		if (isfinite(residual_ns) && fabs(sum - made->total.ns) > ROUNDING * most)
			return broken(text_format("decompositions[%zu].parts", i),
				      "do not add up to 'total'", error);
		if (whole && fabs(residual_ns) > INVARIANTS_RESIDUAL * made->total.ns)
			return broken(text_format("decompositions[%zu].parts.residual", i),
				      "is too large: the other parts cannot be right", error);
	}
	return 0;
}

static int hold_numbers(const struct fathom_result *result, struct fathom_error *error)
{
	for (size_t i = 0; i < result->number_count; i++) {
		const struct fathom_level *level =
			latency_numbers_level(result, result->numbers[i].name);
		if (level &&
		    fabs(result->numbers[i].ns - level->latency_ns) > ROUNDING * level->latency_ns)
			return broken(text_format("numbers[%zu].ns", i),
				      "is not the latency of that level", error);
	}
	return 0;
}

static int hold_clock(const struct fathom_result *result, struct fathom_error *error)
{
	if (result->clock_min_hz > result->clock_max_hz)
		return broken(text_format("clock.max_hz"), "is less than 'min_hz'", error);
	if (result->clock_median_hz < result->clock_min_hz ||
	    result->clock_median_hz > result->clock_max_hz)
		return broken(text_format("clock.median_hz"),
			      "is not between 'min_hz' and 'max_hz'", error);
	return 0;
}

static bool find_outside(void *context, const struct interval_place *place, const char *field,
			 double *value, double *low, double *high)
{
	bool outside = *value < *low || *value > *high || *low > *high;
	if (outside)
		*(char **)context = intervals_path(place, field);
	return outside;
}

static int hold_intervals(const struct fathom_result *result, struct fathom_error *error)
{
	char *path;
	/* find_outside changes nothing. */
	if (!intervals_each((struct fathom_result *)result, find_outside, &path))
		return 0;
	return broken(path, "is outside its own interval", error);
}

static const struct {
	int (*hold)(const struct fathom_result *result, struct fathom_error *error);
	each_point *hold_of; /* or of each point */
} invariants[] = {
	{hold_intervals, NULL}, /* a value lies in its interval */
	{NULL, hold_spec_of},   /* the chain fits its memory */
	{NULL, hold_cycles_of}, /* cycles are ns at the clock */
	{NULL, hold_blocks_of}, /* blocks belong to the value of the point */
	{NULL, hold_floor_of},  /* no access is faster than its own loop */
	{hold_ascent, NULL},    /* levels ascend */
	{hold_levels, NULL},    /* latencies of levels occur in their curve */
	{hold_overlaps, NULL},  /* MLP is at most the number of lanes */
	{hold_sums, NULL},      /* parts add up */
	{hold_numbers, NULL},   /* latency numbers equal the latencies of the levels */
	{hold_clock, NULL},     /* the clock lies in its range */
};

int invariants_verify(const struct fathom_result *result, struct fathom_error *error)
{
	for (size_t i = 0; i < sizeof(invariants) / sizeof(*invariants); i++)
		if (invariants[i].hold ? invariants[i].hold(result, error)
				       : for_points(result, invariants[i].hold_of, error))
			return -1;
	return 0;
}
