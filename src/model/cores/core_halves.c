#include "model/cores/core_halves.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/point.h"
#include "base/stats.h"

#define MOST_BLOCKS 64 /* of a half: more say the same */
/* Of the logarithms of two parts: more than lines in other slices make, which is within the scatter
 * of a class (core_levels.c), and less than from one class to the next. */
#define DIFFERENT   0.25
#define MOST_PARTS  (CORE_PARTS_SEEN / 2)
#define PART_BLOCKS 8 /* at least: lines of two visits */
/* The same of the median pair: half as much is seen of lines in other slices. */
#define DRIFTED 0.1

/* Median of the blocks from `first` to before `end`. */
static double part_ns(const struct fathom_pair *pair, size_t first, size_t end)
{
	double values[MOST_BLOCKS];
	size_t count = end - first < MOST_BLOCKS ? end - first : MOST_BLOCKS;
	memcpy(values, pair->blocks_ns + first, count * sizeof(*values));
	return stats_median(values, count);
}

double core_pair_ns(const struct fathom_pair *pair, enum core_half half)
{
	size_t first = half == CORE_SECOND_HALF ? (pair->block_count + 1) / 2 : 0;
	size_t end = half == CORE_FIRST_HALF ? pair->block_count / 2 : pair->block_count;
	return half == CORE_BOTH ? pair->latency_ns : part_ns(pair, first, end);
}

/* Logarithm of what the first half took over the second one; NAN: there are no halves. */
static double difference(const struct fathom_curve *curve, const struct fathom_pair *pair)
{
	if (!pair_is_main(curve, pair) || pair->block_count < 2)
		return NAN;
	return log(core_pair_ns(pair, CORE_FIRST_HALF) / core_pair_ns(pair, CORE_SECOND_HALF));
}

/* Widens [*low_ns, *high_ns] to the parts of the pair that are as long as each other, from half of
 * its blocks down to a quarter. Returns whether one of them differs from the whole, or the halves
 * from each other. */
static bool is_moved(const struct fathom_curve *curve, const struct fathom_pair *pair,
		     double *low_ns, double *high_ns)
{
	bool moved = fabs(difference(curve, pair)) > DIFFERENT;
	size_t most = pair->block_count / PART_BLOCKS;
	if (!pair_is_main(curve, pair) || pair->block_count < 2)
		return false;
	for (size_t parts = 2; parts == 2 || (parts <= MOST_PARTS && parts <= most); parts++)
		for (size_t i = 0; i < parts; i++) {
			double ns = part_ns(pair, i * pair->block_count / parts,
					    (i + 1) * pair->block_count / parts);
			moved |= fabs(log(ns / pair->latency_ns)) > DIFFERENT;
			*low_ns = fmin(*low_ns, ns);
			*high_ns = fmax(*high_ns, ns);
		}
	return moved;
}

struct core_moves core_halves_moves(const struct fathom_curve *curve)
{
	struct core_moves moves = {0};
	double low_ns = INFINITY, high_ns = 0;
	for (size_t i = 0; i < curve->pair_count; i++) {
		double off = difference(curve, &curve->pairs[i]);
		moves.of += !isnan(off);
		moves.halves += fabs(off) > DIFFERENT;
		moves.parts += is_moved(curve, &curve->pairs[i], &low_ns, &high_ns);
	}
	return moves;
}

bool core_halves_end_apart(const struct fathom_pair *pair, size_t blocks)
{
	size_t count = pair->block_count;
	return count > blocks &&
	       fabs(log(part_ns(pair, count - blocks, count) / pair->latency_ns)) > DIFFERENT;
}

void core_halves_widen(struct fathom_curve *curve)
{
	for (size_t i = 0; i < curve->pair_count; i++) {
		struct fathom_pair *pair = &curve->pairs[i];
		double low_ns = pair->latency_low_ns, high_ns = pair->latency_high_ns;
		if (!is_moved(curve, pair, &low_ns, &high_ns))
			continue;
		pair->latency_low_ns = low_ns;
		pair->latency_high_ns = high_ns;
	}
}

double core_halves_drift(const struct fathom_curve *curve)
{
	double *values = malloc((curve->pair_count + 1) * sizeof(*values));
	size_t count = 0;
	for (size_t i = 0; values && i < curve->pair_count; i++) {
		double off = difference(curve, &curve->pairs[i]);
		if (!isnan(off))
			values[count++] = off;
	}
	double drift = !values ? NAN : count ? fabs(stats_median(values, count)) : 0;
	free(values);
	if (isnan(drift))
		return NAN;
	return drift > DRIFTED ? exp(drift) : 1;
}
