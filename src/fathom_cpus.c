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
#include "measure/sampling/turns.h"
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

/* ---- the parts, in turns ---- */

struct part { /* of one CPU, in one state of its siblings */
	struct parts *all;
	struct fathom_plan plan;
	char *name;
	struct fathom_observer observer;
	double done;
	struct fathom_result *result; /* NULL: there is none, why.text says why */
	struct fathom_error why;
};

struct parts {
	struct part *items;
	size_t count;
	struct fathom_machine *machine;
	const struct fathom_observer *observer; /* may be NULL */
	double budget_s;
};

static bool stop(void *context)
{
	const struct fathom_observer *whole = ((struct part *)context)->all->observer;
	return whole->stop && whole->stop(whole->context);
}

static void tell(void *context, const struct fathom_progress *progress)
{
	struct part *part = context;
	const struct parts *parts = part->all;
	struct fathom_progress whole = *progress;
	part->done = progress->done;
	whole.stage = part->name;
	whole.done = 0;
	for (size_t i = 0; i < parts->count; i++)
		whole.done += parts->items[i].done / (double)parts->count;
	whole.left_s = (1 - whole.done) * parts->budget_s;
	parts->observer->progress(parts->observer->context, &whole);
}

static int open_part(const struct fathom_plan *plan, size_t number, struct parts *parts,
		     struct fathom_error *error)
{
	struct part *part = &parts->items[number];
	size_t states = plan_sibling_count(plan);
	enum fathom_sibling state = plan_sibling_at(plan, number % states);
	bool left_alone = state == FATHOM_SIBLING_ANY;
	part->all = parts;
	part->plan = *plan;
	part->plan.cpu = plan_cpu_at(plan, number / states);
	part->plan.cpus = NULL;
	part->plan.budget_s = plan->budget_s / (double)parts->count;
	part->plan.siblings = left_alone ? NULL : strdup(sibling_name((int)state));
	part->name = text_format(left_alone ? "CPU %d" : "CPU %d, sibling %s", part->plan.cpu,
				 part->plan.siblings);
	part->observer = (struct fathom_observer){
		.context = part,
		.progress = parts->observer && parts->observer->progress ? tell : NULL,
		.stop = stop,
	};
	return part->name && (left_alone || part->plan.siblings) ? 0 : error_no_memory(error);
}

static void drop_result(struct fathom_result *result)
{
	if (result)
		result->machine = NULL; /* stays the caller's */
	fathom_result_free(result);
}

static void close_parts(struct parts *parts)
{
	for (size_t i = 0; parts->items && i < parts->count; i++) {
		struct part *part = &parts->items[i];
		free(part->plan.siblings);
		free(part->name);
		drop_result(part->result);
		fathom_error_clear(&part->why);
	}
	free(parts->items);
}

/* In a thread of its own. */
static void work(void *own, struct turn *turn)
{
	struct part *part = own;
	const struct fathom_observer *observer = part->all->observer ? &part->observer : NULL;
	if (observer && stop(part)) {
		error_set(&part->why, FATHOM_INTERRUPTED, NULL, "interrupted");
		return;
	}
	if (measure_in_turns(&part->plan, part->all->machine, observer, turn, &part->result,
			     &part->why) ||
	    !join_check_place(part->result, part->plan.cpu, &part->why))
		return;
	drop_result(part->result);
	part->result = NULL;
}

static int measure_parts(struct parts *parts, struct fathom_error *error)
{
	void **own = calloc(parts->count, sizeof(*own));
	if (!own)
		return error_no_memory(error);
	for (size_t i = 0; i < parts->count; i++)
		own[i] = &parts->items[i];
	int status = 0;
	if (parts->count > 1)
		status = turns_run(parts->count, work, own, error);
	else /* what fails is in `why`, as of several */
		(void)measure_in_turns(&parts->items[0].plan, parts->machine, parts->observer, NULL,
				       &parts->items[0].result, &parts->items[0].why);
	free(own);
	return status;
}

/* ---- one result ---- */

/* The first part that there is, and behind it the others. */
static int join(struct parts *parts, struct fathom_result **joined, struct fathom_error *error)
{
	struct fathom_result *whole = NULL;
	const struct fathom_error *first = &parts->items[0].why;
	for (size_t i = 0; i < parts->count; i++) {
		struct part *part = &parts->items[i];
		if (whole && part->result) {
			if (add_part(whole, part->result, part->name, error))
				return -1;
		} else if (part->result) {
			*joined = whole = part->result;
			part->result = NULL;
			if (parts->count > 1 && name_warnings(whole, part->name, error))
				return -1;
		}
	}
	if (!whole)
		return error_set(error, first->status, first->hint, "%s", first->text);
	for (size_t i = 0; i < parts->count; i++) {
		const struct part *part = &parts->items[i];
		bool interrupted = part->why.status == FATHOM_INTERRUPTED;
		whole->interrupted |= interrupted;
		if (part->why.text && !interrupted &&
		    warnings_add(&whole->warnings, "cpu-failed", part->name, part->why.hint, "%s",
				 part->why.text))
			return error_no_memory(error);
	}
	return 0;
}

int cpus_measure(const struct fathom_plan *plan, struct fathom_machine *machine,
		 const struct fathom_observer *observer, struct fathom_result **result,
		 struct fathom_error *error)
{
	struct fathom_result *whole = NULL;
	struct parts parts = {.count = plan_part_count(plan),
			      .machine = machine,
			      .observer = observer,
			      .budget_s = plan->budget_s};
	parts.items = calloc(parts.count, sizeof(*parts.items));
	int status = parts.items ? plan_check(plan, machine, error) : error_no_memory(error);
	for (size_t i = 0; i < parts.count && !status; i++)
		status = open_part(plan, i, &parts, error);
	if (!status)
		status = measure_parts(&parts, error);
	if (!status)
		status = join(&parts, &whole, error);
	if (!status &&
	    ((plan->cpus && note_kinds(plan, whole, error)) ||
	     (parts.count > 1 && reported_compare(whole, error)) || quality_find(whole, error)))
		status = -1;
	if (status)
		drop_result(whole);
	else
		*result = whole;
	close_parts(&parts);
	return status;
}
