#include "model/translation/page_pairs.h"

#include <math.h>
#include <stdlib.h>

#include "base/error.h"
#include "base/stats.h"

#define USUAL_NOISE 0.01  /* of a latency with no interval */
#define LEAST_NOISE 0.002 /* of one with an interval: the clock's own wander */

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
