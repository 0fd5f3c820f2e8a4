#include "fathom_cpus.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/list.h"
#include "base/names.h"
#include "base/plan.h"
#include "base/text.h"
#include "base/warnings.h"
#include "fathom_join.h"
#include "fathom_measure.h"
#include "measure/plan/plan.h"
#include "model/checks/quality.h"
#include "model/levels/reported.h"

/* What is said of a part is of its CPU. */
static int take_warnings(struct fathom_result *whole, const struct fathom_result *part,
			 const char *name, struct fathom_error *error)
{
	for (size_t i = 0; i < part->warnings.count; i++)
		if (warnings_copy(&whole->warnings, &part->warnings.items[i], name))
			return error_no_memory(error);
	return 0;
}

static int name_warnings(struct fathom_result *whole, const char *name, struct fathom_error *error)
{
	const struct fathom_result part = {.warnings = whole->warnings};
	whole->warnings = (struct fathom_warnings){0};
	int status = take_warnings(whole, &part, name, error);
	struct fathom_warnings old = part.warnings;
	warnings_free(&old);
	return status;
}

static int add_part(struct fathom_result *whole, struct fathom_result *part, const char *name,
		    struct fathom_error *error)
{
	return join_levels(whole, part, error) || join_curves(whole, part, error) ||
			       take_warnings(whole, part, name, error)
		       ? -1
		       : 0;
}

static int measure_next(const struct fathom_plan *plan, const struct fathom_observer *observer,
			const char *name, struct fathom_result *whole, struct fathom_error *error)
{
	struct fathom_error why = {0};
	struct fathom_result *part = NULL;
	if (measure_beside(plan, whole->machine, observer, NULL, &part, &why)) {
		int status = warnings_add(&whole->warnings, "cpu-failed", name, why.hint, "%s",
					  why.text);
		fathom_error_clear(&why);
		return status ? error_no_memory(error) : 0;
	}
	int status = add_part(whole, part, name, error);
	part->machine = NULL; /* is the whole's */
	fathom_result_free(part);
	return status;
}

/* Which kinds of core are not there, and that there is but one. */
static int note_kinds(const struct fathom_plan *plan, struct fathom_result *whole,
		      struct fathom_error *error)
{
	const struct fathom_machine *machine = whole->machine;
	int status = 0;
	if (plan_cpu_count(plan) == 1)
		status = warnings_note(&whole->warnings, "one-kind",
				       "other kinds of core (the OS knows of one)", NULL,
				       "CPU %d stands for all", plan->cpu);
	for (size_t i = 0; !status && machine->cpu_kind_count > 1 && i < machine->cpu_kind_count;
	     i++) {
		const struct fathom_cpu_kind *kind = &machine->cpu_kinds[i];
		size_t at = 0;
		int cpu;
		while ((cpu = plan_cpu_at(plan, at)) >= 0 && !cpu_list_has(kind->cpus, cpu))
			at++;
		if (cpu < 0)
			status = warnings_note(&whole->warnings, "kind-left-out", kind->name, NULL,
					       "none of its CPUs, %s, was asked for or is allowed",
					       kind->cpus);
	}
	return status ? error_no_memory(error) : 0;
}

static int measure_one(const struct fathom_plan *plan, size_t number,
		       struct fathom_machine *machine, const struct fathom_observer *observer,
		       struct fathom_result **whole, struct fathom_error *error)
{
	size_t states = plan_sibling_count(plan);
	struct fathom_plan own = *plan;
	enum fathom_sibling state = plan_sibling_at(plan, number % states);
	own.cpu = plan_cpu_at(plan, number / states);
	own.cpus = NULL;
	own.budget_s = plan->budget_s / (double)(plan_cpu_count(plan) * states);
	bool left_alone = state == FATHOM_SIBLING_ANY;
	own.siblings = left_alone ? NULL : strdup(sibling_name((int)state));
	char *name =
		text_format(left_alone ? "CPU %d" : "CPU %d, sibling %s", own.cpu, own.siblings);
	if (!name || (!left_alone && !own.siblings)) {
		free(name);
		free(own.siblings);
		return error_no_memory(error);
	}
	struct part_observer part = {observer,     name,           (double)number * own.budget_s,
				     own.budget_s, plan->budget_s, {0}};
	const struct fathom_observer *watched = part_observer_make(&part);
	int status = 0;
	if (number > 0)
		status = measure_next(&own, watched, name, *whole, error);
	else if (measure_beside(&own, machine, watched, NULL, whole, error))
		status = -1;
	else if (plan_cpu_count(plan) * states > 1)
		status = name_warnings(*whole, name, error);
	free(own.siblings);
	free(name);
	return status;
}

int cpus_measure(const struct fathom_plan *plan, struct fathom_machine *machine,
		 const struct fathom_observer *observer, struct fathom_result **result,
		 struct fathom_error *error)
{
	struct fathom_result *whole = NULL;
	size_t count = plan_cpu_count(plan) * plan_sibling_count(plan);
	int status = plan_check(plan, machine, error);
	for (size_t i = 0; i < count && !status && !(whole && whole->interrupted); i++)
		status = measure_one(plan, i, machine, observer, &whole, error);
	if (status || (plan->cpus && note_kinds(plan, whole, error)) ||
	    (count > 1 && reported_compare(whole, error)) || quality_find(whole, error)) {
		if (whole)
			whole->machine = NULL; /* stays the caller's */
		fathom_result_free(whole);
		return -1;
	}
	*result = whole;
	return 0;
}
