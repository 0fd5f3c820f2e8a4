#include "model/cores/core_halves.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/point.h"
#include "base/stats.h"

#define MOST_BLOCKS 64 /* of a half: more say the same */
/* Of the logarithms of the two halves: more than lines in other slices make, which is within the
 * scatter of a class (core_levels.c), and less than from one class to the next. */
#define DIFFERENT 0.25
/* The same of the median pair: half as much is seen of lines in other slices. */
#define DRIFTED 0.1

double core_pair_ns(const struct fathom_pair *pair, enum core_half half)
{
	double values[MOST_BLOCKS];
	size_t first = half == CORE_SECOND_HALF ? (pair->block_count + 1) / 2 : 0;
	size_t end = half == CORE_FIRST_HALF ? pair->block_count / 2 : pair->block_count;
	size_t count = end - first < MOST_BLOCKS ? end - first : MOST_BLOCKS;
	if (half == CORE_BOTH)
		return pair->latency_ns;
	memcpy(values, pair->blocks_ns + first, count * sizeof(*values));
	return stats_median(values, count);
}

/* Logarithm of what the first half took over the second one; NAN: there are no halves. */
static double difference(const struct fathom_curve *curve, const struct fathom_pair *pair)
{
	if (!pair_is_main(curve, pair) || pair->block_count < 2)
		return NAN;
	return log(core_pair_ns(pair, CORE_FIRST_HALF) / core_pair_ns(pair, CORE_SECOND_HALF));
}

size_t core_halves_differ(const struct fathom_curve *curve, size_t *of)
{
	size_t differ = 0;
	*of = 0;
	for (size_t i = 0; i < curve->pair_count; i++) {
		double off = fabs(difference(curve, &curve->pairs[i]));
		*of += !isnan(off);
		differ += off > DIFFERENT;
	}
	return differ;
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
