/* The documents of a plan, and of several: a survey's. */
#include "base/error.h"
#include "base/names.h"
#include "base/plan.h"
#include "document/json_read.h"
#include "document/table.h"

#define MOST_SPECS 65536

/* ---- what goes with what ----------------------------------------------------------------- */

static bool has_own_axis(const void *spec, const void *plan)
{
	return ((const struct fathom_spec *)spec)->axis != ((const struct fathom_plan *)plan)->axis;
}

static int check_plan(const struct json_path *path, void *object)
{
	struct fathom_plan *plan = object;
	if (plan->experiment == FATHOM_FREQUENCY)
		return error_set(path->reader->error, FATHOM_USAGE,
				 "'fathom frequency' again, with its options and its --seed",
				 "plan: it is for several runs at different clocks");
	bool several = plan->experiment == FATHOM_LATENCY || plan->experiment == FATHOM_NODES ||
		       plan->experiment == FATHOM_BANDWIDTH || plan_is_of_pairs(plan) ||
		       plan->experiment == FATHOM_LOADED;
	if (plan->cpus ? !several : plan_is_of_pairs(plan) || plan->experiment == FATHOM_LOADED)
		return json_refuse(path, "cpus", "do not go with 'experiment'");
	if (!plan->traffic != (plan->experiment != FATHOM_LOADED))
		return json_refuse(path, "traffic", "does not go with 'experiment'");
	if (!(plan->over_s > 0))
		plan->over_s = 0;
	if (plan->over_s > 0 && plan->experiment != FATHOM_DISTRIBUTION)
		return json_refuse(path, "over_s", "does not go with 'experiment'");
	if (plan_is_of_pairs(plan))
		return plan->spec_count ? json_refuse(path, "specs", "do not go with 'experiment'")
					: 0;
	if (plan->spec_count == 0 || plan->spec_count > MOST_SPECS)
		return json_refuse(path, "specs", "has %zu elements, not between 1 and %d",
				   plan->spec_count, MOST_SPECS);
	for (size_t i = 0; i < plan->spec_count; i++) {
		struct fathom_spec *spec = &plan->specs[i];
		const struct json_path at = {.up = path, .name = "specs", .index = i};
		if ((int)spec->axis < 0)
			spec->axis = plan->axis;
		if (i && plan_same_curve(&spec[-1], spec) && spec->size_bytes < spec[-1].size_bytes)
			return json_refuse(&at, "size_bytes", "is less than the one before");
	}
	return 0;
}

/* ---- the fields -------------------------------------------------------------------------- */

static const struct field plan_spec_table_fields[] = {
	{.type = FIELD_MEMBERS, .of = &spec_table},
	FIELD(spec, axis, NAME, NULL,
	      "axis of the curve that the point belongs to; missing: the axis of the plan",
	      .name_of = axis_name, .unknown = -1, .when = has_own_axis, .flags = FIELD_LEFT_OUT),
};
static TABLE(plan_spec_table, spec, "plan_spec", "one point to measure");

WHEN(has_node, plan, it->memory_node >= 0)
WHEN(has_time, plan, it->over_s > 0)

#define PLAN(member, type, unit, doc, ...) FIELD(plan, member, type, unit, doc, ##__VA_ARGS__)

