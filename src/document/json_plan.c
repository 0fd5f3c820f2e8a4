/* A plan as a document, and the plans of a survey. */

#include "base/names.h"
#include "base/plan.h"
#include "document/document.h"
#include "document/json_put.h"

#define PLAN_DIGITS 17 /* numbers come back as they were */

static json_t *plan_object(const struct fathom_plan *plan)
{
	json_t *specs = json_array();
	for (size_t i = 0; i < plan->spec_count; i++) {
		json_t *spec = json_object();
		json_put_spec(&spec, &plan->specs[i]);
		if (plan->specs[i].axis != plan->axis)
			json_put_text(&spec, "axis", axis_name(plan->specs[i].axis));
		json_put_next(&specs, spec);
	}
	json_t *fathom = json_object();
	json_put_text(&fathom, "version", FATHOM_VERSION);
	json_t *document = json_document("plan");
	json_put(&document, "fathom", fathom);
	json_put_text(&document, "experiment", experiment_name(plan->experiment));
	json_put_text(&document, "axis", axis_name(plan->axis));
	json_put_text(&document, "machine_description", plan->machine);
	json_put_seed(&document, "seed", plan->seed);
	json_put_integer(&document, "cpu", plan->cpu);
	json_put_number(&document, "budget_s", plan->budget_s);
	json_put_number(&document, "target", plan->target);
	if (plan->steps)
		json_put_bytes(&document, "steps", plan->steps);
	if (plan->placements)
		json_put_integer(&document, "placements", plan->placements);
	if (plan->events)
		json_put_text(&document, "events", plan->events);
	json_put_boolean(&document, "keep_samples", plan->keep_samples);
	if (plan->asked)
		json_put_boolean(&document, "asked", true);
	json_put_boolean(&document, "node_is_line", plan->node_is_line);
	json_put_bytes(&document, "always_bytes", plan->always_bytes);
	json_put_bytes(&document, "memory_bytes", plan->memory_bytes);
	json_put_number(&document, "estimated_s", plan->estimated_s);
	json_put(&document, "specs", specs);
	return document;
}

int json_write_plan(const struct fathom_plan *plan, const struct fathom_style *style,
		    struct text *text, struct fathom_error *error)
{
	(void)style;
	return json_finish(plan_object(plan), PLAN_DIGITS, text, error);
}

int json_write_survey(const struct fathom_survey *survey, const struct fathom_style *style,
		      struct text *text, struct fathom_error *error)
{
	(void)style;
	json_t *plans = json_array();
	for (size_t i = 0; i < FATHOM_SURVEY_STAGES; i++)
		if (survey->plans[i])
			json_put_next(&plans, plan_object(survey->plans[i]));
	json_t *document = json_document("survey");
	json_put_number(&document, "budget_s", survey->budget_s);
	json_put_number(&document, "estimated_s", survey->estimated_s);
	json_put_bytes(&document, "memory_bytes", survey->memory_bytes);
	json_put_warnings(&document, "warnings", &survey->warnings);
	json_put(&document, "plans", plans);
	return json_finish(document, PLAN_DIGITS, text, error);
}
