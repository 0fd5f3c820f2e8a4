#include "page_curves.h"

#include <math.h>
#include <stdlib.h>

#include "base/rng.h"
#include "base/stats.h"

#define SMALL_BYTES 4096.0
#define LARGE_BYTES 2097152.0
#define LINE_BYTES  64.0
#define ENTRY_BYTES 8.0 /* of a leaf table, a page */
#define CLOCK_GHZ   3.5

/* ---- machines ---- */

static double between(struct rng *rng, double low, double high)
{
	return low * pow(high / low, rng_unit(rng));
}

struct known_pages known_pages_draw(uint64_t seed)
{
	struct rng rng = rng_make(seed);
	double l2 = exp2(19 + (double)rng_below(&rng, 3)), l3 = between(&rng, 8 << 20, 40 << 20);
	struct known_pages known = {
		.caches = {{exp2(15 + (double)rng_below(&rng, 2)),
			    between(&rng, 2.5, 4),
			    {HIT_CYCLE_LRU, false, 8, 1, 0},
			    false},
			   {l2, between(&rng, 8, 20), {HIT_CYCLE_LRU, true, 16, 1, 0}, false},
			   {l3, between(&rng, 50, 90), {HIT_CYCLE_RANDOM, true, 16, 1, 0}, false}},
		.base_ns = between(&rng, 1.1, 1.5),
		.tlbs = {{round(between(&rng, 32, 128)), between(&rng, 1.4, 2.6)},
			 {round(between(&rng, 512, 3072)), between(&rng, 5, 12)}},
		.large_tlbs = {{32, 2}, {1024, 6}},
		.tlb_ways = 4 + 4 * (double)rng_below(&rng, 2),
		.largest_bytes = exp2(32),
		.per_octave = 8,
		.blocks = 9,
		.noise = 0.01,
		.drift = 0.02,
		.seed = seed,
	};
	return known;
}

/* ---- laws ---- */

/* Pages lie in a run. `tables`: of page tables, so much is read besides, but not from L1. */
static double cache_ns(const struct known_pages *known, double size_bytes, double tables)
{
	double ns = known->base_ns;
	for (size_t i = 0; i < KNOWN_CACHES; i++) {
		struct hit_shape shape = known->caches[i].shape;
		double bytes = size_bytes * (i > 0 ? 1 + tables : 1);
		shape.scattered = false;
		ns += known->caches[i].rise *
		      (1 - hit_share(&shape, bytes / known->caches[i].reach_bytes));
	}
	return ns;
}

/* Tables begin in the second cache. Their lines are read in random order, and each leaves a cache
 * after as many hops as that has lines (Che's approximation). */
static double tables_ns(const struct known_pages *known, double pages)
{
	double ns = 0;
	for (size_t i = 1; i < KNOWN_CACHES && !known->tables_stay; i++)
		ns += known->caches[i].rise *
		      exp(-known->caches[i].reach_bytes / (ENTRY_BYTES * pages));
	return ns;
}

/* One line a page, always in the same order. *missed: of the accesses that no TLB answers. */
static double spread_ns(const struct known_pages *known, const struct known_tlb *tlbs, double pages,
			double *missed)
{
	const struct hit_shape cycle = {HIT_CYCLE_LRU, known->hashed, known->tlb_ways, 1, 0};
	double ns = 0;
	*missed = 1;
	for (size_t i = 0; i < KNOWN_TLBS && tlbs[i].entries > 0; i++) {
		*missed = 1 - hit_share(&cycle, pages / tlbs[i].entries);
		ns += tlbs[i].penalty_ns * *missed;
	}
	return ns + *missed * tables_ns(known, pages);
}

double known_spread_ns(const struct known_pages *known, double pages)
{
	double missed;
	return spread_ns(known, known->tlbs, pages, &missed);
}

static struct known_parts random_parts(const struct known_pages *known,
				       const struct known_tlb *tlbs, double pages)
{
	struct known_parts parts = {0, 0, 0};
	bool second = tlbs[1].entries > 0;
	double missed = 1;
	for (size_t i = 0; i < KNOWN_TLBS && tlbs[i].entries > 0; i++) {
		missed = fmax(0, 1 - tlbs[i].entries / pages);
		*(i == 0 && second ? &parts.tlb_ns : &parts.walk_ns) += missed * tlbs[i].penalty_ns;
	}
	parts.walk_ns += missed * tables_ns(known, pages);
	return parts;
}

struct known_parts known_parts_at(const struct known_pages *known, double size_bytes)
{
	struct known_parts parts = random_parts(known, known->tlbs, size_bytes / SMALL_BYTES);
	parts.memory_ns = cache_ns(known, size_bytes, 0);
	return parts;
}

static double translation_ns(const struct known_pages *known, bool large, double size_bytes)
{
	bool small_entries = !large || known->splintered;
	double pages = size_bytes / (small_entries ? SMALL_BYTES : LARGE_BYTES);
	struct known_parts parts =
		random_parts(known, small_entries ? known->tlbs : known->large_tlbs, pages);
	return parts.tlb_ns + parts.walk_ns;
}

/* ---- curves ---- */

