/* From a result back to a plan. */
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/list.h"
#include "base/names.h"
#include "base/point.h"
#include "base/text.h"
#include "measure/experiments/experiments.h"
#include "measure/experiments/specs.h"
#include "measure/plan/plan.h"
#include "measure/spec.h"

#define USUAL_TARGET 0.01

/* Of single accesses, which are in no list of the curve. */
static bool is_timed(const struct fathom_curve *curve)
{
	return curve->experiment == FATHOM_DISTRIBUTION && curve->size_bytes;
}

/* What the study was about: its sweep, if it had one, came first. Of a survey it is the sweep: that
 * is known best, and shows most of what changes in a machine. */
static const struct fathom_curve *main_curve(const struct fathom_result *result)
{
	const struct fathom_curve *sweep = NULL, *found = NULL;
	for (size_t i = 0; i < result->curve_count; i++) {
		const struct fathom_curve *curve = &result->curves[i];
		if (!curve->point_count)
			continue;
		if (curve->experiment == FATHOM_LATENCY)
			sweep = sweep ? sweep : curve;
		else if (!found)
			found = curve;
	}
	if (sweep && (result->survey || result->number_count)) /* older ones do not say it */
		return sweep;
	for (size_t i = 0; !sweep && i < result->curve_count; i++)
		if (result->curves[i].pair_count && (!found || found->experiment == FATHOM_NODES))
			return &result->curves[i]; /* with its nodes beside it */
	for (size_t i = 0; !found && !sweep && i < result->curve_count; i++)
		if (result->curves[i].load_count || is_timed(&result->curves[i]))
			return &result->curves[i];
	return found ? found : sweep;
}

static bool is_known(const struct fathom_curve *curve)
{
	if (curve->pair_count || curve->load_count || is_timed(curve))
		return !curve->tool;
	const struct fathom_spec *spec = &curve->points[0].spec;
	return !curve->tool && spec->pattern != FATHOM_PATTERN_UNKNOWN && spec->node_bytes;
}

static int check(const struct fathom_curve *main, bool distributions,
		 const struct fathom_machine *machine, struct fathom_error *error)
{
	if (!main && distributions)
		return error_set(error, FATHOM_BAD_INPUT, "'fathom report' shows them",
				 "single accesses cannot be measured again");
	if (!main)
		return error_set(error, FATHOM_BAD_INPUT, "measure again with a longer --budget",
				 "the result has no points");
	if (!is_known(main))
		return error_set(error, FATHOM_BAD_INPUT,
				 "use a result of fathom's own, as from 'fathom latency --json'",
				 "the curve of another tool cannot be measured again: how it was "
				 "measured is not known");
	if (!machine)
		return error_set(error, FATHOM_USAGE, NULL, "no machine to measure on");
	return 0;
}

static void add_curve(struct fathom_plan *plan, const struct fathom_curve *curve)
{
	for (size_t i = 0; i < curve->point_count; i++) {
		struct fathom_spec *spec = &plan->specs[plan->spec_count++];
		*spec = curve->points[i].spec;
		spec->axis = curve->axis;
		spec->seed = plan->seed;
		if (curve->points[i].target > 0)
			plan->target = curve->points[i].target;
		if (spec->size_bytes > plan->always_bytes)
			plan->always_bytes = spec->size_bytes;
	}
}

/* Are the curves on several CPUs, each like the main one? */
static int list_cpus(const struct fathom_result *result, const struct fathom_curve *main,
		     struct fathom_plan *plan, struct fathom_error *error)
{
	struct text list = {0};
	size_t count = 0;
	bool several = main->experiment == FATHOM_LATENCY || main->experiment == FATHOM_NODES ||
		       main->experiment == FATHOM_BANDWIDTH;
	for (size_t i = 0; several && i < result->curve_count; i++) {
		const struct fathom_curve *curve = &result->curves[i];
		size_t before = 0;
		while (result->curves[before].cpu != curve->cpu)
			before++;
		if (curve->experiment == main->experiment && curve->cpu >= 0 && before == i)
			text_add(&list, count++ ? ",%d" : "%d", curve->cpu);
	}
	bool failed = list.failed;
	if (count > 1 || main->experiment == FATHOM_NODES)
		plan->cpus = text_take(&list);
	text_free(&list);
	return failed ? error_no_memory(error) : 0;
}

