#include "model/predict/costs_read.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/names.h"
#include "base/point.h"

#define MOST_TIMES                                                                                 \
	8 /* the mean: longer than memory takes, with walks and refresh (1.1 us at most) */

static struct fathom_cost latency_at(const struct costs *costs, double lines)
{
	return (struct fathom_cost){costs_at(&costs->latency, lines, 0),
				    costs_at(&costs->latency, lines, -1),
				    costs_at(&costs->latency, lines, 1)};
}

/* ---- which curves ---- */

static bool is_on(const struct fathom_curve *curve, enum fathom_page page)
{
	enum fathom_page has = curve->points[0].spec.page;
	return page == FATHOM_PAGE_DEFAULT || has == page ||
	       (page == FATHOM_PAGE_4K && has == FATHOM_PAGE_DEFAULT &&
		curve->points[0].page_bytes == PAGE_USUAL_BYTES);
}

/* A random cycle along the sizes, or what another tool walked; of several on these pages that of
 * the most points. */
static const struct fathom_curve *find_cycle(const struct fathom_result *result,
					     enum fathom_experiment experiment,
					     enum fathom_page page)
{
	const struct fathom_curve *found = NULL;
	for (size_t i = 0; i < result->curve_count; i++) {
		const struct fathom_curve *curve = &result->curves[i];
		if (curve->experiment != experiment || curve->axis != FATHOM_AXIS_SIZE ||
		    curve->point_count < 2 || curve->relative_to_l1 ||
		    !isfinite(curve->points[0].latency_ns) || !is_on(curve, page) ||
		    (curve->points[0].spec.warmth == FATHOM_SETTLED) !=
			    (experiment == FATHOM_SETTLING))
			continue;
		enum fathom_pattern pattern = curve->points[0].spec.pattern;
		if (pattern != FATHOM_RANDOM_CYCLE && pattern != FATHOM_PATTERN_UNKNOWN)
			continue;
		if (!found || curve->point_count > found->point_count)
			found = curve;
	}
	return found;
}

static const struct fathom_curve *find_latency(const struct fathom_result *result,
					       enum fathom_page page)
{
	const struct fathom_curve *found = find_cycle(result, FATHOM_LATENCY, page);
	return found ? found : find_cycle(result, FATHOM_PAGES, page);
}

static double lines_of(const struct costs *costs, const struct fathom_point *point)
{
	if (point->lines_touched)
		return (double)point->lines_touched;
	double apart = fmax(costs->line_bytes, (double)point->spec.node_bytes);
	return (double)point->spec.size_bytes / apart;
}

struct fathom_cost costs_latency_of(const struct fathom_point *point)
{
	return (struct fathom_cost){point->latency_ns, point->latency_low_ns,
				    point->latency_high_ns};
}

static int read_latency(const struct fathom_result *result, enum fathom_page page,
			struct costs *costs, struct fathom_error *error)
{
	const struct fathom_curve *curve = find_latency(result, page);
	if (!curve && page != FATHOM_PAGE_DEFAULT)
		return error_set(error, FATHOM_BAD_INPUT, "'fathom pages' measures each page kind",
				 "there is no latency curve on pages of the kind '%s'",
				 page_name(page));
	if (!curve)
		return error_set(error, FATHOM_BAD_INPUT, "'fathom latency' measures one",
				 "there is no latency curve in ns");
	if (costs_curve_make(curve->point_count, &costs->latency, error))
		return -1;
	for (size_t i = 0; i < curve->point_count; i++)
		costs_curve_add(&costs->latency, lines_of(costs, &curve->points[i]),
				costs_latency_of(&curve->points[i]));
	costs->most_bytes = (double)curve->points[curve->point_count - 1].spec.size_bytes;
	costs->page_bytes = (double)curve->points[0].page_bytes;
	return 0;
}

/* Of few blocks, which have no interval, from the least to the most. */
static struct fathom_cost settled_of(const struct fathom_point *point)
{
	struct fathom_cost cost = costs_latency_of(point);
	if (isfinite(cost.low_ns) && isfinite(cost.high_ns))
		return cost;
	cost.low_ns = cost.high_ns = cost.ns;
	for (size_t i = 0; i < point->block_count; i++) {
		cost.low_ns = fmin(cost.low_ns, point->blocks_ns[i]);
		cost.high_ns = fmax(cost.high_ns, point->blocks_ns[i]);
	}
	return cost;
}

