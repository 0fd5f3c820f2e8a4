/* All experiments in one budget: what matters most first, each with the time that those before it
 * left. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/names.h"
#include "base/text.h"
#include "base/warnings.h"
#include "fathom.h"
#include "fathom_measure.h"
#include "machine/pages.h"
#include "measure/stopwatch.h"
#include "model/levels.h"
#include "model/numbers.h"

#define AMPLE_S         15.0 /* of a stage: then it may go to large sizes */
#define LARGE_BYTES     (256ull << 20)
#define FEW_PER_OCTAVE  4
#define FEW_LANES       16
#define LANES_SHORT_S   6.0
#define LATENCY_SHORT_S 8.0
#define SHORT_BYTES     (512ull << 20)
#define PAGES_SHORT_S   5.0
#define PAGES_BYTES     (128ull << 20) /* past most caches, of both kinds of page */
#define PAGES_SHARE     8              /* of the memory: at most one in so many */
#define PATTERN_STEPS   20000000
#define OVER_BUDGET     1.1

static const struct stage {
	enum fathom_experiment experiment;
	double share;
	double least_s; /* in less it measures nothing of use */
} stages[FATHOM_SURVEY_STAGES] = {
	{FATHOM_LATENCY, 0.36, 0}, {FATHOM_PARALLELISM, 0.17, 1}, {FATHOM_BANDWIDTH, 0.12, 0.8},
	{FATHOM_PAGES, 0.19, 1.5}, {FATHOM_PATTERNS, 0.16, 1},
};

/* ---- planning ---- */

/* What is left of `budget_s` for stages[i], by its share among those that are still to come. */
static double part_s(const double *shares, size_t i, double budget_s)
{
	double rest = 0;
	for (size_t k = i; k < FATHOM_SURVEY_STAGES; k++)
		rest += shares[k];
	return rest > 0 ? budget_s * shares[i] / rest : 0;
}

/* Stages that would get too little time leave theirs to the others, the last one first. (Simulated
 * time is spent otherwise.) */
static void share_out(const struct fathom_machine *machine, double budget_s, double *shares)
{
	double all = 0;
	for (size_t i = 0; i < FATHOM_SURVEY_STAGES; i++)
		all += shares[i] = stages[i].share;
	for (size_t i = FATHOM_SURVEY_STAGES; i-- > 1 && !machine->description;)
		if (budget_s * shares[i] / all < stages[i].least_s) {
			all -= shares[i];
			shares[i] = 0;
		}
}

/* One kind of page alone, and in very short budgets fewer lanes and less memory. */
static void shorten_lanes(const struct fathom_request *asked, const struct fathom_machine *machine,
			  struct fathom_request *request)
{
	bool large = pages_check(machine, FATHOM_PAGE_THP, LARGE_BYTES, NULL) == 0;
	request->spec.page = large ? FATHOM_PAGE_THP : FATHOM_PAGE_4K;
	if (!asked->max_size_bytes)
		request->max_size_bytes = LARGE_BYTES;
	if (request->budget_s >= LANES_SHORT_S)
		return;
	request->most_lanes = FEW_LANES;
	if (!asked->max_size_bytes)
		request->max_size_bytes = LARGE_BYTES / 2;
}

/* Sizes are bounds here: where they are over the memory, what the experiment chooses by itself is
 * less. */
static int plan_within(const struct fathom_request *request, const struct fathom_machine *machine,
		       struct fathom_plan **plan, struct fathom_error *error)
{
	struct fathom_request less = *request;
	struct fathom_error refused = {0};
	int status = fathom_plan_make(request, machine, plan, &refused);
	less.max_size_bytes = 0;
	less.sizes_bytes = NULL;
	if (status && refused.status == FATHOM_UNABLE)
		status = fathom_plan_make(&less, machine, plan, NULL);
	if (status)
		error_set(error, refused.status, refused.hint, "%s", refused.text);
	else
		(*plan)->asked = false; /* the points are the survey's */
	fathom_error_clear(&refused);
	return status;
}

/* Where TLBs end, and base pages against large ones at one size. */
static void shorten_pages(const struct fathom_machine *machine, struct fathom_request *request,
			  uint64_t *size_bytes)
{
	static const enum fathom_page kinds[] = {FATHOM_PAGE_4K, FATHOM_PAGE_THP};
	uint64_t most = machine->limit_bytes / PAGES_SHARE;
	if (request->max_size_bytes && request->max_size_bytes < most)
		most = request->max_size_bytes;
	for (*size_bytes = PAGES_BYTES; *size_bytes > most;)
		*size_bytes /= 2;
	request->pages = kinds;
	request->page_count = pages_check(machine, FATHOM_PAGE_THP, *size_bytes, NULL) ? 1 : 2;
	request->max_size_bytes = *size_bytes;
	request->sizes_bytes = size_bytes;
	request->size_count = 1;
}

