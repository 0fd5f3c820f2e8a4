#include "model/predict/costs.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/names.h"
#include "base/point.h"
#include "base/warnings.h"
#include "model/latency_numbers.h"

/* Where a result does not say it. Instructions in flight: those of a search wait for its loads, so
 * that it is the schedulers that fill up and not the reorder buffer. Those that makers document
 * (Nehalem 36 entries, Sandy Bridge 54, Haswell 60, Skylake 97, Zen 84, Zen 2 92, Zen 3 and 4 96)
 * have this geometric mean, and 95 % of a lognormal distribution of that spread lie between these.
 * Mispredicted branches: 11 (Neoverse N1) to 20 (Zen 2) cycles in the makers' guides. The first
 * cache answers in 4 to 6 cycles. Reorder buffers, of the same makers: Haswell 192 entries, Skylake
 * 224, Sunny Cove 352, Golden Cove 512, Zen 2 224, Zen 3 256, Zen 4 320, Zen 5 448, Neoverse N1
 * 128, V1 256: geometric mean and spread likewise. */
#define USUAL_WINDOW    73, 36, 150
#define USUAL_REORDER   270, 121, 604
#define USUAL_BRANCH    15, 10, 21
#define USUAL_L1_CYCLES 5.0
#define LEAST_L1_CYCLES 4.0
#define MOST_L1_CYCLES  6.0
/* Instructions a cycle: cores rename 4 (Skylake, Neoverse N1), 5 (Sunny Cove, Zen 2) or 6 (Golden
 * Cove, Zen 3) of them. */
#define USUAL_WIDTH 5, 4, 6

/* What compilers make of the same C differs: of a step of a branchless search 5 to 8 instructions
 * instead of 6, of which 2 to 4 wait for each other instead of 3. */
#define USUAL_CODE 1, 0.7, 1.35

/* Times the last cache: of a random cycle so long 2 % hit under random replacement, less under
 * others. */
#define PAST_CACHES 4
#define OWN_CACHES  2    /* of a core: their sets follow from addresses */
#define STEP        1e-3 /* over which a step of translation rises */

static const struct fathom_cost not_known = {NAN, NAN, NAN};

/* ---- curves ---- */

static int curve_make(size_t count, struct costs_curve *curve, struct fathom_error *error)
{
	curve->ln_x = calloc(count + 1, sizeof(*curve->ln_x));
	curve->values = calloc(count + 1, sizeof(*curve->values));
	curve->count = 0;
	return curve->ln_x && curve->values ? 0 : error_no_memory(error);
}

/* In ascending order; of the same place the first counts. */
static void curve_add(struct costs_curve *curve, double x, struct fathom_cost value)
{
	if (!(x > 0) || !isfinite(value.ns))
		return;
	if (!isfinite(value.low_ns) || !isfinite(value.high_ns))
		value.low_ns = value.high_ns = value.ns;
	size_t at = curve->count;
	for (; at > 0 && curve->ln_x[at - 1] > log(x); at--) {
		curve->ln_x[at] = curve->ln_x[at - 1];
		curve->values[at] = curve->values[at - 1];
	}
	curve->ln_x[at] = log(x);
	curve->values[at] = value;
	curve->count++;
}

static double bound_of(struct fathom_cost cost, int bound)
{
	return bound < 0 ? cost.low_ns : bound > 0 ? cost.high_ns : cost.ns;
}

double costs_at(const struct costs_curve *curve, double x, int bound)
{
	double ln_x = log(fmax(x, 1e-300));
	size_t low = 0, high = curve->count - 1;
	if (ln_x <= curve->ln_x[low])
		return bound_of(curve->values[low], bound);
	if (ln_x >= curve->ln_x[high])
		return bound_of(curve->values[high], bound);
	while (high - low > 1) {
		size_t middle = (low + high) / 2;
		if (curve->ln_x[middle] <= ln_x)
			low = middle;
		else
			high = middle;
	}
	double share = (ln_x - curve->ln_x[low]) / (curve->ln_x[high] - curve->ln_x[low]);
	return (1 - share) * bound_of(curve->values[low], bound) +
	       share * bound_of(curve->values[high], bound);
}

