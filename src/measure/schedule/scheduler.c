#include "measure/schedule/scheduler.h"

#include "base/patterns.h"
#include "measure/sampling/calibrate.h"
#include "measure/sampling/turns.h"
#include "measure/schedule/choice.h"
#include "measure/spec.h"

/* ---- before anything is timed ---- */

/* What the independent order's generator costs, once for each curve of it. */
static int calibrate(struct runner *runner, struct fathom_error *error)
{
	double overhead_ns = 0, error_ns = 0;
	for (size_t i = 0; i < runner->schedule.count; i++) {
		struct accumulator *accumulator = &runner->schedule.accumulators[i];
		bool first = i == 0 || accumulator->curve != accumulator[-1].curve;
		if (pattern_traits(accumulator->spec.pattern)->order != PATTERN_DRAWN)
			continue;
		if (first && calibrate_independent(runner->meter, &accumulator->spec, &overhead_ns,
						   &error_ns, error))
			return -1;
		accumulator->overhead_ns = overhead_ns;
		accumulator->error_ns = error_ns;
	}
	return 0;
}

int scheduler_touch(struct scheduler *scheduler, const struct fathom_spec *spec,
		    struct fathom_error *error)
{
	struct runner *runner = &scheduler->runner;
	struct meter_placement placement;
	double start_s = runner_elapsed_s(runner);
	runner_tell(runner, NULL);
	int status = runner->meter->ops->prepare(runner->meter, spec, spec->seed, true, &placement,
						 error);
	scheduler->touch_s += runner_elapsed_s(runner) - start_s;
	if (status == 0)
		runner_tell(runner, NULL);
	return status;
}

/* Have they memory in common, which is kept? Each number of threads has, for chains and for
 * streams, of each kind of page. */
static bool share_memory(const struct fathom_spec *a, const struct fathom_spec *b)
{
	bool kept = a->warmth != FATHOM_COLD_MAPPED && b->warmth != FATHOM_COLD_MAPPED;
	return kept && a->threads == b->threads && a->page == b->page &&
	       pattern_streams(a->pattern) == pattern_streams(b->pattern);
}

/* The first of those that need most of the memory that they share; NULL: it is not kept. */
static const struct accumulator *find_largest(const struct schedule *schedule,
					      const struct fathom_spec *spec)
{
	const struct accumulator *largest = NULL;
	for (size_t i = 0; i < schedule->count; i++) {
		const struct accumulator *accumulator = &schedule->accumulators[i];
		if (share_memory(&accumulator->spec, spec) &&
		    accumulator->spec.size_bytes <= schedule->last_bytes &&
		    (!largest ||
		     spec_memory_bytes(&accumulator->spec) > spec_memory_bytes(&largest->spec)))
			largest = accumulator;
	}
	return largest;
}

static int touch_memory(struct scheduler *scheduler, struct fathom_error *error)
{
	const struct schedule *schedule = &scheduler->runner.schedule;
	int status = 0;
	scheduler->runner.stage = "memory";
	for (size_t i = 0; i < schedule->count && status == 0; i++) {
		const struct accumulator *accumulator = &schedule->accumulators[i];
		if (find_largest(schedule, &accumulator->spec) == accumulator)
			status = scheduler_touch(scheduler, &accumulator->spec, error);
	}
	return status;
}

/* ---- visits ---- */

/* Brings what is to be held against order[first] behind it: block after block of the one is
 * measured right after, or before, that of the other. Returns the place after the last. */
static size_t gather(struct runner *runner, size_t first, size_t count)
{
	struct accumulator **order = runner->schedule.order;
	size_t end = first + 1;
	for (size_t k = end; k < count; k++)
		if (choice_is_pair(runner->plan, &order[first]->spec, &order[k]->spec)) {
			struct accumulator *keep = order[end];
			order[end++] = order[k];
			order[k] = keep;
		}
	return end;
}

/* Visits those of schedule.order from `first` to before `end` if there is time for all. */
static int visit_group(struct scheduler *scheduler, size_t first, size_t end, size_t count,
		       struct fathom_error *error)
{
	struct runner *runner = &scheduler->runner;
	struct accumulator **order = runner->schedule.order;
	double needed_s = 0;
	for (size_t k = first; k < end; k++) {
		scheduler->ops->plan(scheduler, order[k], count - first);
		needed_s += order[k]->planned_s;
	}
	if (needed_s > runner_left_s(runner) && !scheduler->must_visit)
		return 0;
	scheduler->visits += end - first;
	for (size_t k = first; k < end; k++) {
		uint64_t hops_before = order[k]->hops;
		int status = runner_visit(runner, order[k], order[k]->planned_blocks, error);
		if (status)
			return status;
		if (scheduler->ops->learn)
			scheduler->ops->learn(scheduler, order[k], hops_before);
	}
	return 0;
}

/* The first `count` of schedule.order, in random order: what drifts becomes scatter. */
static int visit_all(struct scheduler *scheduler, size_t count, struct fathom_error *error)
{
	int status = 0;
	scheduler->visits = 0;
	runner_shuffle(&scheduler->runner, count);
	for (size_t first = 0, end; first < count && status == 0; first = end) {
		end = gather(&scheduler->runner, first, count);
		status = visit_group(scheduler, first, end, count, error);
	}
	return status;
}

int scheduler_run(struct scheduler *scheduler, struct fathom_error *error)
{
	int status = calibrate(&scheduler->runner, error);
	if (status == 0)
		status = touch_memory(scheduler, error);
	for (size_t count = 1; status == 0 && count > 0;) {
		status = scheduler->ops->next(scheduler, &count, error);
		if (status == 0)
			status = visit_all(scheduler, count, error);
		if (status == 0 && scheduler->runner.meter->turn)
			turns_pass(scheduler->runner.meter->turn, scheduler->runner.meter);
	}
	return status;
}
