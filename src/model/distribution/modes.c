#include "model/distribution/modes.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* Bins an octave: half a percent each, less than any clock or memory repeats. */
#define BINS_AN_OCTAVE 128
/* A skewed mode takes two or three: room for four of them at least. */
#define MOST_PARTS  12
#define ROUNDS      300  /* at most; as a rule it ends after some dozens */
#define STILL       1e-7 /* a round that gains less log likelihood a value ends the search */
#define LEAST_SIGMA 4    /* bins: 2.2 % */
/* Parts of a mixture are of one mode where its density has no valley between them (Hennig 2010,
 * Methods for merging Gaussian mixture components): one that is at least so deep. */
#define VALLEY 0.9
/* Fewer values make no mode: their share would be known to no better than a half (Poisson, 95 %).
 */
#define LEAST_VALUES 20

/* Normal in the logarithm; positions and widths are in bins. */
struct part {
	double share, mean, sigma;
};

/* With a floor that is the same everywhere: what is of no part. */
struct mixture {
	struct part parts[MOST_PARTS];
	int count;
	double floor; /* its share */
	double log_likelihood;
};

struct bins {
	double first;   /* log2 of the lower end of the first, in bins */
	double *counts; /* not whole: a value is spread over the step of its clock */
	size_t count;
	double total;
	double step_ns; /* of the clock */
};

static double position(double ns)
{
	return BINS_AN_OCTAVE * log2(ns);
}

static double ns_at(double place)
{
	return exp2(place / BINS_AN_OCTAVE);
}

/* Over the step, evenly. */
static void add_value(struct bins *bins, double low_ns, double high_ns, double times)
{
	double low = position(low_ns) - bins->first, high = position(high_ns) - bins->first;
	if (!(high - low > 1e-9)) {
		bins->counts[(size_t)low] += times;
		return;
	}
	for (size_t i = (size_t)low; i < bins->count && (double)i < high; i++) {
		double part = fmin(high, (double)i + 1) - fmax(low, (double)i);
		bins->counts[i] += times * part / (high - low);
	}
}

static int fill_bins(struct bins *bins, const double *sorted_ns, size_t count, double step_ns)
{
	double half = step_ns / 2, least = fmax(sorted_ns[0] - half, sorted_ns[0] / 2);
	bins->first = floor(position(least));
	bins->count = (size_t)(position(sorted_ns[count - 1] + half) - bins->first) + 2;
	bins->total = (double)count;
	bins->step_ns = step_ns;
	bins->counts = calloc(bins->count, sizeof(*bins->counts));
	if (!bins->counts)
		return -1;
	for (size_t i = 0, next; i < count; i = next) {
		for (next = i + 1; next < count && sorted_ns[next] == sorted_ns[i];)
			next++;
		add_value(bins, fmax(sorted_ns[i] - half, sorted_ns[i] / 2), sorted_ns[i] + half,
			  (double)(next - i));
	}
	return 0;
}

static double part_density(const struct part *part, double at)
{
	double z = (at - part->mean) / part->sigma;
	return part->share * exp(-z * z / 2) / (part->sigma * sqrt(2 * M_PI));
}

static double density(const struct mixture *mixture, double floor_density, double at)
{
	double sum = mixture->floor * floor_density;
	for (int k = 0; k < mixture->count; k++)
		sum += part_density(&mixture->parts[k], at);
	return sum;
}

/* ---- expectation and maximization (Dempster, Laird, Rubin 1977), over bins ---- */

struct sums {
	double weight, mean, square;
};

/* Both readings of the clock are off by up to a step, so that the difference scatters by this share
 * of one. */
#define STEP_SCATTER 0.41

/* The least that the width of a part may be. */
static double least_sigma(const struct bins *bins, double mean)
{
	double step =
		BINS_AN_OCTAVE / M_LN2 * STEP_SCATTER * bins->step_ns / ns_at(mean + bins->first);
	return hypot(LEAST_SIGMA, step);
}

