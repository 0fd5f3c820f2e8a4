/* Where what is measured between CPUs meets what follows from it. */
#include "fathom_cores.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/list.h"
#include "base/text.h"
#include "base/warnings.h"
#include "document/document.h"
#include "document/table.h"
#include "fathom_load.h"
#include "measure/cores/pairs_run.h"
#include "model/cores/core_classes.h"

#define LEAST_VISITS 2    /* lines, and times, of two halves */
#define MOST_VISITS  16   /* of a pair */
#define MORE_VISITS  1024 /* of all pairs together, after the first two each */
#define ENOUGH_S     1.0  /* more visits than two are made up to here */

/* ---- the CPUs ---- */

struct cpus {
	int *items; /* ascending */
	size_t count;
};

static int read_cpus(const char *list, struct cpus *cpus, struct fathom_error *error)
{
	int low, high;
	for (const char *at = list; *at && cpu_list_next(&at, &low, &high);)
		for (int cpu = low; cpu <= high; cpu++)
			if (LIST_APPEND(&cpus->items, &cpus->count, &cpu))
				return error_no_memory(error);
	return 0;
}

/* Without those that no thread can be bound to. */
static int keep_usable(struct crew *crew, struct cpus *cpus, struct fathom_warnings *warnings,
		       struct fathom_error *error)
{
	struct fathom_error refused = {0};
	struct text gone = {0};
	size_t kept = 0;
	for (size_t i = 0; i < cpus->count; i++) {
		if (crew->ops->seat(crew, &cpus->items[i], 1, NULL, &refused) == 0)
			cpus->items[kept++] = cpus->items[i];
		else
			text_add(&gone, "%s%d", gone.length ? "," : "", cpus->items[i]);
	}
	int status = 0;
	if (kept == 0)
		status = error_set(error, FATHOM_UNABLE, refused.hint, "%s", refused.text);
	else if (kept < cpus->count)
		status = warnings_add(warnings, "cpus-lost", NULL, refused.hint,
				      "no thread can be bound to CPUs %s: they are left out",
				      gone.data ? gone.data : "")
				 ? error_no_memory(error)
				 : 0;
	if (status == 0 && kept < 2)
		status =
			error_set(error, FATHOM_UNABLE, "name two CPUs or more with --cpu",
				  "a line needs two CPUs to go between, and one alone can be used");
	cpus->count = kept;
	text_free(&gone);
	fathom_error_clear(&refused);
	return status;
}

/* ---- pairs ---- */

static int add_pair(struct fathom_curve *curve, int cpu_a, int cpu_b, struct fathom_error *error)
{
	struct fathom_pair pair;
	table_unknown(&pair_table, &pair);
	pair.cpu_a = cpu_a < cpu_b ? cpu_a : cpu_b;
	pair.cpu_b = cpu_a < cpu_b ? cpu_b : cpu_a;
	pair.home = FATHOM_HOME_A;
	pair.handover = FATHOM_HANDOVER_STORE;
	return LIST_APPEND(&curve->pairs, &curve->pair_count, &pair) ? error_no_memory(error) : 0;
}

static int add_all_pairs(struct fathom_curve *curve, const struct cpus *cpus,
			 struct fathom_error *error)
{
	for (size_t b = 0; b < cpus->count; b++)
		for (size_t a = 0; a < b; a++)
			if (add_pair(curve, cpus->items[a], cpus->items[b], error))
				return -1;
	return 0;
}

/* Two rounds at least; more while that is still fast. */
static int visit_all(struct pairs_run *run, struct fathom_curve *curve, struct fathom_error *error)
{
	size_t most = LEAST_VISITS + MORE_VISITS / (curve->pair_count + 1);
	most = most < MOST_VISITS ? most : MOST_VISITS;
	for (size_t visit = 0; visit < most && !run->stopped && !run->late; visit++) {
		if (visit >= LEAST_VISITS && run->crew->ops->elapsed_s(run->crew) > ENOUGH_S)
			break;
		run->begun = fmin(0.9, (double)visit / LEAST_VISITS);
		run->share = visit < LEAST_VISITS ? 1.0 / LEAST_VISITS : 0.1;
		if (pairs_run_round(run, curve, 0, NULL, NULL, error))
			return -1;
	}
	return 0;
}