static const struct field plan_table_fields[] = {
	HEAD("plan"),
	PART("fathom", version_table, "program that wrote the document"),
	PLAN(experiment, NAME, NULL, "experiment that the plan is for", .name_of = experiment_name),
	PLAN(axis, NAME, NULL, "axis of the first curve", .name_of = axis_name),
	FIELD_AS("machine_description", plan, machine, TEXT, NULL,
		 "machine that the plan was made for; null: the machine that runs it"),
	PLAN(seed, SEED, NULL, "random seed"),
	PLAN(cpu, INTEGER, NULL, "CPU to measure on", .flags = FIELD_ZERO,
	     .range = RANGE_NOT_NEGATIVE),
	PLAN(cpus, TEXT, NULL,
	     "experiments latency and bandwidth: CPUs to measure on in turns, as in "
	     "0-3,8, each in an "
	     "equal share of the budget; missing: cpu alone. Experiment core_to_core: CPUs whose "
	     "pairs are measured. Experiment loaded: cpu, then those that make traffic",
	     .flags = FIELD_LEFT_OUT),
	PLAN(traffic, TEXT, NULL,
	     "experiment loaded: what these do to memory, as in reads,3:1,1:1,nt",
	     .flags = FIELD_LEFT_OUT),
	PLAN(all_pairs, BOOLEAN, NULL,
	     "true: all pairs of these CPUs; missing: as many as tell the classes",
	     .flags = FIELD_LEFT_OUT),
	PLAN(pairs_only, BOOLEAN, NULL,
	     "true: of experiment core_to_core pairs alone; missing: also which caches the CPUs "
	     "share, and contention",
	     .flags = FIELD_LEFT_OUT),
	PLAN(nodes, BOOLEAN, NULL,
	     "true: of experiment core_to_core also the memory of NUMA nodes, where there are "
	     "several; missing: not",
	     .flags = FIELD_LEFT_OUT),
	PLAN(memory_node, INTEGER, NULL,
	     "NUMA node to take the memory from; missing: that of the CPU", .unknown = -1,
	     .when = has_node, .range = RANGE_NOT_NEGATIVE, .flags = FIELD_LEFT_OUT),
	PLAN(siblings, TEXT, NULL,
	     "states of the core's other threads, as in idle,computes,streams, each in an equal "
	     "share of the budget; missing: they are left alone",
	     .flags = FIELD_LEFT_OUT),
	PLAN(budget_s, NUMBER, "s", "time limit", .range = RANGE_BUDGET),
	PLAN(target, NUMBER, "share",
	     "requested half-width of the intervals, as a share of the value",
	     .range = RANGE_TARGET),
	PLAN(steps, BYTES, NULL,
	     "timed accesses for each point; missing: as many as the budget allows",
	     .range = RANGE_POSITIVE, .flags = FIELD_LEFT_OUT),
	PLAN(over_s, NUMBER, "s",
	     "experiment distribution: time that the accesses are spread over; missing: they "
	     "follow each other",
	     .range = RANGE_NOT_NEGATIVE, .when = has_time, .flags = FIELD_LEFT_OUT),
	PLAN(placements, COUNT, NULL,
	     "placements in memory for each point, with several blocks on each; missing: a new "
	     "placement for each block, or whatever is cheapest",
	     .range = RANGE_POSITIVE, .flags = FIELD_LEFT_OUT),
	PLAN(events, TEXT, NULL, "hardware events to count, separated by commas; missing: none",
	     .flags = FIELD_LEFT_OUT),
	PLAN(keep_samples, BOOLEAN, NULL, "whether the result keeps every accepted batch"),
	PLAN(os_prior_off, BOOLEAN, NULL,
	     "true: levels are found without what the OS reports of caches",
	     .flags = FIELD_LEFT_OUT),
	PLAN(asked, BOOLEAN, NULL,
	     "true: the user chose the points, so each one that does not fit in the budget is "
	     "reported; missing: fathom chose them",
	     .flags = FIELD_LEFT_OUT),
	PLAN(fixed_sizes, BOOLEAN, NULL,
	     "true: latency is measured at these sizes alone; missing: also where more would tell "
	     "most",
	     .flags = FIELD_LEFT_OUT),
	PLAN(node_is_line, BOOLEAN, NULL,
	     "whether nodes are meant to be one line apart: a measured line size replaces the "
	     "reported one"),
	PLAN(always_bytes, BYTES, "bytes",
	     "sizes up to this are always measured; larger ones only up to 16 x the last cache "
	     "that the first pass finds (4 x for a control curve)",
	     .flags = FIELD_ZERO),
	PLAN(memory_bytes, BYTES, "bytes", "largest memory that will be mapped",
	     .flags = FIELD_ZERO),
	PLAN(estimated_s, NUMBER, "s", "estimated duration", .range = RANGE_DURATION),
	LIST(plan, specs, spec_count, plan_spec_table,
	     "points to measure, curve by curve, the main curve first; the points of a curve "
	     "ascend and differ along its axis alone. A curve of pattern window is the control of "
	     "the curve before it"),
};
TABLE(plan_table, plan, "plan", "a plan: what will be measured, printed by --dry-run --json",
      .strict = true, .check = check_plan);

#define SURVEY(member, type, unit, doc, ...) FIELD(survey, member, type, unit, doc, ##__VA_ARGS__)

static const struct field survey_table_fields[] = {
	HEAD("survey"),
	SURVEY(budget_s, NUMBER, "s", "time limit", .range = RANGE_BUDGET),
	SURVEY(estimated_s, NUMBER, "s", "estimated duration", .range = RANGE_DURATION),
	SURVEY(memory_bytes, BYTES, "bytes", "largest memory that will be mapped at a time",
	       .flags = FIELD_ZERO),
	LIST_AS("warnings", survey, warnings.items, warnings.count, warning_table,
		"stages that are left out, and why"),
	SURVEY(plans, POINTERS, NULL, "plan of each stage, in order", .of = &plan_table,
	       .length = FATHOM_SURVEY_STAGES),
};
TABLE(survey_table, survey, "survey", "the plans of a survey, printed by fathom --dry-run --json");