static void close_interval(struct fathom_cost *cost)
{
	if (!isfinite(cost->low_ns))
		cost->low_ns = cost->ns;
	if (!isfinite(cost->high_ns))
		cost->high_ns = cost->ns;
}

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

static struct fathom_cost latency_of(const struct fathom_point *point)
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
	if (curve_make(curve->point_count, &costs->latency, error))
		return -1;
	for (size_t i = 0; i < curve->point_count; i++)
		curve_add(&costs->latency, lines_of(costs, &curve->points[i]),
			  latency_of(&curve->points[i]));
	costs->most_bytes = (double)curve->points[curve->point_count - 1].spec.size_bytes;
	costs->page_bytes = (double)curve->points[0].page_bytes;
	return 0;
}

/* Of few blocks, which have no interval, from the least to the most. */
static struct fathom_cost settled_of(const struct fathom_point *point)
{
	struct fathom_cost cost = latency_of(point);
	if (isfinite(cost.low_ns) && isfinite(cost.high_ns))
		return cost;
	cost.low_ns = cost.high_ns = cost.ns;
	for (size_t i = 0; i < point->block_count; i++) {
		cost.low_ns = fmin(cost.low_ns, point->blocks_ns[i]);
		cost.high_ns = fmax(cost.high_ns, point->blocks_ns[i]);
	}
	return cost;
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
	size_t count = same ? found->point_count : 0;
	if (curve_make(count, &costs->settled, error))
		return -1;
	for (size_t i = 0; i < count; i++)
		curve_add(&costs->settled, lines_of(costs, &found->points[i]),
			  settled_of(&found->points[i]));
	return 0;
}

/* ---- translation ---- */

/* Of the kind; of the default, of pages as large as those of the curve. */
static const struct fathom_translation *find_translation(const struct fathom_result *result,
							 const struct costs *costs,
							 enum fathom_page page)
{
	for (size_t i = 0; i < result->translation_count; i++) {
		const struct fathom_translation *one = &result->translations[i];
		bool same = page == FATHOM_PAGE_DEFAULT
				    ? (double)one->page_bytes == costs->page_bytes
				    : one->page == page;
		if (same && one->spread != FATHOM_NO_CURVE && one->packed != FATHOM_NO_CURVE)
			return one;
	}
	return NULL;
}

/* Without such chains, the steps of translation that the curve along the sizes shows. A miss of the
 * first TLB alone is resolved by the next one, whose entries are then not known. */
static int read_steps(const struct fathom_result *result, struct costs *costs,
		      struct fathom_error *error)
{
	struct fathom_cost sum = {0, 0, 0};
	size_t tlbs = 0;
	if (curve_make(2 * result->level_count, &costs->translation, error))
		return -1;
	for (size_t i = 0; i < result->level_count; i++) {
		const struct fathom_level *level = &result->levels[i];
		if (level->kind != FATHOM_LEVEL_TLB || level->curve != result->levels[0].curve ||
		    !(level->penalty_ns > 0) || !(level->size_bytes > 0))
			continue;
		double pages = level->size_bytes / costs->page_bytes;
		curve_add(&costs->translation, pages, sum);
		sum.ns += level->penalty_ns;
		sum.low_ns = sum.high_ns = sum.ns;
		curve_add(&costs->translation, (1 + STEP) * pages, sum);
		if (!(level->entries > 0))
			costs->tlb_pages = fmin(costs->tlb_pages, pages);
		else if (++tlbs > 1)
			costs->tlb_pages = level->entries;
	}
	return 0;
}

/* One line a page less as many lines packed. It never falls as pages are added: a point below an
 * earlier one is noise, or a set of a cache that the packed lines fill. */
