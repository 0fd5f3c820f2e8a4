#include "model/parallelism/saturation.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/point.h"
#include "base/rng.h"
#include "base/stats.h"

#define RESAMPLES     499
#define TAIL          12 /* of these on either side of the interval: 2.5 % */
#define FEWEST_BLOCKS 6
#define LEAST_ALIKE   0.02 /* so far from the best is still like it, and never more than: */
#define MOST_ALIKE    0.15
#define ALIKE_ERRORS  3 /* no noise is more of the standard error */
#define MANY_POINTS   8 /* so many have a second best that is worth as much as the best */
#define TREND_ERRORS  3 /* noise rises by as much once in 700 times */
#define LAST_PART     (7 / 8.0)
#define LONGER_PART   (3 / 4.0) /* of 32 lanes the last eight: five tell a rise from noise badly */
#define LEAST_GAIN    0.2       /* of that of lanes that all overlap */

/* The points of a curve that have a value, by ascending lanes. */
struct lanes {
	const struct fathom_point **points;
	size_t count;
	size_t blocks; /* that each of them has, in pairs; 0: not all have as many */
	size_t fewest; /* blocks of any */
	size_t most;   /* blocks of any */
	double error;  /* typical standard error of a gain, from the blocks */
	bool saturated;
	size_t *picked;  /* count x most: which blocks are looked at */
	double *ns;      /* median over these */
	double *ln_gain; /* of the throughput over that of the first point */
	double *smooth, *scratch;
};

/* What is read from the blocks that are picked. */
struct estimate {
	double ln_gain, ns; /* at saturation */
	size_t knee;        /* a point */
	size_t first, last; /* points */
};

static size_t usable_blocks(const struct fathom_point *point)
{
	for (size_t i = 0; i < point->block_count; i++)
		if (!(point->blocks_ns[i] > 0 && isfinite(point->blocks_ns[i])))
			return 0;
	return point->block_count;
}

static void collect(struct lanes *lanes, const struct fathom_curve *curve)
{
	lanes->fewest = SIZE_MAX;
	for (size_t i = 0; i < curve->point_count; i++) {
		const struct fathom_point *point = &curve->points[i];
		if (!(point_ns(point) > 0 && isfinite(point_ns(point))))
			continue;
		size_t blocks = usable_blocks(point);
		lanes->fewest = blocks < lanes->fewest ? blocks : lanes->fewest;
		lanes->most = blocks > lanes->most ? blocks : lanes->most;
		lanes->points[lanes->count++] = point;
	}
	lanes->blocks = lanes->fewest == lanes->most ? lanes->most : 0;
}

static void lanes_close(struct lanes *lanes)
{
	free(lanes->points);
	free(lanes->picked);
	free(lanes->ns);
}

static int lanes_open(const struct fathom_curve *curve, struct lanes *lanes,
		      struct fathom_error *error)
{
	*lanes = (struct lanes){0};
	lanes->points = calloc(curve->point_count + 1, sizeof(struct fathom_point *));
	if (!lanes->points)
		return error_no_memory(error);
	collect(lanes, curve);
	size_t count = lanes->count, scratch = lanes->most > count ? lanes->most : count;
	lanes->picked = calloc(count * lanes->most + 1, sizeof(*lanes->picked));
	lanes->ns = calloc(3 * count + scratch + 1, sizeof(*lanes->ns));
	if (!lanes->picked || !lanes->ns) {
		lanes_close(lanes);
		return error_no_memory(error);
	}
	lanes->ln_gain = lanes->ns + count;
	lanes->smooth = lanes->ln_gain + count;
	lanes->scratch = lanes->smooth + count;
	return 0;
}

/* ---- which blocks ---- */

static void pick_all(struct lanes *lanes)
{
	for (size_t i = 0; i < lanes->count; i++)
		for (size_t k = 0; k < usable_blocks(lanes->points[i]); k++)
			lanes->picked[i * lanes->most + k] = k;
}