/* `size_bytes`: room for a size of its own. */
static void settle_stage(const struct fathom_request *asked, const struct fathom_machine *machine,
			 struct fathom_request *request, uint64_t *size_bytes)
{
	switch (request->experiment) {
	case FATHOM_LATENCY:
		if (request->budget_s >= LATENCY_SHORT_S)
			break;
		request->per_octave = FEW_PER_OCTAVE;
		if (!asked->max_size_bytes)
			request->max_size_bytes = SHORT_BYTES;
		break;
	case FATHOM_PARALLELISM:
		if (request->budget_s < AMPLE_S)
			shorten_lanes(asked, machine, request);
		break;
	case FATHOM_PAGES:
		if (request->budget_s < AMPLE_S && !asked->max_size_bytes)
			request->max_size_bytes = LARGE_BYTES;
		if (request->budget_s < PAGES_SHORT_S && !machine->description)
			shorten_pages(machine, request, size_bytes);
		break;
	case FATHOM_PATTERNS:
		request->steps = PATTERN_STEPS;
		request->events = ""; /* the usual ones */
		break;
	default:
		break;
	}
}

static int plan_stage(const struct fathom_request *asked, const struct fathom_machine *machine,
		      const struct stage *stage, double budget_s, struct fathom_plan **plan,
		      struct fathom_error *error)
{
	struct fathom_request request;
	uint64_t size_bytes;
	fathom_request_for(&request, stage->experiment);
	request.spec.seed = asked->spec.seed;
	request.cpu = asked->cpu;
	request.target = asked->target;
	request.keep_samples = asked->keep_samples;
	request.budget_s = budget_s;
	request.max_size_bytes = asked->max_size_bytes;
	settle_stage(asked, machine, &request, &size_bytes);
	return plan_within(&request, machine, plan, error);
}

static int leave_out(struct fathom_survey *survey, size_t i, const struct fathom_error *why)
{
	const char *name = experiment_name(stages[i].experiment);
	survey->shares[i] = 0;
	if (why)
		return warnings_add(&survey->warnings, "stage-left-out", name, why->hint, "%s",
				    why->text);
	return warnings_note(&survey->warnings, "stage-left-out", name,
			     "allow a longer --budget, or run it alone",
			     "it has no part in a survey of %.3g s", survey->budget_s);
}

static int fill_survey(const struct fathom_request *request, const struct fathom_machine *machine,
		       struct fathom_survey *survey, struct fathom_error *error)
{
	share_out(machine, survey->budget_s, survey->shares);
	for (size_t i = 0; i < FATHOM_SURVEY_STAGES; i++) {
		struct fathom_error why = {0};
		double budget_s = part_s(survey->shares, 0, survey->budget_s) * survey->shares[i] /
				  survey->shares[0];
		int status = survey->shares[i] > 0
				     ? plan_stage(request, machine, &stages[i], budget_s,
						  &survey->plans[i], i ? &why : error)
				     : 0;
		if (status && i == 0)
			return -1;
		if (!survey->plans[i] && leave_out(survey, i, status ? &why : NULL)) {
			fathom_error_clear(&why);
			return error_no_memory(error);
		}
		fathom_error_clear(&why);
		if (!survey->plans[i])
			continue;
		survey->estimated_s += survey->plans[i]->estimated_s;
		if (survey->plans[i]->memory_bytes > survey->memory_bytes)
			survey->memory_bytes = survey->plans[i]->memory_bytes;
	}
	return 0;
}

int fathom_survey_plan(const struct fathom_request *request, const struct fathom_machine *machine,
		       struct fathom_survey **survey, struct fathom_error *error)
{
	struct fathom_survey *made = calloc(1, sizeof(*made));
	if (!made)
		return error_no_memory(error);
	made->budget_s = request->budget_s;
	if (fill_survey(request, machine, made, error)) {
		fathom_survey_free(made);
		return -1;
	}
	*survey = made;
	return 0;
}

void fathom_survey_free(struct fathom_survey *survey)
{
	if (!survey)
		return;
	for (size_t i = 0; i < FATHOM_SURVEY_STAGES; i++)
		fathom_plan_free(survey->plans[i]);
	warnings_free(&survey->warnings);
	free(survey);
}

/* ---- measuring ---- */

/* What the observer of the whole is told of one stage. */
struct stage_observer {
	const struct fathom_observer *whole;
	char *name;
	double before_s, part_s, budget_s;
};

static void tell_stage(void *context, const struct fathom_progress *progress)
{
	const struct stage_observer *stage = context;
	struct fathom_progress whole = *progress;
	whole.stage = stage->name;
	whole.done = (stage->before_s + progress->done * stage->part_s) / stage->budget_s;
	whole.left_s = (1 - whole.done) * stage->budget_s;
	stage->whole->progress(stage->whole->context, &whole);
}

static bool stop_stage(void *context)
{
	const struct stage_observer *stage = context;
	return stage->whole->stop && stage->whole->stop(stage->whole->context);
}

/* What disturbs all stages alike is told of the first; that one took longer than its share, the
 * next one makes good. */
