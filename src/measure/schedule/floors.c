#include "measure/schedule/floors.h"

#include <math.h>

#include "base/error.h"
#include "base/warnings.h"
#include "measure/sampling/calibrate.h"

#define LATENCY_SLACK 1.1 /* of the first cache; what is faster is bound by it, not by the loop */
/* A core clock that hops moves them by 1 to 3 % (seen on Zen 4 and Intel guests). */
#define AGREE      0.03
#define MOST_AGAIN 5

static struct floor *floor_of(struct floors *floors, const struct fathom_spec *spec)
{
	return &floors->of[spec->lane_store][spec->link][spec->lanes];
}

static bool is_agreed(const struct floor *floor)
{
	return floor->passes > 1 && floor->second_ns <= (1 + AGREE) * floor->least_ns;
}

static int measure(struct floor *floor, const struct fathom_spec *spec, struct meter *meter,
		   struct fathom_error *error)
{
	double ns;
	if (calibrate_lanes(meter, spec, &ns, error))
		return -1;
	if (floor->passes == 0)
		floor->least_ns = floor->second_ns = INFINITY;
	if (ns < floor->least_ns) {
		floor->second_ns = floor->least_ns;
		floor->least_ns = ns;
	} else {
		floor->second_ns = fmin(floor->second_ns, ns);
	}
	floor->passes++;
	return 0;
}

int floors_measure(struct floors *floors, const struct schedule *schedule, struct meter *meter,
		   struct fathom_error *error)
{
	unsigned pass = ++floors->passes;
	for (size_t i = 0; i < schedule->count; i++) {
		const struct fathom_spec *spec = &schedule->accumulators[i].spec;
		struct floor *floor = floor_of(floors, spec);
		if (spec->axis != FATHOM_AXIS_LANES || floor->passes >= pass || is_agreed(floor))
			continue;
		if (measure(floor, spec, meter, error))
			return -1;
	}
	return 0;
}

/* The least that an access of so many lanes was measured at, over all sizes. */
static double least_measured_ns(const struct schedule *schedule, const struct fathom_spec *spec)
{
	double least_ns = INFINITY;
	for (size_t i = 0; i < schedule->count; i++) {
		const struct accumulator *accumulator = &schedule->accumulators[i];
		if (accumulator->spec.axis == spec->axis && accumulator->spec.link == spec->link &&
		    accumulator->spec.lane_store == spec->lane_store &&
		    accumulator->spec.lanes == spec->lanes && accumulator->block_count)
			least_ns = fmin(least_ns, accumulator_median_ns(accumulator));
	}
	return least_ns;
}

static int decide(struct floor *floor, const struct schedule *schedule,
		  const struct fathom_spec *spec, struct meter *meter, struct fathom_error *error)
{
	double most_ns = (1 + AGREE) * least_measured_ns(schedule, spec);
	bool known = false;
	for (int again = 0; !floor->decided; again++) {
		known = is_agreed(floor) && floor->least_ns <= most_ns;
		floor->decided = known || again == MOST_AGAIN;
		floor->ns = known ? floor->least_ns : NAN;
		if (!floor->decided && measure(floor, spec, meter, error))
			return -1;
	}
	return 0;
}

int floors_measure_all(struct floors *floors, struct schedule *schedule, struct meter *meter,
		       struct fathom_warnings *warnings, struct fathom_error *error)
{
	double latencies_ns[FATHOM_LINK_UNKNOWN];
	bool unknown = false;
	for (int link = 0; link < FATHOM_LINK_UNKNOWN; link++)
		latencies_ns[link] = NAN;
	for (size_t i = 0; i < schedule->count; i++) {
		struct accumulator *accumulator = &schedule->accumulators[i];
		const struct fathom_spec *spec = &accumulator->spec;
		struct floor *floor = floor_of(floors, spec);
		double *latency_ns = &latencies_ns[spec->link];
		if (spec->axis != FATHOM_AXIS_LANES || accumulator->block_count == 0)
			continue;
		if (decide(floor, schedule, spec, meter, error))
			return -1;
		unknown |= isnan(floor->ns);
		if (spec->lanes == 1)
			*latency_ns = floor->ns;
		else if (floor->ns * spec->lanes > LATENCY_SLACK * *latency_ns)
			accumulator->floor_ns = floor->ns;
	}
	if (unknown &&
	    warnings_add(warnings, "no-floor", NULL, "measure again when the machine is idle",
			 "the cost of the loop itself is not known for several lanes: its runs "
			 "disagree, or took longer than the measured points"))
		return error_no_memory(error);
	return 0;
}