static int read_translation(const struct fathom_result *result, enum fathom_page page,
			    struct costs *costs, struct fathom_error *error)
{
	const struct fathom_translation *one = find_translation(result, costs, page);
	if (!(costs->page_bytes > 0))
		costs->page_bytes = PAGE_USUAL_BYTES;
	costs->tlb_pages = INFINITY;
	if (!one)
		return read_steps(result, costs, error);
	const struct fathom_curve *spread = &result->curves[one->spread];
	const struct fathom_curve *packed = &result->curves[one->packed];
	struct costs_curve lines = {0};
	struct fathom_cost before = {0, 0, 0};
	if (curve_make(spread->point_count, &costs->translation, error) ||
	    curve_make(packed->point_count, &lines, error))
		goto out;
	for (size_t i = 0; i < packed->point_count; i++)
		curve_add(&lines, (double)packed->points[i].nodes, latency_of(&packed->points[i]));
	for (size_t i = 0; lines.count && i < spread->point_count; i++) {
		const struct fathom_point *point = &spread->points[i];
		double pages = (double)point->nodes;
		struct fathom_cost value = latency_of(point);
		value.ns -= costs_at(&lines, pages, 0);
		value.low_ns -= costs_at(&lines, pages, 1);
		value.high_ns -= costs_at(&lines, pages, -1);
		before.ns = fmax(before.ns, value.ns);
		before.low_ns = fmax(before.low_ns, fmin(before.ns, value.low_ns));
		before.high_ns = fmax(before.ns, value.high_ns);
		curve_add(&costs->translation, pages, before);
	}
	if (one->entry_bytes)
		costs->page_bytes = (double)one->entry_bytes;
	if (one->tlb_count)
		costs->tlb_pages = one->tlbs[one->tlb_count - 1].entries;
out:
	free(lines.ln_x);
	free(lines.values);
	return costs->translation.values ? 0 : -1;
}

/* ---- lanes, streams ---- */

static int read_lanes(const struct fathom_result *result, struct costs *costs,
		      struct fathom_error *error)
{
	if (curve_make(result->parallelism_count, &costs->lanes, error))
		return -1;
	for (size_t i = 0; i < result->parallelism_count; i++) {
		const struct fathom_parallelism *one = &result->parallelism[i];
		const struct fathom_cost speedup = {one->speedup, one->speedup_low,
						    one->speedup_high};
		curve_add(&costs->lanes, (double)one->size_bytes / costs->line_bytes, speedup);
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
	if (curve_make(found ? found->point_count : 0, rates, error))
		return -1;
	for (size_t i = 0; found && i < found->point_count; i++) {
		const struct fathom_point *point = &found->points[i];
		const struct fathom_cost rate = {point->bandwidth_bytes_per_second,
						 point->bandwidth_low_bytes_per_second,
						 point->bandwidth_high_bytes_per_second};
		curve_add(rates, (double)point->spec.size_bytes, rate);
	}
	return 0;
}

/* ---- inputs ---- */

static struct fathom_cost scaled(double factor, double value, double low, double high)
{
	return (struct fathom_cost){factor * value, factor * low, factor * high};
}

static int read_cycle(struct fathom_result *result, double hz, struct costs *costs)
{
	if (hz > 0 || (hz = result->clock_median_hz) > 0) {
		costs->inputs[COSTS_CYCLE] = scaled(1e9 / hz, 1, 1, 1);
		return 0;
	}
	double l1_ns = costs->latency.values[0].ns;
	costs->inputs[COSTS_CYCLE] = (struct fathom_cost){
		l1_ns / USUAL_L1_CYCLES, l1_ns / MOST_L1_CYCLES, l1_ns / LEAST_L1_CYCLES};
	return warnings_add(&result->warnings, "predict-clock", NULL,
			    "--clock says it, as in --clock 3.6G",
			    "the core clock is not known: the first cache is taken to answer in "
			    "%.0f cycles",
			    USUAL_L1_CYCLES);
}

static int read_branch(struct fathom_result *result, double ns, struct costs *costs)
{
	struct fathom_cost known = latency_numbers_mispredict(result);
	if (ns > 0)
		known = scaled(ns, 1, 1, 1);
	if (known.ns > 0 && !isfinite(known.low_ns))
		known.low_ns = known.high_ns = known.ns;
	if (known.ns > 0) {
		costs->inputs[COSTS_BRANCH] = known;
		return 0;
	}
	costs->inputs[COSTS_BRANCH] = scaled(costs->inputs[COSTS_CYCLE].ns, USUAL_BRANCH);
	return 0;
}

static struct fathom_cost read_window(const struct fathom_result *result, double asked)
{
	struct fathom_cost known = {result->window_instructions, result->window_low_instructions,
				    result->window_high_instructions};
	if (asked > 0)
		return scaled(asked, 1, 1, 1);
	if (!(known.ns > 0))
		return scaled(1, USUAL_WINDOW);
	close_interval(&known);
	return known;
}

static struct fathom_cost read_cores(const struct fathom_result *result)
{
	for (size_t i = 0; i < result->core_class_count; i++)
		if (result->core_classes[i].kind != FATHOM_CORES_SMT) {
			const struct fathom_core_class *one = &result->core_classes[i];
			return (struct fathom_cost){one->latency_ns, one->least_ns,
						    one->greatest_ns};
		}
	return not_known;
}

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
		close_interval(&cache->lines);
		close_interval(&cache->ns);
		costs->cache_count++;
	}
}

