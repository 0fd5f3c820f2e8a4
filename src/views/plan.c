/* A plan for people: what `--dry-run` prints. */
#include <math.h>

#include "base/names.h"
#include "base/plan.h"
#include "views/points.h"
#include "views/rounding.h"
#include "views/views.h"

/* Most of it where accesses miss. */
#define SIMULATED "simulated time, for which a host takes some ten times as long"

static void add_what(struct view *view, const struct fathom_plan *plan)
{
	struct text line = {0};
	text_add(&line, "%s", view_known(experiment_name(plan->experiment)));
	if (!plan_is_of_pairs(plan))
		text_add(&line, " against %s", view_known(axis_name(plan->axis)));
	text_add(&line, " on %s", plan->machine ? plan->machine : "this machine");
	if (plan->cpus)
		text_add(&line, ", CPUs %s", plan->cpus);
	else if (plan->cpu >= 0)
		text_add(&line, ", CPU %d", plan->cpu);
	if (plan->siblings)
		text_add(&line, ", siblings %s", plan->siblings);
	if (plan->memory_node >= 0)
		text_add(&line, ", memory of node %d", plan->memory_node);
	else if (plan->experiment == FATHOM_NODES)
		text_add(&line, ", memory of each node");
	view_take(view, VIEW_PLAIN, &line);
	if (plan->spec_count == 0)
		return;
	points_add_spec(&line, plan->specs, false);
	view_take_fact(view, "pattern", &line);
	view_fact(view, "pages", "%s", points_page(plan->specs));
}

static void add_accesses(struct view *view, const struct fathom_plan *plan)
{
	struct text line = {0};
	text_add(&line, "%llu along each chain", (unsigned long long)plan->steps);
	if (plan_has_controls(plan))
		text_add(&line, ", %d at most along controls", PLAN_CONTROL_ACCESSES);
	text_add(&line, ", timed one by one");
	if (plan->over_s > 0)
		text_add(&line, ", spread over %s", rounding_time(1e9 * plan->over_s, true).text);
	view_take_fact(view, "accesses", &line);
}

static void add_cost(struct view *view, const struct fathom_plan *plan)
{
	struct text line = {0};
	view_fact(view, "seed", "0x%llx", (unsigned long long)plan->seed);
	if (!plan_is_of_pairs(plan))
		view_fact(view, "memory", "%s will be mapped",
			  rounding_size(plan->memory_bytes).text);
	if (isfinite(plan->estimated_s))
		text_add(&line, "about %s, ", rounding_time(1e9 * plan->estimated_s, false).text);
	text_add(&line, "budget %s", rounding_time(1e9 * plan->budget_s, true).text);
	bool accesses = plan->experiment == FATHOM_DISTRIBUTION;
	if (!plan_is_of_pairs(plan) && !accesses)
		text_add(&line, ", for \u00b1%s at each point%s",
			 rounding_percent(plan->target).text,
			 plan->keep_samples ? ", every batch kept" : "");
	if (plan->steps && !accesses)
		text_add(&line, ", at most %llu accesses of each", (unsigned long long)plan->steps);
	if (plan->machine)
		text_add(&line, "; " SIMULATED);
	view_take_fact(view, "time", &line);
	if (plan_is_of_pairs(plan))
		view_fact(view, "pairs", "%s%s",
			  plan->all_pairs ? "all" : "as many as tell which CPUs are alike",
			  plan->pairs_only ? ""
					   : "; then which CPUs share each cache, and contention");
	else if (accesses)
		add_accesses(view, plan);
	else if (plan->experiment == FATHOM_LOADED)
		view_fact(view, "traffic",
			  "%s, at rates up to all that the CPUs after the first can make",
			  plan->traffic);
	else
		view_fact(view, "points", "%zu%s, with %s %zu blocks each: %s", plan->spec_count,
			  plan->asked ? "" : " at most",
			  plan->experiment == FATHOM_SETTLING ? "about" : "at least",
			  plan_fewest_blocks(plan),
			  plan->asked ? "points that the budget has no time for are left out, with "
					"a warning"
				      : "as many as the budget allows");
	if (plan->nodes)
		view_fact(view, "nodes", "the memory of each NUMA node, where there are several");
}

/* How many sizes a curve has, and which. */
static void add_sizes(const struct fathom_plan *plan, size_t first, size_t end, struct text *line)
{
	const struct fathom_spec *low = &plan->specs[first], *high = &plan->specs[end - 1];
	if (low->axis == FATHOM_AXIS_LANES)
		text_add(line, "%u to %u lanes, %s pages, ", low->lanes, high->lanes,
			 points_page(low));
	if (low->size_bytes == 0)
		text_add(line, "in each level that the sweep finds");
	else if (low->axis == FATHOM_AXIS_LANES)
		text_add(line, "%s", rounding_size(low->size_bytes).text);
	else if (low->axis == FATHOM_AXIS_PAGES)
		text_add(line, "%zu, from %llu to %llu %s", end - first,
			 (unsigned long long)(low->size_bytes / low->node_bytes),
			 (unsigned long long)(high->size_bytes / high->node_bytes),
			 low->pattern == FATHOM_ONE_PER_PAGE ? "pages" : "nodes");
	else if (low->lap)
		text_add(line, "laps 1 to %u of %s", high->lap,
			 rounding_size(low->size_bytes).text);
	else
		text_add(line, "%zu, from %s to %s", end - first,
			 rounding_size(low->size_bytes).text, rounding_size(high->size_bytes).text);
}

