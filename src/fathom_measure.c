/* Where everything meets to measure: plan -> meter -> sweep and rounds -> levels -> result. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/plan.h"
#include "base/point.h"
#include "base/stopwatch.h"
#include "base/warnings.h"
#include "document/document.h"
#include "fathom.h"
#include "fathom_again.h"
#include "fathom_cpus.h"
#include "fathom_load.h"
#include "fathom_measure.h"
#include "fathom_nodes.h"
#include "fathom_search.h"
#include "kernels/flush.h"
#include "machine/machine.h"
#include "measure/experiments/experiments.h"
#include "measure/plan/plan.h"
#include "measure/plan/plan_memory.h"
#include "measure/sampling/calibrate.h"
#include "measure/sampling/line_size.h"
#include "measure/sampling/turns.h"
#include "measure/schedule/rounds.h"
#include "measure/schedule/sweep.h"
#include "model/checks/quality.h"
#include "model/checks/withhold.h"
#include "model/parallelism/parallelism.h"
#include "model/plateau.h"
#include "model/prefetchers.h"

#define MOST_LEVELS    16   /* that are measured at */
#define LEARNING_SHARE 0.05 /* of the budget, for a fixed cost that is not clear */

static int open_alone(const struct fathom_plan *plan, const struct fathom_machine *machine,
		      struct fathom_warnings *warnings, struct meter **meter,
		      struct fathom_error *error)
{
	const struct pinning_place place = {
		.cpu = plan->cpu, .node = plan->memory_node, .sibling = plan_sibling_at(plan, 0)};
	struct plan_memory memory = plan_memory(plan, machine);
	uint64_t largest = plan_largest_bytes(plan);
	if (machine->description)
		return meter_simulated_open(machine, place,
					    largest > LINE_SPAN_BYTES ? largest : LINE_SPAN_BYTES,
					    meter, error);
	return meter_hardware_open(machine, place, memory.chains_bytes, warnings, meter, error);
}

static int open_meter(const struct fathom_plan *plan, const struct fathom_machine *machine,
		      struct turn *turn, struct fathom_warnings *warnings, struct meter **meter,
		      struct fathom_error *error)
{
	if (open_alone(plan, machine, warnings, meter, error))
		return -1;
	if (turn)
		turns_begin(turn, *meter);
	return 0;
}

/* Sizes become whole numbers of the new nodes; those that then repeat, or hold none, are left out.
 */
static void space_nodes(struct fathom_plan *plan, uint64_t node_bytes)
{
	size_t count = 0;
	for (size_t i = 0; i < plan->spec_count; i++) {
		struct fathom_spec spec = plan->specs[i];
		const struct fathom_spec *before = count ? &plan->specs[count - 1] : NULL;
		spec.node_bytes = node_bytes;
		spec.size_bytes -= spec.size_bytes % node_bytes;
		spec.window_bytes -= spec.window_bytes % node_bytes;
		if ((spec.size_bytes == 0 && plan->specs[i].size_bytes) ||
		    (before && plan_same_curve(&spec, before) &&
		     spec.size_bytes == before->size_bytes))
			continue;
		plan->specs[count++] = spec;
	}
	plan->spec_count = count;
}

/* Measures the line, holds it against the reported one, and lets nodes that were meant to be a line
 * apart be just that. */
static int measure_line(struct fathom_plan *plan, struct meter *meter,
			const struct fathom_machine *machine, struct fathom_result *result,
			struct fathom_error *error)
{
	uint64_t measured, reported = line_bytes_reported(machine);
	if (line_size_measure(meter, plan->specs[0].page, plan->seed, reported, &measured, error))
		return -1;
	result->measured_line_bytes = measured;
	if (measured == 0) {
		warnings_note(&result->warnings, "line-unknown", "the line size", NULL,
			      "the line size could not be measured: %d bytes are assumed",
			      (int)(reported ? reported : meter->line_bytes));
		measured = reported ? reported : meter->line_bytes;
	} else if (reported && measured != reported) {
		warnings_add(&result->warnings, "line-differs", NULL, NULL,
			     "the OS reports lines of %d bytes, but %d were measured",
			     (int)reported, (int)measured);
	}
	/* With one line a page, places in it that are finer than a line do no harm, but coarser
	 * ones would leave sets of the first cache out: its end would look like that of a TLB. */
	bool finer = plan->experiment == FATHOM_PAGES && reported && reported < measured;
	meter->line_bytes = finer ? reported : measured;
	if (plan->node_is_line)
		space_nodes(plan, measured);
	return 0;
}