/* ---- what follows ---- */

double costs_input(const struct costs *costs, enum costs_input input,
		   const struct costs_state *state)
{
	return bound_of(costs->inputs[input], state->at[input]);
}

double costs_page_ns(const struct costs *costs, double pages, const struct costs_state *state)
{
	return costs->translation.count
		       ? costs_at(&costs->translation, pages, state->at[COSTS_TRANSLATION])
		       : 0;
}

/* Index of the cache; cache_count: memory. */
static size_t cache_of(const struct costs *costs, double lines, const struct costs_state *state)
{
	size_t i = 0;
	while (i < costs->cache_count &&
	       lines > bound_of(costs->caches[i].lines, -state->at[COSTS_REACH]))
		i++;
	return i;
}

double costs_own_lines(const struct costs *costs)
{
	size_t count = costs->cache_count < OWN_CACHES ? costs->cache_count : OWN_CACHES;
	while (count && !isfinite(costs->caches[count - 1].lines.ns))
		count--;
	return count ? costs->caches[count - 1].lines.ns : 0;
}

/* Without the translation of packed lines. */
static double after_translation(const struct costs *costs, double lines, double ns,
				const struct costs_state *state)
{
	double pages = lines * costs->line_bytes / costs->page_bytes;
	return fmax(costs->latency.values[0].ns, ns - costs_page_ns(costs, pages, state));
}

static double filled_ns(const struct costs *costs, double lines, const struct costs_state *state)
{
	double ns = costs_at(&costs->latency, lines, state->at[COSTS_LATENCY]);
	return after_translation(costs, lines, ns, state);
}

double costs_cycle_ns(const struct costs *costs, double lines, const struct costs_state *state)
{
	const struct costs_curve *settled = &costs->settled;
	double ns = costs_at(&costs->latency, lines, state->at[COSTS_LATENCY]);
	if (!settled->count || log(lines) < settled->ln_x[0])
		return after_translation(costs, lines, ns, state);
	double settled_ns = costs_at(settled, lines, state->at[COSTS_LATENCY]);
	bool beyond = log(lines) > settled->ln_x[settled->count - 1];
	ns = beyond ? fmax(ns, settled_ns) : settled_ns;
	return after_translation(costs, lines, ns, state);
}

/* Past all caches. */
static double memory_ns(const struct costs *costs, double lines, const struct costs_state *state)
{
	double reach = costs->cache_count ? costs->caches[costs->cache_count - 1].lines.ns : 0;
	return costs_cycle_ns(costs, fmax(lines, isfinite(reach) ? PAST_CACHES * reach : 0), state);
}

/* For longer than was measured as many of the lines that are left are taken in as long a time. */
static double taken_in(const struct costs *costs, double ns)
{
	const struct costs_curve *taken = &costs->taken;
	if (!taken->count)
		return 0;
	double last_ns = exp(taken->ln_x[taken->count - 1]);
	double share = costs_at(taken, ns, 0);
	return ns > last_ns ? 1 - pow(1 - share, ns / last_ns) : share;
}

double costs_line_ns(const struct costs *costs, double lines, double apart_ns,
		     const struct costs_state *state)
{
	size_t cache = cache_of(costs, lines, state);
	bool own = cache < OWN_CACHES && cache < costs->cache_count;
	double hit_ns = cache < costs->cache_count
				? bound_of(costs->caches[cache].ns, state->at[COSTS_LATENCY])
				: 0;
	if (own || (!costs->settled.count && hit_ns > 0))
		return hit_ns;
	if (!costs->settled.count)
		return memory_ns(costs, lines, state);
	/* A part of a cycle hits nearer caches, too. */
	double by_lines = fmax(hit_ns, costs_cycle_ns(costs, lines, state));
	double kept_ns = fmax(hit_ns, filled_ns(costs, lines, state));
	double taken = taken_in(costs, apart_ns);
	double lost_ns = fmax(0, memory_ns(costs, lines, state) - kept_ns);
	return fmax(by_lines, kept_ns + taken * lost_ns);
}