/* As many as there are, with repetition: the same for all points where they are pairs. */
static void pick_again(struct lanes *lanes, struct rng *rng)
{
	for (size_t i = 0; i < lanes->count; i++) {
		size_t *picked = lanes->picked + i * lanes->most;
		size_t blocks = usable_blocks(lanes->points[i]);
		if (i && lanes->blocks)
			memcpy(picked, lanes->picked, blocks * sizeof(*picked));
		else
			for (size_t k = 0; k < blocks; k++)
				picked[k] = rng_below(rng, blocks);
	}
}

static double block_ns(const struct lanes *lanes, size_t point, size_t k)
{
	return lanes->points[point]->blocks_ns[lanes->picked[point * lanes->most + k]];
}

static void find_medians(struct lanes *lanes)
{
	for (size_t i = 0; i < lanes->count; i++) {
		size_t blocks = usable_blocks(lanes->points[i]);
		for (size_t k = 0; k < blocks; k++)
			lanes->scratch[k] = block_ns(lanes, i, k);
		lanes->ns[i] =
			blocks ? stats_median(lanes->scratch, blocks) : point_ns(lanes->points[i]);
		for (size_t k = 0; k < lanes->blocks; k++)
			lanes->scratch[k] = log(block_ns(lanes, 0, k) / block_ns(lanes, i, k));
		lanes->ln_gain[i] = lanes->blocks ? stats_median(lanes->scratch, lanes->blocks)
						  : log(lanes->ns[0] / lanes->ns[i]);
	}
}

/* The standard error of their median; overwrites them. */
static double median_error(double *values, size_t count, double median)
{
	for (size_t i = 0; i < count; i++)
		values[i] = fabs(values[i] - median);
	return STATS_MEDIAN_ERROR * STATS_MAD_TO_SIGMA * stats_median(values, count) /
	       sqrt((double)count);
}

/* The standard error of a point's gain: the median over the points, because six blocks of one tell
 * it badly. */
static double typical_error(struct lanes *lanes)
{
	double *errors = lanes->smooth;
	size_t count = 0;
	for (size_t i = 1; i < lanes->count; i++) {
		size_t blocks = usable_blocks(lanes->points[i]);
		double middle = lanes->blocks ? -lanes->ln_gain[i] : log(lanes->ns[i]);
		if (blocks < 2)
			continue;
		for (size_t k = 0; k < blocks; k++) {
			double over = lanes->blocks ? block_ns(lanes, 0, k) : 1;
			lanes->scratch[k] = log(block_ns(lanes, i, k) / over);
		}
		errors[count++] = median_error(lanes->scratch, blocks, middle);
	}
	return count ? stats_median(errors, count) : 0;
}

/* ---- what they say ---- */

static double best_gain(struct lanes *lanes, size_t *where)
{
	*where = 0;
	for (size_t i = 0; i < lanes->count; i++) {
		lanes->scratch[i] = lanes->ln_gain[i];
		if (lanes->ln_gain[i] > lanes->ln_gain[*where])
			*where = i;
	}
	stats_sort(lanes->scratch, lanes->count);
	return lanes->scratch[lanes->count - (lanes->count >= MANY_POINTS ? 2 : 1)];
}

/* Medians over the points whose gain is not under `least`. */
static void find_plateau(struct lanes *lanes, double least, struct estimate *estimate)
{
	size_t count = 0;
	for (size_t i = 0; i < lanes->count; i++) {
		if (lanes->ln_gain[i] < least)
			continue;
		estimate->first = count ? estimate->first : i;
		estimate->last = i;
		lanes->scratch[count++] = lanes->ln_gain[i];
	}
	estimate->ln_gain = stats_median(lanes->scratch, count);
	for (size_t i = count = 0; i < lanes->count; i++)
		if (lanes->ln_gain[i] >= least)
			lanes->scratch[count++] = lanes->ns[i];
	estimate->ns = stats_median(lanes->scratch, count);
}

static uint32_t lanes_of(const struct lanes *lanes, size_t point)
{
	return lanes->points[point]->spec.lanes;
}

/* How the gain grows from the last point in that part of the lanes on, by least squares: 1 is all
 * overlap. *error: its standard error, by pairs of blocks if enough: noise of one lane cancels. */
