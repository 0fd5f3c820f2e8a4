/* What a survey is going to measure: shares of its budget, and a plan for each stage. */
#include <math.h>
#include <stdlib.h>

#include "base/error.h"
#include "base/names.h"
#include "base/warnings.h"
#include "fathom.h"
#include "fathom_survey.h"
#include "machine/machine.h"
#include "machine/pages.h"
#include "measure/plan/plan.h"

#define AMPLE_S         15.0 /* of a stage: then it may go to large sizes */
#define LARGE_BYTES     (256ull << 20)
#define FEW_PER_OCTAVE  4
#define FEW_LANES       16
#define LANES_SHORT_S   6.0
#define LATENCY_SHORT_S 8.0
#define PAGES_SHORT_S   5.0
#define PAGES_BYTES     (128ull << 20) /* past most caches, of both kinds of page */
#define PAGES_SHARE     8              /* of the memory: at most one in so many */
#define PATTERN_STEPS   20000000
#define BRANCH_STEPS    200000
#define FEW_ACCESSES    200000 /* of each size: 20 beyond the 99.99th percentile, ... */
#define ACCESSES_A_SECOND                                                                          \
	100000 /* ... or what five series of 1 us each leave time for, twice over */
#define NODES_SHARE        0.08
#define WINDOW_S           1.5   /* five visits on a Zen 4 */
#define LEAST_WINDOW_S     30.0  /* surveys that have room for it, */
#define LEAST_PREDICTING_S 4.0   /* and those that are for predictions alone */
#define FULL_S             120.0 /* of a survey: then as many accesses as the command times */

const struct survey_stage survey_stages[FATHOM_SURVEY_STAGES] = {
	{FATHOM_LATENCY, 0.36, 0, 0.26, 0},     {FATHOM_SETTLING, 0.14, 2.5, 0.4, 25},
	{FATHOM_PARALLELISM, 0.17, 1, 0.32, 0}, {FATHOM_BANDWIDTH, 0.12, 0.8, 0.08, 0},
	{FATHOM_PAGES, 0.19, 1.5, 0.24, 0},     {FATHOM_PATTERNS, 0.16, 1, 0.10, 0},
	{FATHOM_CORE_TO_CORE, 0.02, 0.2, 0, 0}, {FATHOM_LOADED, 0.12, 4, 0, 45},
	{FATHOM_DISTRIBUTION, 0.04, 1, 0, 45},
};

double survey_part_s(const double *shares, size_t i, double budget_s)
{
	double rest = 0;
	for (size_t k = i; k < FATHOM_SURVEY_STAGES; k++)
		rest += shares[k];
	return rest > 0 ? budget_s * shares[i] / rest : 0;
}

/* NUMA nodes want time of their own. */
static double share_of(const struct fathom_request *request, const struct fathom_machine *machine,
		       const struct survey_stage *stage)
{
	bool nodes = stage->experiment == FATHOM_CORE_TO_CORE && machine_memory_nodes(machine) > 1;
	return request->predicting ? stage->predicting : stage->share + (nodes ? NODES_SHARE : 0);
}

/* One CPU has no lines to hand over, and none beside it to make traffic. */
static bool has_stage(const struct fathom_request *request, const struct fathom_machine *machine,
		      const struct survey_stage *stage)
{
	bool beside =
		stage->experiment == FATHOM_CORE_TO_CORE || stage->experiment == FATHOM_LOADED;
	/* Settling takes as long in simulated time. */
	bool any_time = machine->description && stage->experiment != FATHOM_SETTLING;
	return share_of(request, machine, stage) > 0 &&
	       (any_time || request->predicting || request->budget_s >= stage->from_s) &&
	       (!beside || machine->cpu_count > 1);
}

/* Stages that would get too little time leave theirs to the others, the last one first. (Simulated
 * time is spent otherwise, and for predictions alone each measures less.) */
