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

/* Rayleigh's test of each frequency. Angles go on by multiplication: no sine in the inner loop. */
static double *powers(const struct events *events, double first, double step, size_t frequencies)
{
	double *power = malloc(frequencies * sizeof(*power));
	double *turning = malloc(4 * events->count * sizeof(*turning));
	if (!power || !turning) {
		free(power);
		free(turning);
		return NULL;
	}
	double *re = turning, *im = re + events->count, *dre = im + events->count,
	       *dim = dre + events->count;
	for (size_t i = 0; i < events->count; i++) {
		double at = first * events->time_ns[i], by = step * events->time_ns[i];
		re[i] = cos(2 * M_PI * (at - floor(at)));
		im[i] = sin(2 * M_PI * (at - floor(at)));
		dre[i] = cos(2 * M_PI * (by - floor(by)));
		dim[i] = sin(2 * M_PI * (by - floor(by)));
	}
	for (size_t k = 0; k < frequencies; k++) {
		double sum_re = 0, sum_im = 0;
		for (size_t i = 0; i < events->count; i++) {
			double was = re[i];
			sum_re += was;
			sum_im += im[i];
			re[i] = was * dre[i] - im[i] * dim[i];
			im[i] = was * dim[i] + im[i] * dre[i];
		}
		power[k] = (sum_re * sum_re + sum_im * sum_im) / (double)events->count;
	}
	free(turning);
	return power;
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
	double step = 1 / (STEPS * events->length_ns), first = 1 / REFRESH_MOST_NS;
	size_t frequencies = (size_t)((1 / REFRESH_LEAST_NS - first) / step) + 1;
	double *power = powers(events, first, step, frequencies);
	if (!power)
		return -1;
	double least = log((double)frequencies * ONE_FALSE_IN);
	size_t at = find_lowest(power, frequencies, least);
	free(power);
	if (at == frequencies)
		return 0;
	double frequency =
		climb(events, first + ((double)at - 1) * step, first + ((double)at + 1) * step);
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