/* And with their siblings in several states? */
static int list_siblings(const struct fathom_result *result, const struct fathom_curve *main,
			 struct fathom_plan *plan, struct fathom_error *error)
{
	struct text list = {0};
	for (size_t i = 0; i < result->curve_count; i++) {
		const struct fathom_curve *curve = &result->curves[i];
		size_t before = 0;
		while (result->curves[before].sibling != curve->sibling)
			before++;
		if (curve->experiment == main->experiment && before == i &&
		    curve->sibling != FATHOM_SIBLING_ANY)
			text_add(&list, "%s%s", list.length ? "," : "",
				 sibling_name((int)curve->sibling));
	}
	bool failed = list.failed;
	if (list.length)
		plan->siblings = text_take(&list);
	text_free(&list);
	return failed ? error_no_memory(error) : 0;
}

/* On other CPUs as on that of the main curve, and of other nodes as of that one. */
static bool is_of_plan(const struct fathom_plan *plan, const struct fathom_curve *main,
		       const struct fathom_curve *curve)
{
	return curve->point_count && curve->experiment == main->experiment && is_known(curve) &&
	       (!plan->cpus ||
		(curve->cpu == main->cpu && curve->memory_node == main->memory_node)) &&
	       curve->sibling == main->sibling;
}

/* The memory node of all its curves; -1: of several, or none. */
static int common_node(const struct fathom_result *result, const struct fathom_curve *main)
{
	for (size_t i = 0; i < result->curve_count; i++)
		if (result->curves[i].experiment == main->experiment &&
		    result->curves[i].memory_node != main->memory_node)
			return -1;
	return main->memory_node;
}

/* The CPUs of its pairs; all pairs, where there were all, and what was measured beside them. */
static int list_pairs(const struct fathom_result *result, const struct fathom_curve *curve,
		      struct fathom_plan *plan, struct fathom_error *error)
{
	bool *is_there = calloc(CPU_LIST_MOST, sizeof(*is_there));
	int *cpus = calloc(CPU_LIST_MOST, sizeof(*cpus));
	struct text list = {0};
	size_t count = 0;
	for (size_t i = 0; is_there && i < curve->pair_count; i++)
		is_there[curve->pairs[i].cpu_a] = is_there[curve->pairs[i].cpu_b] = true;
	for (int cpu = 0; is_there && cpus && cpu < CPU_LIST_MOST; cpu++)
		if (is_there[cpu])
			cpus[count++] = cpu;
	cpu_list_add(&list, cpus, count);
	plan->cpus = text_take(&list);
	plan->pairs_only = !result->contention_count && !result->shared_cache_count;
	plan->nodes = result->node_count > 0;
	plan->all_pairs = pair_count_main(curve) == count * (count - 1) / 2;
	free(is_there);
	free(cpus);
	return plan->cpus && count ? 0 : error_no_memory(error);
}

static bool has_page(const struct fathom_plan *plan, enum fathom_page page)
{
	for (size_t i = 0; i < plan->spec_count; i++)
		if (plan->specs[i].page == page)
			return true;
	return false;
}

/* A chain for each kind of page of its curves, and the kinds of traffic of all of them. Which CPUs
 * make it follows from how many did. */
static int list_loads(const struct fathom_result *result, const struct fathom_machine *machine,
		      const struct fathom_curve *main, struct fathom_plan *plan,
		      struct fathom_error *error)
{
	bool there[FATHOM_TRAFFIC_COUNT] = {false};
	struct text list = {0};
	for (size_t i = 0; i < result->curve_count; i++) {
		const struct fathom_curve *curve = &result->curves[i];
		if (!curve->load_count || curve->tool)
			continue;
		there[curve->traffic] = true;
		if (has_page(plan, curve->page))
			continue;
		plan->specs[plan->spec_count++] = (struct fathom_spec){
			.size_bytes = curve->size_bytes,
			.node_bytes = specs_line_bytes(machine),
			.seed = plan->seed,
			.lanes = 1,
			.threads = 1,
			.pattern = FATHOM_RANDOM_CYCLE,
			.link = spec_link_of(specs_line_bytes(machine)),
			.page = curve->page,
			.axis = FATHOM_AXIS_TRAFFIC,
		};
	}
	plan->always_bytes = main->size_bytes;
	for (int i = FATHOM_TRAFFIC_READS; i < FATHOM_TRAFFIC_COUNT; i++)
		if (there[i])
			text_add(&list, "%s%s", list.length ? "," : "", fathom_traffic_name(i));
	plan->traffic = text_take(&list);
	return plan->traffic ? loaded_take_cpus(plan, machine, main->traffic_threads, error)
			     : error_no_memory(error);
}