/* A copy whose specs may be changed; the name of the machine is left out. */
static int copy_plan(const struct fathom_plan *plan, struct fathom_plan *copy,
		     struct fathom_error *error)
{
	struct fathom_spec *specs = malloc((plan->spec_count + 1) * sizeof(*specs));
	if (!specs)
		return error_no_memory(error);
	if (plan->spec_count) /* none of pairs */
		memcpy(specs, plan->specs, plan->spec_count * sizeof(*specs));
	*copy = *plan;
	copy->specs = specs;
	copy->machine = NULL;
	return 0;
}

/* Those of the plan were asked for, and no others. */
static int no_sizes(void *context, const struct fathom_result *so_far, uint64_t *sizes_bytes,
		    size_t most, size_t *count, struct fathom_error *error)
{
	(void)context, (void)so_far, (void)sizes_bytes, (void)most, (void)error;
	*count = 0;
	return 0;
}

/* A fit of two curves took 0.7 to 2.9 times as long as one of the first alone (corpus/documents),
 * and in some sweeps of a guest 5 to 7 times. */
static double fit_times(const struct fathom_plan *plan)
{
	return plan_curve_end(plan, 0) < plan->spec_count ? 7 : 1;
}

static void warn_of_flush(const struct fathom_plan *plan, const struct fathom_machine *machine,
			  struct fathom_result *result)
{
	bool flushed = false;
	for (size_t i = 0; i < plan->spec_count; i++)
		flushed |= plan->specs[i].warmth == FATHOM_COLD_FLUSHED;
	if (flushed && !machine->description && !flush_instruction())
		warnings_add(&result->warnings, "cold-by-eviction", NULL, NULL,
			     "this CPU has no user-mode flush instruction: 'cold_flushed' evicts "
			     "by reading 1 GiB of other memory first");
}

/* Measures all specs, and fits what levels they show; beside a result that is there already both
 * are fitted together, later. */
static int measure_specs(const struct fathom_plan *plan, struct meter *meter,
			 const struct fathom_observer *observer, const struct fathom_result *known,
			 struct fathom_result *result, struct fathom_error *error)
{
	const struct search_clock clock = search_clock_of(meter, plan->budget_s);
	struct search search = {.whole = observer, .clock = clock};
	const struct sweep_advisor advisor = {
		.context = &search,
		.next_sizes = plan->fixed_sizes ? no_sizes : search_next_sizes,
		.fit_times = fit_times(plan),
	};
	int status = experiment_find(plan->experiment)->finds_sizes
			     ? sweep_run(plan, meter, observer, &advisor, result, error)
			     : rounds_run(plan, meter, observer, result, error);
	document_round(result);
	return status || known ? status : search_levels(result, observer, &clock, error);
}

/* Of the OS: is the cache one for several cores? So is what it does not know, memory, and what is
 * more than a core has for itself. */
static bool is_shared(const struct fathom_machine *machine, const struct fathom_level *level,
		      uint64_t size_bytes)
{
	if (size_bytes > plan_private_bytes(machine))
		return true;
	for (size_t i = 0; i < machine->cache_count; i++) {
		const struct fathom_cache *cache = &machine->caches[i];
		if (level->kind == FATHOM_LEVEL_CACHE && cache->kind != FATHOM_CACHE_INSTRUCTION &&
		    level->reported_bytes == cache->size_bytes)
			return plan_is_shared(machine, cache);
	}
	return true;
}

static void tell_part(void *context, const struct fathom_progress *progress)
{
	const struct part_observer *part = context;
	struct fathom_progress whole = *progress;
	whole.stage = part->stage ? part->stage : progress->stage;
	whole.done = (part->before_s + progress->done * part->part_s) / part->budget_s;
	whole.left_s = (1 - whole.done) * part->budget_s;
	part->whole->progress(part->whole->context, &whole);
}

static bool stop_part(void *context)
{
	const struct part_observer *part = context;
	return part->whole->stop && part->whole->stop(part->whole->context);
}

const struct fathom_observer *part_observer_make(struct part_observer *part)
{
	if (!part->whole)
		return NULL;
	part->own = (struct fathom_observer){
		.context = part,
		.progress = part->whole->progress ? tell_part : NULL,
		.stop = stop_part,
	};
	return &part->own;
}

static int sweep_first(const struct fathom_plan *plan, struct meter *meter,
		       const struct fathom_observer *observer, struct fathom_result *result,
		       struct fathom_error *error)
{
	struct fathom_plan sweep = *plan;
	sweep.experiment = FATHOM_LATENCY;
	sweep.spec_count = plan_known_count(plan);
	sweep.budget_s = PLAN_SWEEP_SHARE * plan->budget_s;
	sweep.events = NULL;
	struct part_observer part = {
		.whole = observer, .part_s = sweep.budget_s, .budget_s = plan->budget_s};
	return measure_specs(&sweep, meter, part_observer_make(&part), NULL, result, error);
}

