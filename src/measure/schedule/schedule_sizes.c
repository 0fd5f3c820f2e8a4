/* Which sizes a schedule has: the plan's, and those that are added. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/plan.h"
#include "measure/schedule/schedule.h"

#define OCTAVE          1.99 /* sizes are whole nodes */
#define ADDED_STRIDE    16
#define CONTROL_TARGETS 3 /* a control only has to tell steps from none: times the target */

static void set_strides(struct schedule *schedule)
{
	struct accumulator *octave =
		schedule->accumulators; /* the last that is twice the one before or more */
	for (size_t i = 0; i < schedule->count; i++) {
		struct accumulator *accumulator = &schedule->accumulators[i];
		size_t steps = (size_t)(accumulator - octave);
		accumulator->stride = steps & -steps;
		if (accumulator->curve != octave->curve ||
		    (double)accumulator->spec.size_bytes >=
			    OCTAVE * (double)octave->spec.size_bytes) {
			accumulator->stride = 0;
			octave = accumulator;
		}
		const struct accumulator *next = i + 1 < schedule->count ? accumulator + 1 : NULL;
		if (accumulator->spec.size_bytes <= schedule->always_bytes &&
		    (!next || next->curve != accumulator->curve ||
		     next->spec.size_bytes > schedule->always_bytes))
			accumulator->stride = 0;
	}
}

static void add_plan(struct schedule *schedule, const struct fathom_plan *plan,
		     const struct meter *meter)
{
	size_t curve = 0, end = plan_curve_end(plan, 0);
	for (size_t i = 0; i < plan->spec_count; i++) {
		struct accumulator *accumulator = &schedule->accumulators[i];
		if (i == end) {
			curve++;
			end = plan_curve_end(plan, i);
		}
		*accumulator = (struct accumulator){
			.spec = plan->specs[i],
			.curve = curve,
			.unpaired = plan->experiment == FATHOM_LATENCY,
			.is_control = plan->experiment == FATHOM_LATENCY && curve > 0 &&
				      plan->specs[i].pattern == FATHOM_WINDOW,
			.target = plan->target,
			.floor_ns = NAN,
			.resolution = meter->resolution,
			.instructions =
				meter->instructions ? meter->instructions(&plan->specs[i]) : 0,
			.cost_s = NAN,
		};
		if (schedule_is_control(accumulator))
			accumulator->target = fmin(1, CONTROL_TARGETS * plan->target);
	}
}

int schedule_open(struct schedule *schedule, const struct fathom_plan *plan,
		  const struct meter *meter, size_t more, struct fathom_error *error)
{
	*schedule = (struct schedule){
		.count = plan->spec_count,
		.capacity = plan->spec_count + more,
		.always_bytes = plan->always_bytes,
		.last_bytes = plan->always_bytes,
		.line_bytes = meter->line_bytes,
		.cache_bytes = meter->cache_bytes,
		.budget_s = plan->budget_s,
		.has_cliffs = plan->experiment == FATHOM_LATENCY,
	};
	schedule->accumulators = calloc(schedule->capacity, sizeof(*schedule->accumulators));
	schedule->order = calloc(schedule->capacity, sizeof(struct accumulator *));
	if (!schedule->accumulators || !schedule->order) {
		schedule_close(schedule);
		return error_no_memory(error);
	}
	add_plan(schedule, plan, meter);
	set_strides(schedule);
	return 0;
}

void schedule_close(struct schedule *schedule)
{
	for (size_t i = 0; schedule->accumulators && i < schedule->count; i++)
		accumulator_free(&schedule->accumulators[i]);
	free(schedule->accumulators);
	free(schedule->order);
	*schedule = (struct schedule){0};
}

/* Where the size belongs among those of the curve; `count`: the curve does not span it or has it.
 */
static size_t place_between(const struct schedule *schedule, size_t curve, uint64_t size_bytes)
{
	const struct accumulator *accumulators = schedule->accumulators;
	for (size_t i = 1; i < schedule->count; i++)
		if (accumulators[i - 1].curve == curve && accumulators[i].curve == curve &&
		    accumulators[i - 1].spec.size_bytes < size_bytes &&
		    accumulators[i].spec.size_bytes > size_bytes)
			return i;
	return schedule->count;
}

void schedule_halves(const struct schedule *schedule, uint64_t size_bytes, uint64_t halves[2])
{
	uint64_t below = 0, above = 0;
	for (size_t i = 0; i < schedule_main_count(schedule); i++) {
		uint64_t other = schedule->accumulators[i].spec.size_bytes;
		if (other < size_bytes)
			below = other;
		else if (other > size_bytes && !above)
			above = other;
	}
	halves[0] = (uint64_t)sqrt((double)below * (double)size_bytes);
	halves[1] = (uint64_t)sqrt((double)above * (double)size_bytes);
}

static void make_room(struct schedule *schedule, size_t at)
{
	struct accumulator *place = &schedule->accumulators[at];
	memmove(place + 1, place, (schedule->count - at) * sizeof(*place));
	schedule->count++;
}

static void close_room(struct schedule *schedule, size_t at)
{
	struct accumulator *place = &schedule->accumulators[at];
	schedule->count--;
	memmove(place, place + 1, (schedule->count - at) * sizeof(*place));
}

bool schedule_add(struct schedule *schedule, size_t curve, uint64_t size_bytes, double *room_s)
{
	size_bytes -= size_bytes % schedule->accumulators[0].spec.node_bytes;
	size_t at = place_between(schedule, curve, size_bytes);
	if (at == schedule->count || schedule->count == schedule->capacity)
		return false;
	const struct accumulator *next = &schedule->accumulators[at];
	struct accumulator added = {
		.spec = next->spec,
		.curve = curve,
		.unpaired = next->unpaired,
		.is_control = next->is_control,
		.target = next->target,
		.stride = ADDED_STRIDE,
		.overhead_ns = next->overhead_ns,
		.error_ns = next->error_ns,
		.floor_ns = NAN,
		.resolution = next->resolution,
		.instructions = next->instructions,
		.wanted = true,
		.cost_s = NAN,
	};
	added.spec.size_bytes = size_bytes;
	if (!schedule_allows(schedule, &added))
		return false;
	make_room(schedule, at);
	schedule->accumulators[at] = added;
	double needed_s = schedule_missing_s(schedule, at);
	if (needed_s > *room_s) {
		close_room(schedule, at);
		return false;
	}
	*room_s -= needed_s;
	return true;
}