static void improve(struct mixture *mixture, const struct bins *bins)
{
	struct sums sums[MOST_PARTS] = {{0}};
	double flat = 1 / (double)bins->count, floor = 0, likelihood = 0;
	for (size_t i = 0; i < bins->count; i++) {
		double at = (double)i + 0.5, parts[MOST_PARTS], all = mixture->floor * flat;
		if (bins->counts[i] == 0)
			continue;
		for (int k = 0; k < mixture->count; k++)
			all += parts[k] = part_density(&mixture->parts[k], at);
		likelihood += bins->counts[i] * log(all);
		floor += bins->counts[i] * mixture->floor * flat / all;
		for (int k = 0; k < mixture->count; k++) {
			double weight = bins->counts[i] * parts[k] / all;
			double from = at - mixture->parts[k].mean;
			sums[k].weight += weight;
			sums[k].mean += weight * from;
			sums[k].square += weight * from * from;
		}
	}
	mixture->log_likelihood = likelihood;
	mixture->floor = floor / bins->total;
	for (int k = 0; k < mixture->count; k++) {
		struct part *part = &mixture->parts[k];
		double weight = sums[k].weight;
		part->share = weight / bins->total;
		if (!(weight > 0))
			continue;
		double shift = sums[k].mean / weight;
		part->mean += shift;
		part->sigma = fmax(least_sigma(bins, part->mean),
				   sqrt(fmax(0, sums[k].square / weight - shift * shift)));
	}
}

static void settle(struct mixture *mixture, const struct bins *bins)
{
	double before = -INFINITY;
	for (int round = 0; round < ROUNDS; round++) {
		improve(mixture, bins);
		if (mixture->log_likelihood - before < STILL * bins->total)
			break;
		before = mixture->log_likelihood;
	}
}

/* Where most values are too many for the mixture: the next part begins there (greedy learning,
 * Vlassis and Likas 2002). Over a stretch, since single bins scatter. */
static struct part next_part(const struct mixture *mixture, const struct bins *bins, double width)
{
	double flat = 1 / (double)bins->count, best = 0, sum = 0;
	size_t stretch = (size_t)(2 * width) + 1, at = 0;
	for (size_t i = 0; i < bins->count; i++) {
		sum += bins->counts[i] - bins->total * density(mixture, flat, (double)i + 0.5);
		if (i >= stretch)
			sum -= bins->counts[i - stretch] -
			       bins->total * density(mixture, flat, (double)(i - stretch) + 0.5);
		if (sum > best) {
			best = sum;
			at = i;
		}
	}
	return (struct part){fmax(best / bins->total, 1 / bins->total),
			     (double)at + 0.5 - (double)stretch / 2, width};
}

/* Bayesian information criterion: three numbers a part. */
static double price(const struct mixture *mixture, double total)
{
	return -2 * mixture->log_likelihood + 3 * mixture->count * log(total);
}

static bool add_part(struct mixture *mixture, const struct bins *bins, double width)
{
	struct mixture grown = *mixture;
	struct part part = next_part(mixture, bins, width);
	for (int k = 0; k < grown.count; k++)
		grown.parts[k].share *= 1 - part.share;
	grown.floor *= 1 - part.share;
	grown.parts[grown.count++] = part;
	settle(&grown, bins);
	if (!(price(&grown, bins->total) < price(mixture, bins->total)))
		return false;
	*mixture = grown;
	return true;
}

static struct mixture fit(const struct bins *bins)
{
	static const double widths[] = {4, 16, 64};
	struct mixture mixture = {.floor = 1};
	improve(&mixture, bins);
	mixture.floor = 1;
	for (bool grew = true; grew && mixture.count < MOST_PARTS;) {
		struct mixture best = mixture;
		grew = false;
		for (size_t i = 0; i < sizeof(widths) / sizeof(*widths); i++) {
			struct mixture tried = mixture;
			if (add_part(&tried, bins, widths[i]) &&
			    (!grew || price(&tried, bins->total) < price(&best, bins->total))) {
				best = tried;
				grew = true;
			}
		}
		mixture = best;
	}
	return mixture;
}

