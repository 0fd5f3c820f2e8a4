#include "model/distribution/refresh.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/stats.h"

/* How much of the series is looked at: enough periods for one in 10,000. */
#define MOST_NS      40e6
#define MOST_EVENTS  6000
#define LEAST_EVENTS 40
/* Steps of frequency in what the series can tell apart. */
#define STEPS 4
#define FINE  4
/* A false one in so many series: powers of noise are exponential, of mean 1. */
#define ONE_FALSE_IN 1e4
#define PHASES       64
/* Turns by which a phase may be off, of what is folded: in longer series, or such with pauses, the
 * error of the period adds up. */
#define PHASE_OFF 0.1
/* Of the accesses that begin in the middle of a refresh so many wait at least: events of another,
 * longer period would leave most of its fractions empty. */
#define LEAST_WAITING 0.25
/* Memory that does not wait takes no less than that part of what waits. */
#define NEARER 8

struct events {
	double *time_ns;
	size_t count;
	double length_ns; /* of the stretch that they are from */
};

static double quantile(const double *sorted, size_t count, double share)
{
	return sorted[(size_t)(share * (double)(count - 1))];
}

/* sum of exp(2 pi i f t), squared, a value. */
static double power_at(const double *time_ns, size_t count, double frequency)
{
	double re = 0, im = 0;
	for (size_t i = 0; i < count; i++) {
		double turns = frequency * time_ns[i];
		double angle = 2 * M_PI * (turns - floor(turns));
		re += cos(angle);
		im += sin(angle);
	}
	return (re * re + im * im) / (double)count;
}

static void swap(double *a, double *b)
{
	double was = *a;
	*a = *b;
	*b = was;
}

/* The bits of each place turned round. */
static void turn_places(double *re, double *im, size_t count)
{
	for (size_t i = 1, k = 0; i < count; i++) {
		size_t bit = count / 2;
		for (; k & bit; bit /= 2)
			k ^= bit;
		k ^= bit;
		if (i < k) {
			swap(&re[i], &re[k]);
			swap(&im[i], &im[k]);
		}
	}
}

/* In place, of 2^k values: sum of x_n exp(2 pi i f n / count) (Cooley and Tukey 1965). `turning`:
 * the cosines and sines of a turn, in so many parts, half of each. */
static void transform(double *re, double *im, size_t count, const double *turning)
{
	const double *cosine = turning, *sine = turning + count / 2;
	turn_places(re, im, count);
	for (size_t half = 1; half < count; half *= 2)
		for (size_t from = 0; from < count; from += 2 * half)
			for (size_t k = 0; k < half; k++) {
				size_t i = from + k, turn = k * (count / 2 / half);
				double a = re[i + half], b = im[i + half];
				double x = a * cosine[turn] - b * sine[turn];
				double y = a * sine[turn] + b * cosine[turn];
				re[i + half] = re[i] - x;
				im[i + half] = im[i] - y;
				re[i] += x;
				im[i] += y;
			}
}

/* Rayleigh's test of the frequencies k * step, with the events in bins of a FINE-th of the shortest
 * period at most, which takes a fifth of its power: the first `frequencies` of them. NULL: no
 * memory.
 */
static double *powers(const struct events *events, double step, size_t frequencies)
{
	size_t bins = 1;
	while (bins < FINE * frequencies)
		bins *= 2;
	double *re = calloc(3 * bins, sizeof(*re)), *im = re + bins, *turning = im + bins;
	if (!re)
		return NULL;
	for (size_t k = 0; k < bins / 2; k++) {
		turning[k] = cos(2 * M_PI * (double)k / (double)bins);
		turning[bins / 2 + k] = sin(2 * M_PI * (double)k / (double)bins);
	}
	for (size_t i = 0; i < events->count; i++)
		re[(size_t)lround(events->time_ns[i] * step * (double)bins) % bins] += 1;
	transform(re, im, bins, turning);
	for (size_t k = 0; k < frequencies; k++)
		re[k] = (re[k] * re[k] + im[k] * im[k]) / (double)events->count;
	return re;
}

/* The lowest frequency of the strong ones: narrow events are strong at its multiples, too. */
static size_t find_lowest(const double *power, size_t frequencies, double least)
{
	double most = 0;
	for (size_t k = 0; k < frequencies; k++)
		most = fmax(most, power[k]);
	if (most < least)
		return frequencies;
	least = fmax(least, most / 2);
	for (size_t k = 0; k < frequencies; k++)
		if (power[k] >= least && (k + 1 == frequencies || power[k + 1] <= power[k]))
			return k;
	return frequencies;
}

/* The top of the peak, by thirds. */
static double climb(const struct events *events, double low, double high)
{
	for (int i = 0; i < 40; i++) {
		double a = low + (high - low) / 3, b = high - (high - low) / 3;
		if (power_at(events->time_ns, events->count, a) <
		    power_at(events->time_ns, events->count, b))
			low = a;
		else
			high = b;
	}
	return (low + high) / 2;
}

struct fold {
	double all[PHASES], slow[PHASES];
};

static double share_at(const struct fold *fold, int phase)
{
	int i = (phase + PHASES) % PHASES;
	return fold->all[i] > 0 ? fold->slow[i] / fold->all[i] : 0;
}