static void add_visits(const struct fathom_point *point, double lines, struct costs_curve *visits)
{
	if (!point->block_count)
		costs_curve_add(visits, lines, costs_latency_of(point));
	for (size_t i = 0; i < point->block_count; i++)
		costs_curve_add(visits, lines, (struct fathom_cost){point->blocks_ns[i], NAN, NAN});
}

/* Of the same chain, memory and CPU as the latency. */
static int read_settled(const struct fathom_result *result, enum fathom_page page,
			struct costs *costs, struct fathom_error *error)
{
	const struct fathom_curve *latency = find_latency(result, page);
	const struct fathom_curve *found = find_cycle(result, FATHOM_SETTLING, page);
	bool same = found && found->memory_node == latency->memory_node &&
		    found->cpu == latency->cpu && found->sibling == latency->sibling &&
		    found->points[0].spec.node_bytes == latency->points[0].spec.node_bytes &&
		    found->points[0].page_bytes == latency->points[0].page_bytes;
	size_t count = same ? found->point_count : 0, visits = 0;
	for (size_t i = 0; i < count; i++)
		visits += found->points[i].block_count + 1;
	if (costs_curve_make(count, &costs->settled, error) ||
	    costs_curve_make(visits, &costs->visits, error))
		return -1;
	for (size_t i = 0; i < count; i++) {
		double lines = lines_of(costs, &found->points[i]);
		costs_curve_add(&costs->settled, lines, settled_of(&found->points[i]));
		add_visits(&found->points[i], lines, &costs->visits);
	}
	return 0;
}

/* ---- lanes, streams ---- */

static int read_lanes(const struct fathom_result *result, struct costs *costs,
		      struct fathom_error *error)
{
	if (costs_curve_make(result->parallelism_count, &costs->lanes, error))
		return -1;
	for (size_t i = 0; i < result->parallelism_count; i++) {
		const struct fathom_parallelism *one = &result->parallelism[i];
		const struct fathom_cost speedup = {one->speedup, one->speedup_low,
						    one->speedup_high};
		costs_curve_add(&costs->lanes, (double)one->size_bytes / costs->line_bytes,
				speedup);
	}
	return 0;
}

static int read_stream(const struct fathom_result *result, enum fathom_pattern pattern,
		       struct costs_curve *rates, struct fathom_error *error)
{
	const struct fathom_curve *found = NULL;
	for (size_t i = 0; i < result->curve_count; i++) {
		const struct fathom_curve *curve = &result->curves[i];
		if (curve->point_count && curve->points[0].spec.pattern == pattern &&
		    curve->points[0].spec.threads == 1 && curve->experiment != FATHOM_NODES &&
		    (!found || curve->point_count > found->point_count))
			found = curve;
	}
	if (costs_curve_make(found ? found->point_count : 0, rates, error))
		return -1;
	for (size_t i = 0; found && i < found->point_count; i++) {
		const struct fathom_point *point = &found->points[i];
		const struct fathom_cost rate = {point->bandwidth_bytes_per_second,
						 point->bandwidth_low_bytes_per_second,
						 point->bandwidth_high_bytes_per_second};
		costs_curve_add(rates, (double)point->spec.size_bytes, rate);
	}
	return 0;
}

/* ---- caches ---- */

/* Of the curve that the first level was read from. A cache whose end was not seen ends nowhere. */
static void read_caches(const struct fathom_result *result, struct costs *costs)
{
	for (size_t i = 0; i < result->level_count && costs->cache_count < COSTS_CACHES; i++) {
		const struct fathom_level *level = &result->levels[i];
		struct costs_cache *cache = &costs->caches[costs->cache_count];
		double line_bytes = costs->line_bytes;
		if (level->kind != FATHOM_LEVEL_CACHE || level->curve != result->levels[0].curve)
			continue;
		cache->lines = (struct fathom_cost){level->size_bytes / line_bytes,
						    level->size_low_bytes / line_bytes,
						    level->size_high_bytes / line_bytes};
		cache->ns = (struct fathom_cost){level->latency_ns, level->latency_low_ns,
						 level->latency_high_ns};
		if (!isfinite(cache->lines.ns))
			cache->lines =
				(struct fathom_cost){INFINITY, cache->lines.low_ns, INFINITY};
		if (!isfinite(cache->ns.ns))
			cache->ns = latency_at(costs, cache->lines.ns / 2);
		costs_close(&cache->lines);
		costs_close(&cache->ns);
		costs->cache_count++;
	}
}

/* ---- single accesses ---- */