static void share_out(const struct fathom_request *request, const struct fathom_machine *machine,
		      double budget_s, double *shares)
{
	bool whole = !machine->description && !request->predicting;
	double all = 0;
	for (size_t i = 0; i < FATHOM_SURVEY_STAGES; i++)
		if (has_stage(request, machine, &survey_stages[i]))
			all += shares[i] = share_of(request, machine, &survey_stages[i]);
	for (size_t i = FATHOM_SURVEY_STAGES; i-- > 1 && whole;)
		if (budget_s * shares[i] / all < survey_stages[i].least_s) {
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

/* Of reads alone, on the pages that memory answers fastest on. */
static void shorten_loaded(const struct fathom_machine *machine, struct fathom_request *request)
{
	static const enum fathom_page large = FATHOM_PAGE_THP, base = FATHOM_PAGE_4K;
	static const enum fathom_traffic reads = FATHOM_TRAFFIC_READS;
	request->pages = pages_check(machine, large, LARGE_BYTES, NULL) ? &base : &large;
	request->page_count = 1;
	request->traffic = &reads;
	request->traffic_count = 1;
}

/* How fast one core reads and writes, and what a mispredicted branch costs. */
static void shorten_for_predictions(struct fathom_request *request)
{
	static const enum fathom_pattern streams[] = {FATHOM_READ, FATHOM_WRITE};
	static const enum fathom_pattern branches[] = {FATHOM_BRANCHES_RANDOM,
						       FATHOM_BRANCHES_SAME};
	static const uint32_t one = 1;
	switch (request->experiment) {
	case FATHOM_BANDWIDTH:
		request->streams = streams;
		request->stream_count = sizeof(streams) / sizeof(*streams);
		request->threads = &one;
		request->thread_count = 1;
		break;
	case FATHOM_PATTERNS:
		request->patterns = branches;
		request->pattern_count = sizeof(branches) / sizeof(*branches);
		request->steps = BRANCH_STEPS;
		request->events = NULL;
		break;
	default:
		break;
	}
}

/* `size_bytes`: room for a size of its own. */
static void adapt_stage(const struct fathom_request *asked, const struct fathom_machine *machine,
			struct fathom_request *request, uint64_t *size_bytes)
{
	switch (request->experiment) {
	case FATHOM_LATENCY:
		if (request->budget_s >= LATENCY_SHORT_S)
			break;
		request->per_octave = FEW_PER_OCTAVE;
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
	case FATHOM_LOADED:
		if (request->budget_s < AMPLE_S)
			shorten_loaded(machine, request);
		break;
	case FATHOM_SETTLING: /* beside the sweep */
		request->control = false;
		break;
	case FATHOM_DISTRIBUTION:
		request->cold_flushed = true;
		request->control = false; /* they take as long as all the rest */
		if (asked->budget_s < FULL_S)
			request->steps =
				(uint64_t)fmin(FEW_ACCESSES, ACCESSES_A_SECOND * request->budget_s);
		break;
	default:
		break;
	}
	if (asked->predicting)
		shorten_for_predictions(request);
}

static int plan_stage(const struct fathom_request *asked, const struct fathom_machine *machine,
		      const struct survey_stage *stage, double budget_s, struct fathom_plan **plan,
		      struct fathom_error *error)
{
	struct fathom_request request;
	uint64_t size_bytes;
	fathom_request_for(&request, stage->experiment);
	request.spec.seed = asked->spec.seed;
	request.cpu = asked->cpu;
	request.memory_node = asked->memory_node;
	request.target = asked->target;
	request.keep_samples = asked->keep_samples;
	request.os_prior_off = asked->os_prior_off;
	request.predicting = asked->predicting;
	request.budget_s = budget_s;
	request.max_size_bytes = asked->max_size_bytes;
	adapt_stage(asked, machine, &request, &size_bytes);
	if (plan_within(&request, machine, plan, error))
		return -1;
	if (stage->experiment != FATHOM_CORE_TO_CORE)
		return 0;
	(*plan)->pairs_only = true; /* of the rest NUMA nodes alone: it takes seconds */
	return plan_finish(*plan, machine, error);
}

static int leave_out(struct fathom_survey *survey, size_t i, const struct fathom_error *why)
{
	const char *name = experiment_name(survey_stages[i].experiment);
	survey->shares[i] = 0;
	if (why)
		return warnings_add(&survey->warnings, "stage-left-out", name, why->hint, "%s",
				    why->text);
	return warnings_note(&survey->warnings, "stage-left-out", name,
			     "allow a longer --budget, or run it alone",
			     "skipped: a survey of %.3g s is too short for it", survey->budget_s);
}

/* On no simulated machine, which runs no programs. */
static double window_s(const struct fathom_request *request, const struct fathom_machine *machine)
{
	double least_s = request->predicting ? LEAST_PREDICTING_S : LEAST_WINDOW_S;
	return machine->description || request->budget_s < least_s ? 0 : WINDOW_S;
}

static int fill_survey(const struct fathom_request *request, const struct fathom_machine *machine,
		       struct fathom_survey *survey, struct fathom_error *error)
{
	double stages_s = survey->budget_s - survey->window_s;
	share_out(request, machine, stages_s, survey->shares);
	survey->estimated_s = survey->window_s;
	for (size_t i = 0; i < FATHOM_SURVEY_STAGES; i++) {
		struct fathom_error why = {0};
		double budget_s = survey_part_s(survey->shares, 0, stages_s) * survey->shares[i] /
				  survey->shares[0];
		int status = survey->shares[i] > 0
				     ? plan_stage(request, machine, &survey_stages[i], budget_s,
						  &survey->plans[i], i ? &why : error)
				     : 0;
		if (status && i == 0)
			return -1;
		if (!survey->plans[i] && has_stage(request, machine, &survey_stages[i]) &&
		    leave_out(survey, i, status ? &why : NULL)) {
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
	made->predicting = request->predicting;
	made->window_s = window_s(request, machine);
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