/* Accesses by the phase at which they began: where they wait is one stretch. */
static bool judge(const double *time_ns, const double *latency_ns, size_t count, double slow_ns,
		  double usual_ns, struct refresh *refresh)
{
	struct fold fold = {{0}, {0}};
	int top = 0, from, to;
	for (size_t i = 0; i < count && time_ns[i] <= refresh->until_ns; i++) {
		double turns = time_ns[i] / refresh->period_ns;
		if (latency_ns[i] < slow_ns / NEARER) /* a cache had it: it does not wait */
			continue;
		int phase = (int)(PHASES * (turns - floor(turns))) % PHASES;
		bool slow =
			latency_ns[i] > slow_ns && latency_ns[i] < usual_ns + REFRESH_MOST_WAIT_NS;
		fold.all[phase] += 1;
		fold.slow[phase] += slow;
	}
	for (int i = 1; i < PHASES; i++)
		if (fold.all[i] >= 8 && share_at(&fold, i) > share_at(&fold, top))
			top = i;
	double most = share_at(&fold, top);
	if (most < LEAST_WAITING)
		return false;
	/* Round its phases, wherever they begin. */
	for (from = top; from > top - PHASES && share_at(&fold, from - 1) >= most / 2;)
		from--;
	for (to = top; to < from + PHASES && share_at(&fold, to + 1) >= most / 2;)
		to++;
	double inside = 0, outside = 0;
	for (int i = 0; i < PHASES; i++)
		outside += share_at(&fold, i);
	for (int i = from; i <= to; i++)
		inside += share_at(&fold, i);
	outside -= inside;
	refresh->first_phase = (double)from / PHASES;
	refresh->phases = (double)(to - from + 1) / PHASES;
	return refresh->phases <= 0.5 && inside > outside;
}

bool refresh_has(const struct refresh *refresh, double time_ns)
{
	double turns = time_ns / refresh->period_ns - refresh->first_phase;
	return turns - floor(turns) < refresh->phases;
}

static int take_events(const double *time_ns, const double *latency_ns, size_t count,
		       double slow_ns, double most_ns, struct events *events)
{
	events->count = 0;
	for (size_t i = 0; i < count && time_ns[i] - time_ns[0] <= MOST_NS; i++) {
		events->length_ns = time_ns[i] - time_ns[0];
		if (latency_ns[i] <= slow_ns || latency_ns[i] >= most_ns)
			continue;
		events->time_ns[events->count++] = time_ns[i] - time_ns[0];
		if (events->count == MOST_EVENTS)
			break;
	}
	return events->count >= LEAST_EVENTS;
}

/* What the events' phases scatter, in turns, round their mean. */
static double phase_scatter(const struct events *events, double frequency)
{
	double r2 = power_at(events->time_ns, events->count, frequency) / (double)events->count;
	return sqrt(fmax(0, -log(fmin(1, r2)))) / (2 * M_PI); /* of a wrapped normal */
}

static int search(const double *time_ns, const double *latency_ns, size_t count, double slow_ns,
		  double usual_ns, struct events *events, struct refresh *refresh, bool *found)
{
	if (!take_events(time_ns, latency_ns, count, slow_ns, usual_ns + REFRESH_MOST_WAIT_NS,
			 events))
		return 0;
	double step = 1 / (STEPS * events->length_ns);
	size_t first = (size_t)ceil(1 / REFRESH_MOST_NS / step);
	size_t end = (size_t)(1 / REFRESH_LEAST_NS / step) + 1;
	double *power = powers(events, step, end);
	if (!power)
		return -1;
	double least = log((double)(end - first) * ONE_FALSE_IN);
	size_t at = first + find_lowest(power + first, end - first, least);
	free(power);
	if (at == end)
		return 0;
	double frequency = climb(events, ((double)at - 1) * step, ((double)at + 1) * step);
	/* The slope of a line through the phases. */
	double off = 1.96 * phase_scatter(events, frequency) * sqrt(12 / (double)events->count) /
		     events->length_ns;
	refresh->period_ns = 1 / frequency;
	refresh->low_ns = 1 / (frequency + off);
	refresh->high_ns = 1 / (frequency - off);
	refresh->until_ns = time_ns[0] + fmax(events->length_ns, PHASE_OFF / off);
	*found = judge(time_ns, latency_ns, count, slow_ns, usual_ns, refresh);
	return 0;
}

int refresh_find(const double *time_ns, const double *latency_ns, size_t count,
		 struct refresh *refresh, bool *found)
{
	/* How many wait is not known beforehand. */
	static const double fast[] = {0.9, 0.95, 0.98, 0.99, 0.995};
	struct events events = {.time_ns = malloc(MOST_EVENTS * sizeof(double))};
	double *sorted = malloc(count * sizeof(*sorted));
	struct refresh made;
	int failed = events.time_ns && sorted ? 0 : -1;
	*found = false;
	if (!failed) {
		memcpy(sorted, latency_ns, count * sizeof(*sorted));
		stats_sort(sorted, count);
	}
	for (size_t i = 0; i < sizeof(fast) / sizeof(*fast) && !failed && !*found; i++) {
		double slow_ns = quantile(sorted, count, fast[i]);
		double usual_ns = quantile(sorted, count, 0.5);
		failed = search(time_ns, latency_ns, count, slow_ns, usual_ns, &events, &made,
				found);
	}
	if (*found)
		*refresh = made;
	free(events.time_ns);
	free(sorted);
	return failed;
}
