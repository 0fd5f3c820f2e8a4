/* All experiments in one budget: what matters most first, each with the time that those before it
 * left. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/names.h"
#include "base/point.h"
#include "base/stopwatch.h"
#include "base/text.h"
#include "base/warnings.h"
#include "document/table.h"
#include "fathom.h"
#include "fathom_join.h"
#include "fathom_measure.h"
#include "fathom_search.h"
#include "fathom_survey.h"
#include "measure/structures/window.h"
#include "model/checks/quality.h"
#include "model/latency_numbers.h"

#define OVER_BUDGET 1.05
#define LOOK_S      0.1  /* before measuring */
#define FIT_TIMES   2.5  /* of quick surveys on two guests it took 0.4 to 2.2 times as long */
#define PAGED_TIMES 3.5  /* with curves of each kind of page: 2.8 to 3.4 */
#define AROUND_S    0.05 /* to start the program, and to write what it found */

/* What disturbs all stages alike is reported of the first only. That one took longer than its
 * share is not reported: the next one makes good for it; nor that a stage did not find the line,
 * which another one has measured. */
static bool is_dispensable(const struct fathom_result *whole, const struct fathom_warning *warning)
{
	if (strcmp(warning->id, "over-budget") == 0 ||
	    (strcmp(warning->id, "line-unknown") == 0 && whole->measured_line_bytes))
		return true;
	static const char *const of_all[] = {"clock-wandered", "disturbed"};
	for (size_t i = 0; i < sizeof(of_all) / sizeof(*of_all); i++)
		if (strcmp(warning->id, of_all[i]) == 0)
			return warnings_find(&whole->warnings, of_all[i]);
	return false;
}

static int join_warnings(struct fathom_result *whole, const struct fathom_result *stage,
			 const char *name, struct fathom_error *error)
{
	for (size_t i = 0; i < stage->warnings.count; i++) {
		const struct fathom_warning *one = &stage->warnings.items[i];
		if (!is_dispensable(whole, one) && warnings_copy(&whole->warnings, one, name))
			return error_no_memory(error);
	}
	return 0;
}

static int note_cut(struct fathom_result *whole, const char *name, struct fathom_error *error)
{
	return warnings_note(&whole->warnings, "stage-cut", name, "allow a longer --budget",
			     "no time was left for it")
		       ? error_no_memory(error)
		       : 0;
}

/* The stage after the first one; its failure is a warning. */
static int add_stage(const struct fathom_plan *plan, const struct fathom_observer *observer,
		     struct fathom_result *whole, struct fathom_error *error)
{
	const char *name = experiment_name(plan->experiment);
	struct fathom_error why = {0};
	struct fathom_result *stage = NULL;
	if (measure_beside(plan, whole->machine, observer, whole, &stage, &why)) {
		int status = warnings_add(&whole->warnings, "stage-failed", name, why.hint, "%s",
					  why.text);
		fathom_error_clear(&why);
		return status ? error_no_memory(error) : 0;
	}
	int status = point_count_of(stage) ? 0 : note_cut(whole, name, error);
	if (status == 0)
		status =
			join_curves(whole, stage, error) || join_warnings(whole, stage, name, error)
				? -1
				: 0;
	stage->machine = NULL; /* is the whole's */
	fathom_result_free(stage);
	return status;
}

/* `kept_s`: of the rest of the budget, for reading all stages together. */
static int measure_stage(const struct fathom_survey *survey, size_t i, double spent_s,
			 double kept_s, const struct fathom_observer *observer,
			 struct fathom_machine *machine, struct fathom_result **whole,
			 struct fathom_error *error)
{
	struct fathom_plan plan = *survey->plans[i];
	/* For predictions alone each stage is short, and none does without its share. */
	if (!survey->predicting)
		plan.budget_s =
			survey_part_s(survey->shares, i, survey->budget_s - spent_s - kept_s);
	bool ample = !machine->description && !survey->predicting;
	double least_s = ample ? survey_stages[i].least_s / 2 : 0;
	if (i > 0 && plan.budget_s <= least_s) {
		const char *name = experiment_name(plan.experiment);
		return note_cut(*whole, name, error);
	}
	char *name = text_format("%zu/%d %s", i + 1, FATHOM_SURVEY_STAGES,
				 experiment_name(plan.experiment));
	if (!name)
		return error_no_memory(error);
	struct part_observer part = {observer, name, spent_s, plan.budget_s, survey->budget_s, {0}};
	const struct fathom_observer *own = part_observer_make(&part);
	int status = i == 0 ? fathom_measure(&plan, machine, own, whole, error)
			    : add_stage(&plan, own, *whole, error);
	free(name);
	return status;
}

/* What the stages took, on the clock that their budgets are of. */
static double spent_s(const struct fathom_machine *machine, const struct fathom_result *whole,
		      uint64_t start_ns)
{
	if (machine->description)
		return whole ? whole->elapsed_s : 0;
	/* To look whether other programs are busy is a part of it; to wait for them is not. */
	return (double)(stopwatch_now_ns() - start_ns) * 1e-9 + AROUND_S +
	       fmin(machine->waited_s, LOOK_S);
}