/* As many accesses along the same chains. */
static void list_accesses(const struct fathom_result *result, const struct fathom_machine *machine,
			  struct fathom_plan *plan)
{
	for (size_t i = 0; i < result->distribution_count; i++) {
		const struct fathom_distribution *one = &result->distributions[i];
		const struct fathom_curve *curve = &result->curves[one->curve];
		if (!is_timed(curve) || curve->tool)
			continue;
		plan->specs[plan->spec_count++] = (struct fathom_spec){
			.size_bytes = curve->size_bytes,
			.node_bytes = curve->warmth == FATHOM_UNTOUCHED ? machine->base_page_bytes
									: specs_line_bytes(machine),
			.seed = plan->seed,
			.lanes = 1,
			.threads = 1,
			.pattern = curve->window_bytes ? FATHOM_WINDOW : FATHOM_RANDOM_CYCLE,
			.window_bytes = curve->window_bytes,
			.link = spec_link_of(specs_line_bytes(machine)),
			.warmth = curve->warmth,
			.page = curve->page,
		};
		if (one->accesses > plan->steps)
			plan->steps = one->accesses;
		if (one->slice_count)
			plan->over_s = FATHOM_SLICES * one->slice_s;
		if (curve->size_bytes > plan->always_bytes)
			plan->always_bytes = curve->size_bytes;
	}
	plan->budget_s += plan->over_s;
}

static int fill(struct fathom_plan *plan, const struct fathom_result *result,
		const struct fathom_curve *main, const struct fathom_machine *machine,
		struct fathom_error *error)
{
	plan->specs = calloc(point_count_of(result), sizeof(*plan->specs));
	plan->machine = machine->description ? strdup(machine->description) : NULL;
	if (!plan->specs || (machine->description && !plan->machine))
		return error_no_memory(error);
	if (main->pair_count)
		return list_pairs(result, main, plan, error) || plan_finish(plan, machine, error)
			       ? -1
			       : 0;
	if (main->load_count)
		return list_loads(result, machine, main, plan, error) ||
				       plan_finish(plan, machine, error)
			       ? -1
			       : 0;
	if (is_timed(main))
		list_accesses(result, machine, plan);
	for (size_t i = 0; i < result->curve_count; i++)
		if (is_of_plan(plan, main, &result->curves[i]))
			add_curve(plan, &result->curves[i]);
	return plan_finish(plan, machine, error);
}

int fathom_plan_again(const struct fathom_result *result, const struct fathom_machine *machine,
		      double budget_s, int cpu, uint64_t seed, struct fathom_plan **plan,
		      struct fathom_error *error)
{
	const struct fathom_curve *main = main_curve(result);
	if (check(main, result->distribution_count > 0, machine, error))
		return -1;
	if (!(budget_s > 0))
		return error_set(error, FATHOM_USAGE, NULL, "the budget must be more than 0");
	struct fathom_plan *made = calloc(1, sizeof(*made));
	if (!made)
		return error_no_memory(error);
	int as_before = main->cpu < 0 ? machine->default_cpu : main->cpu;
	*made = (struct fathom_plan){
		.experiment = main->experiment,
		.axis = main->axis,
		.seed = seed,
		.cpu = cpu < 0 ? as_before : cpu,
		.memory_node = common_node(result, main),
		.budget_s = budget_s,
		.target = USUAL_TARGET,
		.os_prior_off = result->os_prior_off,
		.asked = true,
	};
	if ((cpu < 0 && list_cpus(result, main, made, error)) ||
	    list_siblings(result, main, made, error) || fill(made, result, main, machine, error)) {
		fathom_plan_free(made);
		return -1;
	}
	*plan = made;
	return 0;
}