static double growth_after(const struct lanes *lanes, double part, double *error)
{
	size_t last = lanes->count - 1, first = last - 1;
	double mean = 0, moment = 0, spread = 0;
	while (first && lanes_of(lanes, first) > part * lanes_of(lanes, last))
		first--;
	for (size_t i = first; i <= last; i++)
		mean += log(lanes_of(lanes, i)) / (double)(last - first + 1);
	for (size_t i = first; i <= last; i++) {
		double x = log(lanes_of(lanes, i)) - mean;
		moment += x * lanes->ln_gain[i];
		spread += x * x;
	}
	*error = lanes->error / sqrt(spread);
	if (lanes->blocks < FEWEST_BLOCKS)
		return moment / spread;
	for (size_t k = 0; k < lanes->blocks; k++) {
		lanes->scratch[k] = 0;
		for (size_t i = first; i <= last; i++)
			lanes->scratch[k] -= (log(lanes_of(lanes, i)) - mean) *
					     log(block_ns(lanes, i, k)) / spread;
	}
	double growth = stats_median(lanes->scratch, lanes->blocks);
	*error = median_error(lanes->scratch, lanes->blocks, growth);
	return growth;
}

/* Do the last lanes gain enough of what lanes gain that all overlap, and those before them, too,
 * what no noise gains? Few lanes at the end alone hardly tell. */
static bool still_rises(const struct lanes *lanes)
{
	double error;
	return growth_after(lanes, LAST_PART, &error) > LEAST_GAIN &&
	       growth_after(lanes, LONGER_PART, &error) > ALIKE_ERRORS * error;
}

static struct estimate read_picked(struct lanes *lanes)
{
	struct estimate estimate = {.first = lanes->count - 1, .last = lanes->count - 1};
	size_t best;
	find_medians(lanes);
	double top = best_gain(lanes, &best);
	double alike = fmin(fmax(ALIKE_ERRORS * lanes->error, LEAST_ALIKE), MOST_ALIKE);
	estimate.ln_gain = lanes->ln_gain[estimate.last];
	estimate.ns = lanes->ns[estimate.last];
	if (lanes->saturated) {
		find_plateau(lanes, top - alike, &estimate);
		/* Again from their middle: the best of many is a little too good. */
		find_plateau(lanes, estimate.ln_gain - alike, &estimate);
	}
	memcpy(lanes->smooth, lanes->ln_gain, (best + 1) * sizeof(*lanes->smooth));
	stats_isotonic(lanes->smooth, best + 1);
	while (estimate.knee < best &&
	       lanes->smooth[estimate.knee] < estimate.ln_gain + log(SATURATION_KNEE))
		estimate.knee++;
	return estimate;
}

/* Mann's test for a trend (1945) over the plateau, where it ends with the curve: in how many pairs
 * of points the one of more lanes gains more, less those in which it gains less. */
static bool plateau_rises(const struct lanes *lanes, const struct estimate *estimate)
{
	double n = (double)(lanes->count - estimate->first), more = 0;
	if (!lanes->saturated || estimate->last + 1 < lanes->count)
		return false;
	for (size_t i = estimate->first; i < lanes->count; i++)
		for (size_t k = i + 1; k < lanes->count; k++)
			more += (lanes->ln_gain[k] > lanes->ln_gain[i]) -
				(lanes->ln_gain[k] < lanes->ln_gain[i]);
	return more > TREND_ERRORS * sqrt(n * (n - 1) * (2 * n + 5) / 18);
}

/* ---- how sure that is ---- */

enum { SPREAD_GAIN, SPREAD_NS, SPREAD_KNEE_LOW, SPREAD_KNEE_HIGH, SPREADS };

/* The fewest lanes that the knee may have: all that were left out before the point. */
static double knee_from(const struct lanes *lanes, size_t point)
{
	return point ? lanes_of(lanes, point - 1) + 1.0 : lanes_of(lanes, 0);
}