/* Of the whole survey, for search_levels. */
struct survey_clock {
	const struct fathom_machine *machine;
	const struct fathom_result *whole;
	uint64_t start_ns;
};

static double spent_of(void *context)
{
	const struct survey_clock *clock = context;
	return spent_s(clock->machine, clock->whole, clock->start_ns);
}

/* What the fit of all stages will take, of what that of the first one took beside measuring. */
static double fit_s(const struct fathom_survey *survey, const struct fathom_machine *machine,
		    const struct fathom_result *whole, uint64_t start_ns)
{
	double first_s = whole ? spent_s(machine, whole, start_ns) - whole->elapsed_s : 0;
	bool paged = false;
	for (size_t i = 0; i < FATHOM_SURVEY_STAGES; i++)
		paged |= survey->plans[i] && survey->plans[i]->experiment == FATHOM_PAGES;
	return (paged ? PAGED_TIMES : FIT_TIMES) * first_s;
}

/* That it fails is no reason to lose the rest: it is not known then. */
static int add_window(const struct fathom_survey *survey, double spent_s,
		      const struct fathom_observer *observer, struct fathom_result *whole,
		      struct fathom_error *error)
{
	const struct fathom_plan *first = survey->plans[0];
	struct part_observer part = {observer,         "window",         spent_s,
				     survey->window_s, survey->budget_s, {0}};
	struct structure_runs runs = {
		.machine = whole->machine,
		.place = {.cpu = first->cpu, .node = first->memory_node},
		.page = FATHOM_PAGE_DEFAULT,
		.seed = first->seed,
		.budget_s = survey->window_s,
		.observer = part_observer_make(&part),
	};
	struct fathom_cost found = {NAN, NAN, NAN}; /* instructions */
	struct fathom_cost forward = {NAN, NAN, NAN};
	struct fathom_error why = {0};
	int status = window_measure(&runs, &whole->warnings, &found, &forward, &why);
	whole->interrupted |= runs.stopped;
	whole->window_instructions = found.ns;
	whole->window_low_instructions = found.low_ns;
	whole->window_high_instructions = found.high_ns;
	whole->forward_ns = forward.ns;
	whole->forward_low_ns = forward.low_ns;
	whole->forward_high_ns = forward.high_ns;
	if (status)
		status = warnings_note(&whole->warnings, "window-failed", NULL, why.hint, "%s",
				       why.text);
	fathom_error_clear(&why);
	return status ? error_no_memory(error) : 0;
}

static int finish(const struct fathom_survey *survey, double took_s, struct fathom_result *whole,
		  struct fathom_error *error)
{
	whole->survey = true;
	warnings_remove(&whole->warnings, "over-budget");
	if (took_s > OVER_BUDGET * survey->budget_s &&
	    warnings_add(&whole->warnings, "over-budget", NULL, "use a longer --budget",
			 "it took %.3g s instead of %.3g s", took_s, survey->budget_s))
		return error_no_memory(error);
	for (size_t i = 0; i < survey->warnings.count; i++)
		if (warnings_copy(&whole->warnings, &survey->warnings.items[i], NULL))
			return error_no_memory(error);
	return 0;
}

int fathom_survey_measure(const struct fathom_survey *survey, struct fathom_machine *machine,
			  const struct fathom_observer *observer, struct fathom_result **result,
			  struct fathom_error *error)
{
	struct fathom_result *whole = NULL;
	uint64_t start_ns = stopwatch_now_ns();
	size_t measured = 0;
	int status = 0;
	for (size_t i = 0; i < FATHOM_SURVEY_STAGES && !status; i++)
		if (survey->plans[i] && !(whole && whole->interrupted)) {
			status = measure_stage(survey, i, spent_s(machine, whole, start_ns),
					       fit_s(survey, machine, whole, start_ns) +
						       survey->window_s,
					       observer, machine, &whole, error);
			measured++;
		}
	if (status == 0 && !whole->interrupted && survey->window_s > 0)
		status = add_window(survey, spent_s(machine, whole, start_ns), observer, whole,
				    error);
	double took_s = spent_s(machine, whole, start_ns);
	struct survey_clock own = {machine, whole, start_ns};
	const struct search_clock clock = {spent_of, &own, survey->budget_s};
	if (status == 0)
		status = finish(survey, took_s, whole, error);
	if (whole && measured > 1) { /* more curves may tell other levels than the first stage's */
		table_free_items(&level_table, whole->levels, whole->level_count);
		whole->levels = NULL;
		whole->level_count = 0;
	}
	if (status == 0)
		status = measured > 1 ? search_levels(whole, observer, &clock, error)
				      : latency_numbers_find(whole, error);
	if (status == 0)
		status = quality_find(whole, error);
	if (status) {
		if (whole)
			whole->machine = NULL; /* stays the caller's */
		fathom_result_free(whole);
		return -1;
	}
	*result = whole;
	return 0;
}