/* ---- parts to modes ---- */

static int by_mean(const void *a, const void *b)
{
	const struct part *x = a, *y = b;
	return (x->mean > y->mean) - (x->mean < y->mean);
}

/* Extent of the density between two bins: where it is least or greatest. */
struct extreme {
	double at, density;
};

static struct extreme extreme_between(const struct mixture *mixture, double flat, double low,
				      double high, bool least)
{
	struct extreme found = {low, density(mixture, flat, low)};
	for (double at = low; at <= high; at += 0.25) {
		double here = density(mixture, flat, at);
		if (least ? here < found.density : here > found.density)
			found = (struct extreme){at, here};
	}
	return found;
}

static double quantile_between(const struct bins *bins, double from, double to, double share)
{
	double sum = 0, seen = 0;
	size_t first = (size_t)fmax(0, from), last = (size_t)fmin((double)bins->count, to);
	for (size_t i = first; i < last; i++)
		sum += bins->counts[i];
	for (size_t i = first; i < last; i++) {
		if (bins->counts[i] > 0 && seen + bins->counts[i] >= share * sum)
			return (double)i + (share * sum - seen) / bins->counts[i];
		seen += bins->counts[i];
	}
	return (double)last;
}

/* Parts first to last are one mode. `from`, `to`: its valleys. */
static void take(const struct mixture *mixture, const struct bins *bins, int first, int last,
		 double from, double to, struct mode *mode)
{
	double flat = 1 / (double)bins->count, share = 0;
	for (int k = first; k <= last; k++)
		share += mixture->parts[k].share;
	struct extreme top = extreme_between(mixture, flat, mixture->parts[first].mean,
					     mixture->parts[last].mean, false);
	/* Three widths past its outermost parts what there is is of no mode. */
	double low = fmax(from, mixture->parts[first].mean - 4 * mixture->parts[first].sigma);
	double high = fmin(to, mixture->parts[last].mean + 4 * mixture->parts[last].sigma);
	*mode = (struct mode){
		.share = share,
		.ns = ns_at(top.at + bins->first),
		.low_ns = ns_at(quantile_between(bins, low, high, 0.05) + bins->first),
		.high_ns = ns_at(quantile_between(bins, low, high, 0.95) + bins->first),
		.from_ns = ns_at(low + bins->first),
		.below_ns = ns_at(high + bins->first),
	};
}

static size_t make_modes(struct mixture *mixture, const struct bins *bins, struct mode *modes)
{
	double flat = 1 / (double)bins->count, from = 0;
	size_t made = 0;
	qsort(mixture->parts, (size_t)mixture->count, sizeof(*mixture->parts), by_mean);
	for (int k = 0, first = 0; k < mixture->count; k++) {
		const struct part *parts = mixture->parts;
		double to = (double)bins->count;
		if (k + 1 < mixture->count) {
			struct extreme valley = extreme_between(mixture, flat, parts[k].mean,
								parts[k + 1].mean, true);
			double left = density(mixture, flat, parts[k].mean);
			for (int j = first; j < k; j++)
				left = fmax(left, density(mixture, flat, parts[j].mean));
			double right = density(mixture, flat, parts[k + 1].mean);
			if (valley.density > VALLEY * fmin(left, right))
				continue;
			to = valley.at;
		}
		take(mixture, bins, first, k, from, to, &modes[made]);
		made += modes[made].share * bins->total >= LEAST_VALUES;
		from = to;
		first = k + 1;
	}
	return made;
}

int modes_find(const double *sorted_ns, size_t count, double step_ns, struct mode **modes,
	       size_t *mode_count)
{
	struct bins bins;
	struct mode *made = calloc(MOST_PARTS, sizeof(*made));
	if (!made || fill_bins(&bins, sorted_ns, count, step_ns)) {
		free(made);
		return -1;
	}
	struct mixture mixture = fit(&bins);
	*mode_count = make_modes(&mixture, &bins, made);
	*modes = made;
	free(bins.counts);
	return 0;
}