enum fathom_predict_part costs_level(const struct costs *costs, double lines,
				     const struct costs_state *state)
{
	size_t cache = cache_of(costs, lines, state);
	if (cache == costs->cache_count)
		return FATHOM_PREDICT_MEMORY;
	return cache < FATHOM_PREDICT_MEMORY ? (enum fathom_predict_part)cache : FATHOM_PREDICT_L3;
}

/* ---- all ---- */

/* Of what a filled chain would hit, the share that others took in a lap of the settled one; it
 * never falls as time goes by. A chain half of which does not fit tells nothing of that. */
static int find_taken(struct costs *costs, struct fathom_error *error)
{
	static const struct costs_state as_is = {0};
	double most = 0;
	if (curve_make(costs->settled.count + 1, &costs->taken, error))
		return -1;
	for (size_t i = 0; i < costs->settled.count; i++) {
		double lines = exp(costs->settled.ln_x[i]),
		       lap_ns = lines * costs->settled.values[i].ns;
		double kept_ns = filled_ns(costs, lines, &as_is);
		double past_ns = memory_ns(costs, lines, &as_is),
		       hit_ns = costs->latency.values[0].ns;
		double settled_ns = costs_cycle_ns(costs, lines, &as_is);
		if (kept_ns - hit_ns > (past_ns - hit_ns) / 2)
			break;
		if (i == 0)
			curve_add(&costs->taken, lap_ns / 2, (struct fathom_cost){0, 0, 0});
		most = fmax(most, fmin(1, (settled_ns - kept_ns) / (past_ns - kept_ns)));
		curve_add(&costs->taken, lap_ns, (struct fathom_cost){most, most, most});
	}
	return 0;
}

int costs_make(struct fathom_result *result, const struct fathom_predict_request *request,
	       struct costs *costs, struct fathom_error *error)
{
	memset(costs, 0, sizeof(*costs));
	costs->line_bytes = line_bytes_likely(result);
	if (read_latency(result, request->page, costs, error) ||
	    read_settled(result, request->page, costs, error) ||
	    read_translation(result, request->page, costs, error) ||
	    read_lanes(result, costs, error) ||
	    read_stream(result, FATHOM_READ, &costs->reading, error) ||
	    read_stream(result, FATHOM_WRITE, &costs->writing, error)) {
		costs_free(costs);
		return -1;
	}
	read_caches(result, costs);
	if (find_taken(costs, error)) {
		costs_free(costs);
		return -1;
	}
	if (!costs->cache_count) {
		costs_free(costs);
		return error_set(error, FATHOM_BAD_INPUT,
				 "'fathom latency' measures a curve with more sizes; --with reads "
				 "another file",
				 "no cache is known: the latency curve shows none");
	}
	costs->inputs[COSTS_WINDOW] = read_window(result, request->window);
	costs->inputs[COSTS_REORDER] = scaled(1, USUAL_REORDER);
	costs->inputs[COSTS_WIDTH] = scaled(1, USUAL_WIDTH);
	costs->inputs[COSTS_CODE] = scaled(1, USUAL_CODE);
	costs->inputs[COSTS_CORES] = read_cores(result);
	if (read_cycle(result, request->clock_hz, costs) ||
	    read_branch(result, request->branch_ns, costs)) {
		costs_free(costs);
		return error_no_memory(error);
	}
	return 0;
}

void costs_free(struct costs *costs)
{
	struct costs_curve *curves[] = {&costs->latency,     &costs->settled, &costs->taken,
					&costs->translation, &costs->lanes,   &costs->reading,
					&costs->writing};
	for (size_t i = 0; i < sizeof(curves) / sizeof(*curves); i++) {
		free(curves[i]->ln_x);
		free(curves[i]->values);
	}
	memset(costs, 0, sizeof(*costs));
}