/* Percentiles of what the resamples gave; they hold the estimate. */
static struct stats_interval interval_of(double *resampled, double estimate)
{
	stats_sort(resampled, RESAMPLES);
	return (struct stats_interval){fmin(resampled[TAIL], estimate),
				       fmax(resampled[RESAMPLES - 1 - TAIL], estimate)};
}

static int find_intervals(struct lanes *lanes, uint64_t seed, struct saturation *saturation,
			  struct fathom_error *error)
{
	struct rng rng = rng_make(seed);
	double *spreads = calloc(SPREADS * RESAMPLES, sizeof(*spreads));
	if (!spreads)
		return error_no_memory(error);
	for (size_t i = 0; i < RESAMPLES; i++) {
		pick_again(lanes, &rng);
		struct estimate estimate = read_picked(lanes);
		spreads[SPREAD_GAIN * RESAMPLES + i] = exp(estimate.ln_gain);
		spreads[SPREAD_NS * RESAMPLES + i] = estimate.ns;
		spreads[SPREAD_KNEE_LOW * RESAMPLES + i] = knee_from(lanes, estimate.knee);
		spreads[SPREAD_KNEE_HIGH * RESAMPLES + i] = lanes_of(lanes, estimate.knee);
	}
	struct stats_interval gain = interval_of(spreads, saturation->speedup);
	struct stats_interval ns = interval_of(spreads + SPREAD_NS * RESAMPLES, saturation->ns);
	struct stats_interval low =
		interval_of(spreads + SPREAD_KNEE_LOW * RESAMPLES, saturation->knee);
	struct stats_interval high =
		interval_of(spreads + SPREAD_KNEE_HIGH * RESAMPLES, saturation->knee);
	saturation->speedup_low = gain.low;
	saturation->speedup_high = gain.high;
	saturation->low_ns = ns.low;
	saturation->high_ns = ns.high;
	saturation->knee_low = low.low;
	saturation->knee_high = high.high;
	free(spreads);
	return 0;
}

/* ---- all ---- */

static double floor_between(struct lanes *lanes, const struct estimate *estimate)
{
	size_t count = 0;
	for (size_t i = estimate->first; i <= estimate->last; i++)
		if (lanes->points[i]->floor_ns > 0)
			lanes->scratch[count++] = lanes->points[i]->floor_ns;
	return count ? stats_median(lanes->scratch, count) : NAN;
}

static int read_lanes(struct lanes *lanes, uint64_t seed, struct saturation *saturation,
		      struct fathom_error *error)
{
	pick_all(lanes);
	find_medians(lanes);
	lanes->error = typical_error(lanes);
	lanes->saturated = !still_rises(lanes);
	struct estimate estimate = read_picked(lanes);
	*saturation = (struct saturation){
		.ns = estimate.ns,
		.low_ns = NAN,
		.high_ns = NAN,
		.speedup = exp(estimate.ln_gain),
		.speedup_low = NAN,
		.speedup_high = NAN,
		.knee = lanes_of(lanes, estimate.knee),
		.knee_low = NAN,
		.knee_high = NAN,
		.saturated = lanes->saturated,
		.may_rise = plateau_rises(lanes, &estimate),
		.first = lanes_of(lanes, estimate.first),
		.last = lanes_of(lanes, estimate.last),
		.floor_ns = floor_between(lanes, &estimate),
	};
	if (lanes->fewest >= FEWEST_BLOCKS && find_intervals(lanes, seed, saturation, error))
		return -1;
	if (lanes_of(lanes, 0) != 1) /* over so many lanes is over no latency */
		saturation->speedup = saturation->speedup_low = saturation->speedup_high = NAN;
	return 0;
}

int saturation_find(const struct fathom_curve *curve, uint64_t seed, struct saturation *saturation,
		    bool *found, struct fathom_error *error)
{
	struct lanes lanes;
	struct saturation read;
	if (lanes_open(curve, &lanes, error))
		return -1;
	bool enough = lanes.count >= 2;
	int status = enough ? read_lanes(&lanes, seed, &read, error) : 0;
	lanes_close(&lanes);
	if (status)
		return -1;
	if (enough)
		*saturation = read;
	*found = enough;
	return 0;
}
