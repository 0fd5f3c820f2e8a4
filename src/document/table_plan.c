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

static int check_plan(const struct place *place, void *object)
{
	struct fathom_plan *plan = object;
	if (plan->experiment == FATHOM_FREQUENCY)
		return error_set(place->reading->error, FATHOM_USAGE,
				 "'fathom frequency' again, with its options and its --seed",
				 "plan: it is for runs at several clocks");
	if (plan->spec_count == 0 || plan->spec_count > MOST_SPECS)
		return place_refuse(place, "specs", "holds %zu elements, not between 1 and %d",
				    plan->spec_count, MOST_SPECS);
	for (size_t i = 0; i < plan->spec_count; i++) {
		struct fathom_spec *spec = &plan->specs[i];
		const struct place at = {.up = place, .name = "specs", .index = i};
		if ((int)spec->axis < 0)
			spec->axis = plan->axis;
		if (i && plan_same_curve(&spec[-1], spec) && spec->size_bytes < spec[-1].size_bytes)
			return place_refuse(&at, "size_bytes", "is less than the one before");
	}
	return 0;
}

/* ---- the fields -------------------------------------------------------------------------- */

static const struct field plan_spec_table_fields[] = {
	{.type = FIELD_MEMBERS, .of = &spec_table},
	FIELD(spec, axis, NAME, NULL,
	      "of the curve that it is a point of; missing: that of the plan", .name_of = axis_name,
	      .unknown = -1, .when = has_own_axis, .flags = FIELD_LEFT_OUT),
};
static TABLE(plan_spec_table, spec, "plan_spec", "one point to measure, of a plan");

#define PLAN(member, type, unit, doc, ...) FIELD(plan, member, type, unit, doc, ##__VA_ARGS__)

static const struct field plan_table_fields[] = {
	HEAD("plan"),
	PART("fathom", version_table, "what wrote it"),
	PLAN(experiment, NAME, NULL, "what it is measured for", .name_of = experiment_name),
	PLAN(axis, NAME, NULL, "along which the first curve ascends", .name_of = axis_name),
	FIELD_AS("machine_description", plan, machine, TEXT, NULL, "null: whatever it runs on"),
	PLAN(seed, SEED, NULL, "of all that is random"),
	PLAN(cpu, INTEGER, NULL, "to measure on", .flags = FIELD_ZERO, .range = RANGE_NOT_NEGATIVE),
	PLAN(budget_s, NUMBER, "s", "that it may take", .range = RANGE_BUDGET),
	PLAN(target, NUMBER, "share", "wanted half-width of the intervals, as a share",
	     .range = RANGE_TARGET),
	PLAN(steps, BYTES, NULL,
	     "timed accesses wanted of each point; missing: as many as the budget allows",
	     .range = RANGE_POSITIVE, .flags = FIELD_LEFT_OUT),
	PLAN(placements, COUNT, NULL,
	     "in memory, of each point, with several blocks on each; missing: a block has its own, "
	     "or what is cheapest",
	     .range = RANGE_POSITIVE, .flags = FIELD_LEFT_OUT),
	PLAN(events, TEXT, NULL,
	     "of hardware counters, names with commas; missing: none are counted",
	     .flags = FIELD_LEFT_OUT),
	PLAN(keep_samples, BOOLEAN, NULL, "every accepted sample goes into the result"),
	PLAN(asked, BOOLEAN, NULL,
	     "its points were asked for one by one: those that there is no time for are told; "
	     "missing: the tool chose them",
	     .flags = FIELD_LEFT_OUT),
	PLAN(node_is_line, BOOLEAN, NULL, "the nodes are meant to be a line apart"),
	PLAN(always_bytes, BYTES, "bytes",
	     "sizes over it only as far as 16 x the last cache that the first pass shows (of a "
	     "control 4 x)",
	     .flags = FIELD_ZERO),
	PLAN(memory_bytes, BYTES, "bytes", "the most that will be mapped", .flags = FIELD_ZERO),
	PLAN(estimated_s, NUMBER, "s", "how long it will take", .range = RANGE_DURATION),
	LIST(plan, specs, spec_count, plan_spec_table,
	     "one curve after the other, the main one first; those of a curve differ along its "
	     "axis "
	     "alone and ascend. A curve of pattern window after another one is its control"),
};
TABLE(plan_table, plan, "plan", "what will be measured: --dry-run --json", .strict = true,
      .check = check_plan);

#define SURVEY(member, type, unit, doc, ...) FIELD(survey, member, type, unit, doc, ##__VA_ARGS__)

static const struct field survey_table_fields[] = {
	HEAD("survey"),
	SURVEY(budget_s, NUMBER, "s", "that it may take", .range = RANGE_BUDGET),
	SURVEY(estimated_s, NUMBER, "s", "how long it will take", .range = RANGE_DURATION),
	SURVEY(memory_bytes, BYTES, "bytes", "the most that will be mapped at a time",
	       .flags = FIELD_ZERO),
	LIST_AS("warnings", survey, warnings.items, warnings.count, warning_table,
		"which stages are left out, and why"),
	SURVEY(plans, POINTERS, NULL, "a plan for each stage, in that order", .of = &plan_table,
	       .length = FATHOM_SURVEY_STAGES),
};
TABLE(survey_table, survey, "survey", "what a survey will measure: fathom --dry-run --json");
