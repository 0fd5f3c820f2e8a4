#include "model/translation/page_pairs.h"

#include <math.h>
#include <stdlib.h>

#include "base/error.h"
#include "base/stats.h"
#include "model/laws/hit_law.h"

#define USUAL_NOISE    0.01  /* of a latency with no interval */
#define LEAST_NOISE    0.002 /* of one with an interval: the clock's own wander */
#define FEWEST_WAYS    8     /* few ways spread a cliff the most */
#define CLIFF_LN       0.15 /* of its place: between two sizes, and page tables take an eighth more */
#define FIRST_SHARE    0.2 /* of the first cache, where that is known */
#define FIRST_WAYS     10  /* 8 and 12 differ little */
#define FIRST_LN       0.5 /* the first cliff is no wider */
#define FIRST_ERROR_LN 0.3
#define STEEP          0.1  /* of a latency: it begins */
#define LEVEL          0.03 /* of a latency: no cliff, but noise */

int page_pairs_compare(const struct fathom_point *first, const struct fathom_point *second,
		       struct page_pair *pair, struct fathom_error *error)
{
	size_t count = first->block_count;
	if (count == 0 || count != second->block_count) {
		double ns = first->latency_ns - second->latency_ns;
		*pair = (struct page_pair){
			.ns = ns,
			.low_ns = ns - hypot(first->latency_ns - first->latency_low_ns,
					     second->latency_high_ns - second->latency_ns),
			.high_ns = ns + hypot(first->latency_high_ns - first->latency_ns,
					      second->latency_ns - second->latency_low_ns),
		};
		return 0;
	}
	double *differences = malloc(count * sizeof(*differences));
	if (!differences)
		return error_no_memory(error);
	for (size_t i = 0; i < count; i++)
		differences[i] = first->blocks_ns[i] - second->blocks_ns[i];
	stats_sort(differences, count);
	struct stats_interval interval = stats_median_interval(differences, count);
	*pair = (struct page_pair){stats_median_sorted(differences, count), interval.low,
				   interval.high, count};
	free(differences);
	return 0;
}

double page_pairs_error(const struct fathom_point *first, const struct fathom_point *second,
			const struct page_pair *pair)
{
	double both_ns = hypot(first->latency_ns, second->latency_ns);
	double error_ns = (pair->high_ns - pair->low_ns) / (2 * STATS_NORMAL_95);
	return isfinite(error_ns) ? fmax(error_ns, LEAST_NOISE * both_ns) : USUAL_NOISE * both_ns;
}

const struct fathom_point *page_pairs_of_size(const struct fathom_curve *curve, uint64_t size_bytes)
{
	for (size_t i = 0; i < curve->point_count; i++)
		if (curve->points[i].spec.size_bytes == size_bytes &&
		    isfinite(curve->points[i].latency_ns))
			return &curve->points[i];
	return NULL;
}

/* One line a page, anywhere in it, fills the sets of a cache at random, where lines side by side
 * fill them evenly: what it misses more, beyond the cache's reach below 0. */
static double uneven_missed(double ways, double ratio)
{
	const struct hit_shape scattered = {HIT_CYCLE_LRU, true, ways, 1, 0};
	return 1 - hit_share(&scattered, ratio) - (ratio > 1);
}

/* The most of it that may be meant where the cliff's place is not known exactly. */
static double most_uneven(double ln_ratio)
{
	double ln_nearer = fmax(0, fabs(ln_ratio) - CLIFF_LN);
	return fabs(uneven_missed(FEWEST_WAYS, exp(copysign(ln_nearer, ln_ratio))));
}

/* What a rise of the curve, so far below the point, means for it. */
static void add_rise(double rise_ns, double ln_ratio, bool first, struct page_cliff *cliff)
{
	if (!first) {
		double uneven_ns = rise_ns * most_uneven(ln_ratio);
		cliff->other_error_ns += uneven_ns;
		*(ln_ratio < CLIFF_LN ? &cliff->more_ns : &cliff->less_ns) += uneven_ns;
		if (fabs(ln_ratio) <= CLIFF_LN)
			cliff->less_ns += uneven_ns;
		return;
	}
	cliff->expected_ns += rise_ns * uneven_missed(FIRST_WAYS, exp(ln_ratio));
	cliff->first_error_ns += FIRST_SHARE * rise_ns * exp(-fabs(ln_ratio) / FIRST_ERROR_LN);
}

struct page_cliff page_pairs_cliff(const struct fathom_curve *curve,
				   const struct fathom_point *point)
{
	double ln_size = log((double)point->spec.size_bytes), ln_first = INFINITY;
	struct page_cliff cliff = {0, 0, 0, 0, 0};
	const struct fathom_point *before = NULL;
	for (size_t i = 0; i < curve->point_count; i++) {
		const struct fathom_point *here = &curve->points[i];
		if (!isfinite(here->latency_ns))
			continue;
		double rise_ns = before ? here->latency_ns - before->latency_ns : 0;
		if (before && rise_ns > LEVEL * before->latency_ns) {
			double ln_cliff = (log((double)here->spec.size_bytes) +
					   log((double)before->spec.size_bytes)) /
					  2;
			if (isinf(ln_first) && rise_ns > STEEP * before->latency_ns)
				ln_first = ln_cliff;
			bool first = fabs(ln_cliff - ln_first) < FIRST_LN;
			add_rise(rise_ns, ln_size - ln_cliff, first, &cliff);
		}
		before = here;
	}
	return cliff;
}