static int warn_of_no_lanes(const struct fathom_plan *plan, struct fathom_result *result,
			    struct fathom_error *error)
{
	for (size_t i = 0; i < result->curve_count; i++)
		if (result->curves[i].axis == FATHOM_AXIS_LANES &&
		    result->curves[i].point_count > 1) /* one lane alone overlaps with nothing */
			return 0;
	return warnings_add(&result->warnings, "no-lanes", NULL,
			    "allow more time with --budget, or name sizes with --size: there is no "
			    "sweep then",
			    "the lanes were not measured: the sweep that finds the levels took the "
			    "whole budget of %.3g s",
			    plan->budget_s)
		       ? error_no_memory(error)
		       : 0;
}

/* First the sweep, unless there is a result of one, then what is to be measured at a size inside
 * each level that it shows. */
static int measure_inside(const struct fathom_plan *plan, struct meter *meter,
			  const struct fathom_observer *observer, const struct fathom_result *known,
			  struct fathom_result *result, struct fathom_error *error)
{
	const struct fathom_level *levels[MOST_LEVELS];
	uint64_t sizes_bytes[MOST_LEVELS];
	struct plan_size sizes[MOST_LEVELS];
	struct fathom_plan rest = *plan;
	int status = known ? 0 : sweep_first(plan, meter, observer, result, error);
	if (status || result->interrupted)
		return status;
	uint64_t most_bytes = plan->always_bytes;
	size_t count =
		plateau_sizes(known ? known : result, most_bytes, sizes_bytes, levels, MOST_LEVELS);
	if (count == 0) {
		warnings_add(&result->warnings, "no-level", NULL,
			     "name the sizes to measure with --size",
			     "the sweep found no level to measure in");
		return 0;
	}
	uint64_t own_bytes = 0; /* of the largest cache that a core has for itself */
	for (size_t i = 0; i < count; i++) {
		bool shared = is_shared(result->machine, levels[i], sizes_bytes[i]);
		sizes[i] = (struct plan_size){sizes_bytes[i], shared, shared ? 2 * own_bytes : 0};
		own_bytes = shared ? own_bytes : (uint64_t)levels[i]->size_bytes;
	}
	if (plan_insert_sizes(&rest, sizes, count, error))
		return -1;
	status = rounds_run(&rest, meter, observer, result, error);
	free(rest.specs);
	document_round(result);
	if (status == 0 && !known && !result->interrupted)
		status = warn_of_no_lanes(plan, result, error);
	return status ? status : parallelism_find(result, error);
}

/* As far as it is not known, no time is. */
static void take_fixed_cost(const struct calibrate_cost *cost, struct meter *meter)
{
	meter->fixed_cost_ns = cost->ns;
	meter->resolution = fmax(meter->resolution, cost->error_ns / meter->shortest_run_ns);
}

/* What it is at the end is held against what was subtracted all the time. */
static int check_fixed_cost(const struct fathom_plan *plan, struct meter *meter,
			    const struct calibrate_cost *before, struct fathom_result *result,
			    struct fathom_error *error)
{
	struct calibrate_cost after;
	if (result->interrupted)
		return 0;
	if (calibrate_fixed_cost(meter, plan->specs[0].page, plan->seed, &after, error))
		return -1;
	static const char hint[] = "measure again when the machine is idle, and check whether its "
				   "clock source is slow";
	double off_ns = fmax(fabs(after.ns - before->ns), fmax(before->over_ns, after.over_ns));
	double off = fmax(off_ns, 1) / meter->shortest_run_ns;
	if (calibrate_cost_differs(meter, &after))
		warnings_add(&result->warnings, "fixed-cost", NULL, hint,
			     "the fixed cost of a timed run changed from %.0f ns to %.0f ns: times "
			     "may be off by %.2g %%",
			     before->ns, after.ns, 100 * off);
	else if (!before->clear)
		warnings_add(
			&result->warnings, "fixed-cost", NULL, hint,
			"the fixed cost of a timed run, %.0f ns, differed from trial to trial: "
			"times may be off by %.2g %%",
			before->ns, 100 * off);
	return 0;
}