static bool is_told(const struct fathom_warnings *warnings, const struct fathom_warning *warning)
{
	if (strcmp(warning->id, "over-budget") == 0)
		return true;
	static const char *const of_all[] = {"clock-wandered", "disturbed"};
	for (size_t i = 0; i < sizeof(of_all) / sizeof(*of_all); i++)
		for (size_t k = 0; k < warnings->count && strcmp(warning->id, of_all[i]) == 0; k++)
			if (strcmp(warnings->items[k].id, of_all[i]) == 0)
				return true;
	return false;
}

static int join_warnings(struct fathom_result *whole, const struct fathom_result *stage,
			 const char *name, struct fathom_error *error)
{
	for (size_t i = 0; i < stage->warnings.count; i++) {
		const struct fathom_warning *one = &stage->warnings.items[i];
		if (!is_told(&whole->warnings, one) && warnings_copy(&whole->warnings, one, name))
			return error_no_memory(error);
	}
	return 0;
}

/* Takes the curves and the warnings of `stage` over; what they say is found out anew. */
static int join(struct fathom_result *whole, struct fathom_result *stage, const char *name,
		struct fathom_error *error)
{
	size_t count = whole->curve_count + stage->curve_count;
	struct fathom_curve *curves = realloc(whole->curves, (count + 1) * sizeof(*curves));
	if (!curves)
		return error_no_memory(error);
	whole->curves = curves;
	if (stage->curve_count)
		memcpy(curves + whole->curve_count, stage->curves,
		       stage->curve_count * sizeof(*stage->curves));
	whole->curve_count = count;
	stage->curve_count = 0;
	whole->interrupted |= stage->interrupted;
	whole->elapsed_s += stage->elapsed_s;
	if (stage->clock_min_hz > 0 && stage->clock_min_hz < whole->clock_min_hz)
		whole->clock_min_hz = stage->clock_min_hz;
	if (stage->clock_max_hz > whole->clock_max_hz)
		whole->clock_max_hz = stage->clock_max_hz;
	whole->clock_drift = NAN; /* each stage has its own, and warns of it */
	return join_warnings(whole, stage, name, error);
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
	int status = join(whole, stage, name, error);
	stage->machine = NULL; /* is the whole's */
	fathom_result_free(stage);
	return status;
}

static int measure_stage(const struct fathom_survey *survey, size_t i, double spent_s,
			 const struct fathom_observer *observer, struct fathom_machine *machine,
			 struct fathom_result **whole, struct fathom_error *error)
{
	struct fathom_plan plan = *survey->plans[i];
	plan.budget_s = part_s(survey->shares, i, survey->budget_s - spent_s);
	double least_s = machine->description ? 0 : stages[i].least_s / 2;
	if (i > 0 && plan.budget_s <= least_s) {
		const char *name = experiment_name(plan.experiment);
		return warnings_note(&(*whole)->warnings, "stage-left-out", name,
				     "allow a longer --budget", "no time was left for it")
			       ? error_no_memory(error)
			       : 0;
	}
	struct stage_observer own = {
		.whole = observer,
		.name = text_format("%zu/%d %s", i + 1, FATHOM_SURVEY_STAGES,
				    experiment_name(plan.experiment)),
		.before_s = spent_s,
		.part_s = plan.budget_s,
		.budget_s = survey->budget_s,
	};
	if (!own.name)
		return error_no_memory(error);
	const struct fathom_observer part = {
		.context = &own,
		.progress = observer && observer->progress ? tell_stage : NULL,
		.stop = stop_stage,
	};
	const struct fathom_observer *told = observer ? &part : NULL;
	int status = i == 0 ? fathom_measure(&plan, machine, told, whole, error)
			    : add_stage(&plan, told, *whole, error);
	free(own.name);
	return status;
}

/* What the stages took, on the clock that their budgets are of. */
static double spent_s(const struct fathom_machine *machine, const struct fathom_result *whole,
		      uint64_t start_ns)
{
	if (machine->description)
		return whole ? whole->elapsed_s : 0;
	return (double)(stopwatch_now_ns() - start_ns) * 1e-9;
}

static int finish(const struct fathom_survey *survey, double took_s, struct fathom_result *whole,
		  struct fathom_error *error)
{
	whole->survey = true;
	warnings_remove(&whole->warnings, "over-budget");
	if (took_s > OVER_BUDGET * survey->budget_s &&
	    warnings_add(&whole->warnings, "over-budget", NULL, "allow for it with --budget",
			 "it took %.3g s and not %.3g", took_s, survey->budget_s))
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
					       observer, machine, &whole, error);
			measured++;
		}
	double took_s = spent_s(machine, whole, start_ns);
	if (status == 0)
		status = finish(survey, took_s, whole, error);
	if (whole && measured > 1) { /* more curves may tell other levels than the first stage's */
		levels_free(whole->levels, whole->level_count);
		whole->levels = NULL;
		whole->level_count = 0;
	}
	if (status == 0)
		status = measured > 1 ? measure_fit(whole, observer, error)
				      : numbers_find(whole, error);
	if (status) {
		if (whole)
			whole->machine = NULL; /* stays the caller's */
		fathom_result_free(whole);
		return -1;
	}
	*result = whole;
	return 0;
}