/* Pairs that have no block, as CPUs were taken away or time was over, are none. */
static int conclude(struct fathom_curve *curve, size_t *dropped, struct fathom_error *error)
{
	size_t kept = 0;
	for (size_t i = 0; i < curve->pair_count; i++) {
		struct fathom_pair *pair = &curve->pairs[i];
		if (pair->block_count == 0) {
			table_clear(&pair_table, pair);
			continue;
		}
		if (pairs_conclude(pair, error))
			return -1;
		curve->pairs[kept++] = *pair;
	}
	*dropped = curve->pair_count - kept;
	curve->pair_count = kept;
	return 0;
}

/* ---- what there is to say of it ---- */

static int warn(const struct pairs_run *run, size_t dropped, double budget_s,
		struct fathom_warnings *warnings)
{
	struct text lost = {0};
	int status = 0;
	for (size_t i = 0; i < run->lost_count; i++)
		text_add(&lost, "%s%d", i ? "," : "", run->lost_cpus[i]);
	if (run->lost_count)
		status = warnings_add(warnings, "cpus-lost", NULL,
				      "measure again while nothing changes which CPUs may be used",
				      "CPUs %s were taken away while it was measured: pairs with "
				      "them are missing, or rest on fewer lines",
				      lost.data ? lost.data : "");
	else if (dropped && run->late)
		status = warnings_add(warnings, "pairs-left-out", NULL, "use a longer --budget",
				      "%zu pairs were not measured in %.3g s", dropped, budget_s);
	text_free(&lost);
	return status;
}

static int measure_curve(const struct fathom_plan *plan, struct crew *crew,
			 const struct fathom_observer *observer, struct fathom_result *result,
			 struct cpus *cpus, struct fathom_error *error)
{
	struct fathom_curve *curve = &result->curves[0];
	struct pairs_run run = {.crew = crew,
				.observer = observer,
				.budget_s = plan->budget_s,
				.rng = rng_make(plan->seed)};
	size_t dropped = 0;
	int lost, status = keep_usable(crew, cpus, &result->warnings, error);
	if (status == 0)
		status = pairs_loop_ns(crew, cpus->items[0], FATHOM_HANDOVER_STORE, plan->seed,
				       &curve->loop_ns, &lost, error);
	if (status == 0)
		status = add_all_pairs(curve, cpus, error);
	if (status == 0)
		status = visit_all(&run, curve, error);
	if (status == 0)
		status = conclude(curve, &dropped, error);
	if (status == 0 && warn(&run, dropped, plan->budget_s, &result->warnings))
		status = error_no_memory(error);
	result->interrupted = run.stopped;
	pairs_run_free(&run);
	return status;
}

int cores_measure(const struct fathom_plan *plan, const struct fathom_machine *machine,
		  const struct fathom_observer *observer, struct fathom_result *result,
		  struct fathom_error *error)
{
	struct cpus cpus = {0};
	struct crew *crew = NULL;
	double before_s = load_others_at(machine, 0);
	result->curves = calloc(1, sizeof(*result->curves));
	if (!result->curves)
		return error_no_memory(error);
	table_unknown(&curve_table, result->curves);
	result->curve_count = 1;
	result->curves[0].experiment = FATHOM_CORE_TO_CORE;
	result->clock_min_hz = result->clock_median_hz = result->clock_max_hz =
		result->clock_drift = NAN;
	int status = read_cpus(plan->cpus, &cpus, error);
	if (status == 0)
		status = crew_open(machine, (uint32_t)cpus.count, &crew, error);
	if (status == 0)
		status = measure_curve(plan, crew, observer, result, &cpus, error);
	if (status == 0) {
		result->elapsed_s = crew->ops->elapsed_s(crew);
		result->busy_cpus = load_busy_cpus(machine, before_s, result->elapsed_s);
	}
	if (crew)
		crew->ops->close(crew);
	free(cpus.items);
	document_round(result);
	return status || core_classes_find(result, error) ? -1 : 0;
}
