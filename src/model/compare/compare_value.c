#include "model/compare/compare_value.h"

#include <math.h>
#include <string.h>

#include "base/patterns.h"
#include "base/point.h"
#include "base/stats.h"

#define LEAST_BLOCKS      6 /* that have an interval */
#define CROUX_LOST_BLOCKS 0.8
#define MANY_BLOCKS       200 /* the normal rank is then off by less than a tenth of its deviation */

struct compare_value compare_value_of(const struct fathom_point *point,
				      enum fathom_quantity quantity)
{
	bool overlaps = spec_overlaps(&point->spec);
	if (quantity == FATHOM_QUANTITY_BYTES_PER_SECOND)
		return (struct compare_value){point->bandwidth_bytes_per_second,
					      point->bandwidth_low_bytes_per_second,
					      point->bandwidth_high_bytes_per_second};
	if (quantity == FATHOM_QUANTITY_CYCLES)
		return overlaps ? (struct compare_value){point->cycles_per_access,
							 point->low_cycles_per_access,
							 point->high_cycles_per_access}
				: (struct compare_value){point->latency_cycles,
							 point->latency_low_cycles,
							 point->latency_high_cycles};
	return overlaps ? (struct compare_value){point->ns_per_access, point->low_ns_per_access,
						 point->high_ns_per_access}
			: (struct compare_value){point->latency_ns, point->latency_low_ns,
						 point->latency_high_ns};
}

static bool has_blocks(const struct fathom_point *point)
{
	if (point->block_count < LEAST_BLOCKS)
		return false;
	for (size_t i = 0; i < point->block_count; i++)
		if (!(point->blocks_ns[i] > 0))
			return false;
	return true;
}

static double spread_of_blocks(const struct fathom_point *point, double *scratch)
{
	size_t count = point->block_count;
	for (size_t i = 0; i < count; i++)
		scratch[i] = point->blocks_ns[i];
	double median = stats_median(scratch, count);
	for (size_t i = 0; i < count; i++)
		scratch[i] = fabs(log(point->blocks_ns[i] / median));
	return STATS_MAD_TO_SIGMA * stats_median(scratch, count) * (double)count /
	       ((double)count - CROUX_LOST_BLOCKS);
}

/* The standard error of the logarithm. */
static double error_of_interval(const struct compare_value *value)
{
	if (!(value->low > 0) || !isfinite(value->high) || value->high < value->low)
		return NAN;
	return log(value->high / value->low) / (2 * STATS_NORMAL_95);
}

double compare_spread(const struct fathom_point *point, enum fathom_quantity quantity,
		      double *scratch)
{
	struct compare_value value = compare_value_of(point, quantity);
	double of_interval = error_of_interval(&value);
	if (point->block_count >= LEAST_BLOCKS)
		of_interval *= sqrt((double)point->block_count) / STATS_MEDIAN_ERROR;
	if (!has_blocks(point))
		return of_interval;
	double of_blocks = spread_of_blocks(point, scratch);
	return quantity == FATHOM_QUANTITY_CYCLES ? fmin(of_blocks, of_interval) : of_blocks;
}

/* Of sorted blocks. The rank of the median of as many draws is that of a binomial distribution's
 * middle: of many blocks normal, with half the root of their number as its deviation. */
static double draw_median(const double *sorted, size_t count, struct rng *rng, double *drawn)
{
	if (count > MANY_BLOCKS) {
		double middle = ((double)count - 1) / 2;
		double rank = middle + sqrt((double)count) / 2 * rng_normal(rng);
		return sorted[(size_t)lround(fmin(fmax(rank, 0), 2 * middle))];
	}
	for (size_t i = 0; i < count; i++)
		drawn[i] = sorted[rng_below(rng, count)];
	return stats_median(drawn, count);
}

void compare_add_draws(const struct fathom_point *point, enum fathom_quantity quantity,
		       double share, struct rng *rng, double *scratch, double *draws, size_t count)
{
	size_t blocks = point->block_count;
	if (quantity == FATHOM_QUANTITY_CYCLES || !has_blocks(point)) {
		struct compare_value value = compare_value_of(point, quantity);
		double error = error_of_interval(&value);
		for (size_t i = 0; i < count; i++)
			draws[i] += isnan(error) ? NAN : share * error * rng_normal(rng);
		return;
	}
	double sign = quantity == FATHOM_QUANTITY_BYTES_PER_SECOND ? -1 : 1;
	memcpy(scratch, point->blocks_ns, blocks * sizeof(*scratch));
	stats_sort(scratch, blocks);
	double median = stats_median_sorted(scratch, blocks);
	for (size_t i = 0; i < count; i++)
		draws[i] += share * sign *
			    log(draw_median(scratch, blocks, rng, scratch + blocks) / median);
}