/* Along the longest warm chain; without what takes longer than memory ever does, where the thread
 * lost the CPU. */
static const struct fathom_distribution *find_memory(const struct fathom_result *result,
						     const struct costs *costs)
{
	const struct fathom_distribution *found = NULL;
	double past_bytes = costs->cache_count ? costs->caches[costs->cache_count - 1].lines.ns *
							 costs->line_bytes
					       : INFINITY;
	for (size_t i = 0; i < result->distribution_count; i++) {
		const struct fathom_distribution *one = &result->distributions[i];
		const struct fathom_curve *curve = &result->curves[one->curve];
		if (one->run_accesses == 1 && curve->warmth == FATHOM_WARM &&
		    (double)curve->size_bytes > past_bytes &&
		    (!found || curve->size_bytes > result->curves[found->curve].size_bytes))
			found = one;
	}
	return found;
}

static void read_spread(const struct fathom_result *result, struct costs *costs)
{
	const struct fathom_distribution *memory = find_memory(result, costs);
	double count = 0, mean = 0, squares = 0, cubes = 0;
	for (size_t i = 0; memory && i < memory->bin_count; i++) {
		const struct fathom_bin *bin = &memory->bins[i];
		double ns = (bin->low_ns + bin->high_ns) / 2, weight = (double)bin->accesses;
		if (ns > MOST_TIMES * memory->mean_ns)
			break;
		count += weight;
		mean += weight * ns;
		squares += weight * ns * ns;
		cubes += weight * ns * ns * ns;
	}
	if (!(mean > 0))
		return;
	mean /= count;
	squares /= count * mean * mean;
	cubes /= count * mean * mean * mean;
	costs->memory_variance = fmax(0, squares - 1);
	costs->memory_third = cubes - 3 * squares + 2;
}

/* ---- lines side by side ---- */

/* Of page after page, the lines of each in random order: prefetchers bring some before their turn.
 * Where a cache holds them all it is not seen. */
static void read_beside(const struct fathom_result *result, enum fathom_page page,
			struct costs *costs)
{
	static const struct costs_state as_is = {0};
	costs->beside_share = 1;
	for (size_t i = 0; i < result->curve_count; i++) {
		const struct fathom_curve *curve = &result->curves[i];
		if (curve->experiment != FATHOM_PATTERNS || !curve->point_count ||
		    curve->points[0].spec.pattern != FATHOM_PAGE_LOCAL ||
		    curve->points[0].spec.warmth != FATHOM_WARM || !is_on(curve, page))
			continue;
		double hit_ns = costs_hit_ns(costs, &as_is);
		double lines = lines_of(costs, &curve->points[0]);
		if (costs_level(costs, lines, &as_is) != FATHOM_PREDICT_MEMORY)
			continue;
		double more_ns = costs_line_ns(costs, lines, INFINITY, &as_is) - hit_ns;
		double share = (curve->points[0].latency_ns - hit_ns) / more_ns;
		if (share > 0 && share < 1)
			costs->beside_share = share;
	}
}

/* ---- all ---- */

static int read_curves(const struct fathom_result *result, enum fathom_page page,
		       struct costs *costs, struct fathom_error *error)
{
	if (read_latency(result, page, costs, error) || read_settled(result, page, costs, error))
		return -1;
	read_caches(result, costs);
	/* What others take tells which translation is one, and translation is part of what they
	 * seem to take: first about, then without it. */
	if (costs_find_taken(costs, error) || costs_read_translation(result, page, costs, error) ||
	    costs_find_taken(costs, error) || read_lanes(result, costs, error) ||
	    read_stream(result, FATHOM_READ, &costs->reading, error) ||
	    read_stream(result, FATHOM_WRITE, &costs->writing, error))
		return -1;
	read_spread(result, costs);
	read_beside(result, page, costs);
	return costs->cache_count
		       ? 0
		       : error_set(error, FATHOM_BAD_INPUT,
				   "'fathom latency' measures a curve with more sizes; --with "
				   "reads another file",
				   "no cache is known: the latency curve shows none");
}

int costs_read(struct fathom_result *result, const struct fathom_predict_request *request,
	       struct costs *costs, struct fathom_error *error)
{
	memset(costs, 0, sizeof(*costs));
	costs->line_bytes = line_bytes_likely(result);
	int status = read_curves(result, request->page, costs, error);
	if (!status)
		status = costs_read_core(result, request, costs, error);
	if (status)
		costs_free(costs);
	return status;
}
