/* The curves of a machine as they would be measured: exact costs with noise, outliers and drift. */
#include <math.h>
#include <stdlib.h>

#include "accuracy_trace.h"
#include "base/error.h"
#include "base/stats.h"

#define SMALLEST_BYTES   4096
#define PER_OCTAVE       4
#define CONTROL_OCTAVE   2
#define CONTROL_REACHES  2 /* times the last cache */
#define BLOCKS           6
#define PLACEMENTS_LINES 150000 /* times placements: what more than one is spent on */
#define FEW_PAGES        40
#define FEW_PLACEMENTS   2
/* The median of six normal values scatters by half of one. */
#define MEDIAN_GAIN  2.0
#define CLOCK_NOISE  0.1
#define MOST_OUTLIER 1.0

static double ns_of(const struct simulated_cost *cost, double clock_hz)
{
	return cost->cycles / clock_hz * 1e9 + cost->ns;
}

/* The clock at a moment of the sweep, which takes from 0 to 1. */
static double clock_at(const struct simulated_spec *spec, double moment, double swings)
{
	return spec->clock_hz * (1 + spec->drift / 2 * sin(2 * M_PI * swings * moment));
}

static double disturb(struct rng *rng, double noise)
{
	return fmax(0.5, 1 + noise * rng_normal(rng));
}

/* What a measurement makes of the exact costs: blocks with noise at their moments, their median
 * and interval; and now and then a point that is off as a whole. */
static void measure_point(struct tracer *tracer, const struct tracer_cost *costs, size_t placements,
			  const double moments[BLOCKS], double swings, struct accuracy_point *point)
{
	const struct simulated_spec *spec = &tracer->machine->spec;
	double values[BLOCKS], clocks[BLOCKS], factor = 1;
	if (rng_unit(&tracer->rng) < spec->outliers)
		factor += 0.1 + (MOST_OUTLIER - 0.1) * rng_unit(&tracer->rng);
	for (size_t i = 0; i < BLOCKS; i++) {
		clocks[i] = clock_at(spec, moments[i], swings);
		values[i] = ns_of(&costs[i % placements].all, clocks[i]) * factor *
			    disturb(&tracer->rng, MEDIAN_GAIN * spec->noise);
		clocks[i] *= disturb(&tracer->rng, CLOCK_NOISE * spec->noise);
	}
	point->clock_hz = stats_median(clocks, BLOCKS);
	point->ns = stats_median(values, BLOCKS);
	struct stats_interval interval = stats_median_interval(values, BLOCKS);
	point->low_ns = interval.low;
	point->high_ns = interval.high;
	point->exact_ns = point->translation_ns = 0;
	for (size_t i = 0; i < placements; i++) {
		point->exact_ns += ns_of(&costs[i].all, spec->clock_hz) / (double)placements;
		point->translation_ns +=
			ns_of(&costs[i].translation, spec->clock_hz) / (double)placements;
	}
}

size_t accuracy_placements(const struct accuracy_machine *machine, uint64_t lines)
{
	uint64_t count = PLACEMENTS_LINES / lines;
	uint64_t pages = lines * ACCURACY_LINE_BYTES / machine->page_bytes;
	bool random = machine->spec.placement == SIMULATED_RANDOM_FRAMES;
	/* Where few frames lie at random, each placement is another machine. */
	uint64_t least = random && pages < FEW_PAGES ? FEW_PLACEMENTS : 1;
	uint64_t most = random ? BLOCKS : 2;
	return count > most ? most : count < least ? least : count;
}

static int trace_point(struct tracer *tracer, uint64_t lines, bool windows,
		       const double moments[BLOCKS], double swings, struct accuracy_point *point,
		       struct fathom_error *error)
{
	struct tracer_cost costs[BLOCKS];
	size_t placements = accuracy_placements(tracer->machine, lines);
	for (size_t i = 0; i < placements; i++) {
		tracer->moment = moments[i];
		if (tracer_block(tracer, lines, windows, &costs[i], error))
			return -1;
	}
	point->size_bytes = (double)(lines * ACCURACY_LINE_BYTES);
	measure_point(tracer, costs, placements, moments, swings, point);
	return 0;
}

/* The moments of the blocks of each size: all blocks of a size in one visit, or one in each of six
 * rounds; the sizes in a random order, a new one each round. */
static int draw_moments(struct tracer *tracer, size_t count, double (*moments)[BLOCKS],
			struct fathom_error *error)
{
	uint32_t *order = calloc(count, sizeof(*order));
	if (!order)
		return error_no_memory(error);
	for (uint32_t i = 0; i < count; i++)
		order[i] = i;
	for (size_t block = 0; block < BLOCKS; block++) {
		if (block == 0 || tracer->machine->in_rounds)
			tracer_shuffle(&tracer->rng, order, count);
		for (size_t i = 0; i < count; i++) {
			double moment = (double)i / (double)count;
			moments[order[i]][block] = tracer->machine->in_rounds
							   ? ((double)block + moment) / BLOCKS
							   : moment;
		}
	}
	free(order);
	return 0;
}

static int trace_curve(const struct accuracy_machine *machine, bool exact, bool windows,
		       double smallest, double largest, struct accuracy_curve *curve,
		       struct fathom_error *error)
{
	unsigned per_octave = windows ? CONTROL_OCTAVE : PER_OCTAVE;
	size_t count = (size_t)floor(log2(largest / smallest) * per_octave + 1e-9) + 1;
	struct tracer tracer;
	if (tracer_open(&tracer, machine, exact, error))
		return -1;
	tracer.rng = rng_make(rng_mix(machine->spec.seed, windows ? 1001 : 1000));
	double swings = 0.5 + 2 * rng_unit(&tracer.rng);
	double(*moments)[BLOCKS] = calloc(count, sizeof(*moments));
	curve->points = calloc(count, sizeof(*curve->points));
	int status = moments && curve->points ? draw_moments(&tracer, count, moments, error)
					      : error_no_memory(error);
	for (size_t i = 0; !status && i < count; i++) {
		double bytes = smallest * exp2((double)i / per_octave);
		uint64_t lines = (uint64_t)round(bytes / ACCURACY_LINE_BYTES);
		status = trace_point(&tracer, lines, windows, moments[i], swings, &curve->points[i],
				     error);
		curve->count = i + 1;
	}
	free(moments);
	tracer_close(&tracer);
	return status;
}

int accuracy_machine_trace(struct accuracy_machine *machine, bool exact, struct fathom_error *error)
{
	const struct simulated_spec *spec = &machine->spec;
	double last = accuracy_reach_bytes(spec, spec->cache_count - 1);
	double largest = (double)machine->largest_bytes;
	double control = fmin(CONTROL_REACHES * last, largest);
	if (trace_curve(machine, exact, false, SMALLEST_BYTES, largest, &machine->main, error))
		return -1;
	return trace_curve(machine, exact, true, 2.0 * ACCURACY_WINDOW_BYTES, control,
			   &machine->control, error);
}