static void add_list(struct view *view, const struct fathom_plan *plan, size_t first, size_t end)
{
	struct text line = {0};
	for (size_t i = first; i < end; i++)
		text_add(&line, "%s ", rounding_brief_size(plan->specs[i].size_bytes).text);
	view_take_fact(view, "", &line);
}

static bool has_list(const struct fathom_spec *spec)
{
	return spec->axis == FATHOM_AXIS_SIZE && spec->size_bytes;
}

static void add_main_curve(struct view *view, const struct fathom_plan *plan, size_t end)
{
	struct text line = {0};
	add_sizes(plan, 0, end, &line);
	if (plan->always_bytes < plan->specs[end - 1].size_bytes)
		text_add(&line,
			 "; beyond %s only up to 16 x the last cache that the first pass finds",
			 rounding_size(plan->always_bytes).text);
	view_take_fact(view, "sizes", &line);
	if (has_list(&plan->specs[0]))
		add_list(view, plan, 0, end);
}

/* Does the curve go along what the main one goes along, which need not be said again? */
static bool same_axis(const struct fathom_plan *plan, size_t first)
{
	enum fathom_axis axis = plan->specs[first].axis;
	return axis == plan->specs[0].axis && axis != FATHOM_AXIS_LANES;
}

/* Has the curve the sizes of the main one? */
static bool same_sizes(const struct fathom_plan *plan, size_t first, size_t end)
{
	if (end - first != plan_curve_end(plan, 0))
		return false;
	for (size_t i = first; i < end; i++)
		if (plan->specs[i].size_bytes != plan->specs[i - first].size_bytes)
			return false;
	return true;
}

static void add_other_curve(struct view *view, const struct fathom_plan *plan, size_t first,
			    size_t end)
{
	bool accesses = plan->experiment == FATHOM_DISTRIBUTION;
	bool control = accesses ? plan_is_control(plan, first)
				: plan->specs[first].pattern == FATHOM_WINDOW;
	struct text line = {0};
	bool same = same_axis(plan, first) && same_sizes(plan, first, end);
	points_add_spec(&line, &plan->specs[first], false);
	if (plan->specs[first].page != plan->specs[0].page &&
	    plan->specs[first].axis != FATHOM_AXIS_LANES)
		text_add(&line, ", %s pages", points_page(&plan->specs[first]));
	text_add(&line, ": ");
	if (same)
		text_add(&line, plan->specs[first].lap ? "the same laps" : "the same sizes");
	else
		add_sizes(plan, first, end, &line);
	if (control && !accesses)
		text_add(&line, "; only up to 4 x the last cache");
	view_take_fact(view, control ? "control" : "with it", &line);
	if (!same && has_list(&plan->specs[first]))
		add_list(view, plan, first, end);
}

static void add_curves(struct view *view, const struct fathom_plan *plan)
{
	size_t end = plan_curve_end(plan, 0);
	if (plan_is_of_pairs(plan))
		return;
	if (plan->spec_count == 0) {
		view_fact(view, "sizes", "none");
		return;
	}
	add_main_curve(view, plan, end);
	for (size_t first = end; first < plan->spec_count; first = end) {
		end = plan_curve_end(plan, first);
		add_other_curve(view, plan, first, end);
	}
}

void view_plan(struct view *view, const struct fathom_plan *plan)
{
	add_what(view, plan);
	add_cost(view, plan);
	add_curves(view, plan);
}

static void add_stage(struct view *view, const struct fathom_plan *plan)
{
	size_t curves = 0;
	for (size_t first = 0; first < plan->spec_count; first = plan_curve_end(plan, first))
		curves++;
	view_row(view);
	view_name(view, "%s", view_known(experiment_name(plan->experiment)));
	view_rounded(view, rounding_time(1e9 * plan->budget_s, false));
	view_size(view, (double)plan->memory_bytes);
	view_count(view, (double)curves);
	view_count(view, (double)plan->spec_count);
}

void view_survey_plan(struct view *view, const struct fathom_survey *survey)
{
	const struct fathom_plan *first = survey->plans[0];
	view_say(view, VIEW_PLAIN, "survey in %s; at most %s will be mapped%s",
		 rounding_time(1e9 * survey->budget_s, true).text,
		 rounding_size(survey->memory_bytes).text,
		 first && first->machine ? "; " SIMULATED : "");
	view_gap(view);
	VIEW_TABLE(view, COLUMN("stage"), COLUMN("time"), COLUMN("memory"), COLUMN("curves"),
		   COLUMN("points"));
	for (size_t i = 0; i < FATHOM_SURVEY_STAGES; i++)
		if (survey->plans[i])
			add_stage(view, survey->plans[i]);
	view_say(view, VIEW_NOTE,
		 "parallelism is measured in the levels that latency finds; unused time of a stage "
		 "goes to later ones");
	view_gap(view);
	view_warnings(view, &survey->warnings);
}