/* The drift of a block is of all points of one row, as they were measured side by side. */
static struct fathom_point make_point(const struct known_pages *known, double latency_ns,
				      uint64_t row, uint64_t curve)
{
	struct rng drift = rng_make(rng_mix(known->seed, row));
	struct rng own = rng_make(rng_mix(rng_mix(known->seed, row), curve + 1));
	struct fathom_point point = {
		.page_share = 1,
		.blocks_ns = calloc(known->blocks, sizeof(double)),
		.block_count = known->blocks,
	};
	double sorted[64];
	for (size_t b = 0; b < known->blocks; b++)
		sorted[b] = point.blocks_ns[b] = latency_ns *
						 (1 + known->drift * rng_normal(&drift)) *
						 (1 + known->noise * rng_normal(&own));
	point.latency_ns = stats_median(sorted, known->blocks);
	struct stats_interval interval = stats_median_interval(sorted, known->blocks);
	point.latency_low_ns = interval.low;
	point.latency_high_ns = interval.high;
	point.latency_cycles = CLOCK_GHZ * point.latency_ns;
	point.latency_low_cycles = CLOCK_GHZ * point.latency_low_ns;
	point.latency_high_cycles = CLOCK_GHZ * point.latency_high_ns;
	return point;
}

static double latency_at(const struct known_pages *known, size_t which, double nodes, bool large)
{
	const struct known_tlb *tlbs =
		large && !known->splintered ? known->large_tlbs : known->tlbs;
	double bytes = LINE_BYTES * nodes;
	bool spread = which == CURVE_SPREAD_4K;
	double missed = 0;
	if (!spread)
		return cache_ns(known, bytes, 0) + translation_ns(known, large, bytes);
	double ns = spread_ns(known, tlbs, nodes, &missed);
	return ns + cache_ns(known, bytes, missed * ENTRY_BYTES / LINE_BYTES);
}

/* Which of the 4K curves it is like. */
static size_t like(size_t which)
{
	return which == CURVE_PIECES_2M ? CURVE_SPREAD_4K : which % CURVE_SIZES_2M;
}

static void add_point(const struct known_pages *known, struct fathom_curve *curve, size_t which,
		      double nodes)
{
	bool large = which >= CURVE_SIZES_2M, spread = like(which) == CURVE_SPREAD_4K;
	double page_bytes = large ? LARGE_BYTES : SMALL_BYTES;
	double spacing_bytes = which == CURVE_PIECES_2M ? SMALL_BYTES : page_bytes;
	struct fathom_point point = make_point(
		known, latency_at(known, like(which), nodes, large),
		(uint64_t)nodes + (like(which) == CURVE_SIZES_4K ? 1ull << 40 : 0), which);
	point.nodes = (uint64_t)nodes;
	point.page_bytes = (uint64_t)page_bytes;
	point.spec = (struct fathom_spec){
		.node_bytes = (uint64_t)(spread ? spacing_bytes : LINE_BYTES),
		.pattern = spread ? FATHOM_ONE_PER_PAGE : FATHOM_RANDOM_CYCLE,
		.page = large ? FATHOM_PAGE_2M : FATHOM_PAGE_4K,
		.axis = curve->axis,
		.lanes = 1,
		.threads = 1,
	};
	point.spec.size_bytes = point.nodes * point.spec.node_bytes;
	curve->points[curve->point_count++] = point;
}

static void make_one(const struct known_pages *known, struct fathom_curve *curve, size_t which)
{
	bool by_size = like(which) == CURVE_SIZES_4K;
	bool large_pages = which >= CURVE_SIZES_2M && !known->splintered;
	double page_bytes = large_pages ? LARGE_BYTES : SMALL_BYTES;
	double first = by_size ? 256 : 8;
	double last = known->largest_bytes / (by_size ? LINE_BYTES : page_bytes);
	double per_octave = by_size ? known->per_octave / 2 : known->per_octave;
	size_t steps = (size_t)floor(log2(last / first) * per_octave + 1e-9);
	*curve = (struct fathom_curve){
		.memory_node = -1,
		.experiment = FATHOM_PAGES,
		.axis = by_size ? FATHOM_AXIS_SIZE : FATHOM_AXIS_PAGES,
		.points = calloc(steps + 1, sizeof(*curve->points)),
	};
	for (size_t i = 0; i <= steps; i++)
		add_point(known, curve, which, round(first * exp2((double)i / per_octave)));
}

struct fathom_result *make_page_curves(const struct known_pages *known)
{
	struct fathom_result *result = calloc(1, sizeof(*result));
	result->seed = known->seed;
	result->curves = calloc(PAGE_CURVES, sizeof(*result->curves));
	result->curve_count = known->splintered ? PAGE_CURVES : CURVE_PIECES_2M;
	for (size_t i = 0; i < result->curve_count; i++)
		make_one(known, &result->curves[i], i);
	return result;
}

void drop_page_curve(struct fathom_result *result, size_t which)
{
	struct fathom_curve *curve = &result->curves[which];
	for (size_t i = 0; i < curve->point_count; i++)
		free(curve->points[i].blocks_ns);
	free(curve->points);
	curve->points = NULL;
	curve->point_count = 0;
}