static int measure_points(struct fathom_plan *plan, struct fathom_machine *machine,
			  const struct fathom_observer *observer, const struct fathom_result *known,
			  struct turn *turn, struct fathom_result *result,
			  struct fathom_error *error)
{
	const struct experiment *experiment = experiment_find(plan->experiment);
	struct meter *meter;
	struct load_since since = load_begin(machine);
	if (open_meter(plan, machine, turn, &result->warnings, &meter, error))
		return -1;
	meter->cache_bytes = machine_largest_cache_bytes(machine);
	warn_of_flush(plan, machine, result);
	if (experiment->warn)
		experiment->warn(plan, machine, &result->warnings);
	struct calibrate_cost cost;
	int status = calibrate_fixed_cost_within(meter, plan->specs[0].page, plan->seed,
						 LEARNING_SHARE * plan->budget_s, &cost, error);
	if (status == 0)
		take_fixed_cost(&cost, meter);
	if (status == 0)
		status = measure_line(plan, meter, machine, result, error);
	if (status == 0 && plan_known_count(plan) < plan->spec_count)
		status = measure_inside(plan, meter, observer, known, result, error);
	else if (status == 0)
		status = measure_specs(plan, meter, observer, known, result, error);
	if (status == 0)
		status = again_measure(plan, meter, observer, result, error);
	if (status == 0)
		status = check_fixed_cost(plan, meter, &cost, result, error);
	result->busy_cpus = load_busy_cpus(machine, &since, meter->ops->elapsed_s(meter));
	meter->ops->close(meter);
	return status || prefetchers_find(result, error) || withhold_doubtful(result, error) ||
			       withhold_outside(result, error) || quality_find(result, error)
		       ? -1
		       : 0;
}

static int measure_into(struct fathom_plan *plan, struct fathom_machine *machine,
			const struct fathom_observer *observer, const struct fathom_result *known,
			struct turn *turn, struct fathom_result *result, struct fathom_error *error)
{
	if (plan->experiment == FATHOM_LOADED) {
		const struct experiment *experiment = experiment_find(plan->experiment);
		experiment->warn(plan, machine, &result->warnings);
		return loaded_measure(plan, machine, observer, result, error) ||
				       quality_find(result, error)
			       ? -1
			       : 0;
	}
	if (plan->experiment == FATHOM_DISTRIBUTION)
		return distribution_measure(plan, machine, observer, result, error) ||
				       quality_find(result, error)
			       ? -1
			       : 0;
	if (!plan_is_of_pairs(plan))
		return measure_points(plan, machine, observer, known, turn, result, error);
	return cores_measure(plan, machine, observer, result, error) ||
			       nodes_measure_beside(plan, machine, observer, result, error) ||
			       quality_find(result, error)
		       ? -1
		       : 0;
}

static int measure_one(const struct fathom_plan *plan, struct fathom_machine *machine,
		       const struct fathom_observer *observer, const struct fathom_result *known,
		       struct turn *turn, struct fathom_result **result, struct fathom_error *error)
{
	struct fathom_plan own;
	if (plan_check(plan, machine, error) || copy_plan(plan, &own, error))
		return -1;
	struct fathom_result *made = calloc(1, sizeof(*made));
	int status = made ? 0 : error_no_memory(error);
	if (status == 0) {
		made->seed = plan->seed;
		made->os_prior_off = plan->os_prior_off;
		made->machine = machine;
		/* Simulated machines know no date: the same words give the same document. */
		if (!machine->description)
			made->measured_at = stopwatch_date();
		status = measure_into(&own, machine, observer, known, turn, made, error);
	}
	free(own.specs);
	if (status) {
		if (made)
			made->machine = NULL; /* stays the caller's */
		fathom_result_free(made);
		return -1;
	}
	*result = made;
	return 0;
}

int measure_beside(const struct fathom_plan *plan, struct fathom_machine *machine,
		   const struct fathom_observer *observer, const struct fathom_result *known,
		   struct fathom_result **result, struct fathom_error *error)
{
	return measure_one(plan, machine, observer, known, NULL, result, error);
}

int measure_in_turns(const struct fathom_plan *plan, struct fathom_machine *machine,
		     const struct fathom_observer *observer, struct turn *turn,
		     struct fathom_result **result, struct fathom_error *error)
{
	return measure_one(plan, machine, observer, NULL, turn, result, error);
}

int fathom_measure(const struct fathom_plan *plan, struct fathom_machine *machine,
		   const struct fathom_observer *observer, struct fathom_result **result,
		   struct fathom_error *error)
{
	if (plan->experiment == FATHOM_NODES)
		return nodes_measure(plan, machine, observer, result, error);
	bool of_parts = plan_part_count(plan) > 1 || (plan->cpus && !plan_is_of_pairs(plan) &&
						      plan->experiment != FATHOM_LOADED);
	return of_parts ? cpus_measure(plan, machine, observer, result, error)
			: measure_beside(plan, machine, observer, NULL, result, error);
}
