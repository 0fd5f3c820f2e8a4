/* Where what is measured between CPUs meets what follows from it. */
#include "fathom_measure.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/list.h"
#include "base/text.h"
#include "base/warnings.h"
#include "document/document.h"
#include "document/table.h"
#include "fathom_cores_pairs.h"
#include "fathom_load.h"
#include "model/cores/core_classes.h"
#include "model/cores/core_reported.h"

/* ---- the CPUs ---- */

static int read_cpus(struct cores_study *study, struct fathom_error *error)
{
	int low, high;
	for (const char *at = study->plan->cpus; *at && cpu_list_next(&at, &low, &high);)
		for (int cpu = low; cpu <= high; cpu++)
			if (LIST_APPEND(&study->cpus, &study->cpu_count, &cpu))
				return error_no_memory(error);
	return 0;
}

/* Without those that no thread can be bound to. */
static int keep_usable(struct cores_study *study, struct fathom_error *error)
{
	struct crew *crew = study->run.crew;
	struct fathom_error refused = {0};
	struct text gone = {0};
	size_t kept = 0, count = study->cpu_count;
	for (size_t i = 0; i < count; i++) {
		if (crew->ops->seat(crew, &study->cpus[i], 1, NULL,
				    refused.text ? NULL : &refused) == 0)
			study->cpus[kept++] = study->cpus[i];
		else
			text_add(&gone, "%s%d", gone.length ? "," : "", study->cpus[i]);
	}
	study->cpu_count = kept;
	int status = 0;
	if (kept == 0)
		status = error_set(error, FATHOM_UNABLE, refused.hint, "%s", refused.text);
	else if (kept < 2)
		status =
			error_set(error, FATHOM_UNABLE, refused.hint,
				  "a line needs two CPUs to go between, and one alone can be used: "
				  "%s",
				  refused.text);
	else if (kept < count &&
		 warnings_add(&study->result->warnings, "cpus-lost", NULL, refused.hint,
			      "no thread can be bound to CPUs %s: they are left out",
			      gone.data ? gone.data : ""))
		status = error_no_memory(error);
	text_free(&gone);
	fathom_error_clear(&refused);
	return status;
}

/* What the OS says of them. */
static int note_reported(struct cores_study *study, struct fathom_error *error)
{
	struct fathom_result *result = study->result;
	const struct fathom_machine *machine = result->machine;
	for (size_t i = 0, k = 0; i < machine->cpu_count && k < study->cpu_count; i++) {
		if (machine->cpus[i].cpu != study->cpus[k])
			continue;
		k++;
		if (LIST_APPEND(&result->cpus, &result->cpu_count, &machine->cpus[i]))
			return error_no_memory(error);
	}
	return 0;
}

/* ---- what there is to say of it ---- */

/* Pairs that have no block, as CPUs were taken away or time was over, are none. Returns how many of
 * them are main pairs of CPUs that are still there. */
static size_t drop_unmeasured(const struct pairs_run *run, struct fathom_curve *curve)
{
	size_t kept = 0, left_out = 0;
	for (size_t i = 0; i < curve->pair_count; i++) {
		struct fathom_pair *pair = &curve->pairs[i];
		if (pair->block_count) {
			curve->pairs[kept++] = *pair;
			continue;
		}
		left_out += pair->home == FATHOM_HOME_A &&
			    pair->handover == FATHOM_HANDOVER_STORE &&
			    !pairs_is_lost(run, pair->cpu_a) && !pairs_is_lost(run, pair->cpu_b);
		table_clear(&pair_table, pair);
	}
	curve->pair_count = kept;
	return left_out;
}

static int warn_of_lost(const struct cores_study *study, struct fathom_error *error)
{
	const struct pairs_run *run = &study->run;
	struct text lost = {0};
	int status = 0;
	for (size_t i = 0; i < run->lost_count; i++)
		text_add(&lost, "%s%d", i ? "," : "", run->lost_cpus[i]);
	if (run->lost_count)
		status = warnings_add(&study->result->warnings, "cpus-lost", NULL,
				      "measure again while nothing changes which CPUs may be used",
				      "CPUs %s were taken away while it was measured: pairs with "
				      "them are missing, or rest on fewer lines",
				      lost.data ? lost.data : "");
	text_free(&lost);
	return status ? error_no_memory(error) : 0;
}

static int warn_of_dropped(const struct cores_study *study, size_t dropped,
			   struct fathom_error *error)
{
	const struct pairs_run *run = &study->run;
	struct fathom_warnings *warnings = &study->result->warnings;
	int status = 0;
	if (run->late)
		status = warnings_add(warnings, "pairs-left-out", NULL, "use a longer --budget",
				      "the budget of %.3g s was spent before all pairs were "
				      "visited as often as planned; %zu were not measured at all",
				      study->plan->budget_s, dropped);
	else if (dropped && !run->stopped)
		status = warnings_add(warnings, "pairs-disturbed", NULL,
				      "measure again when the machine is less busy",
				      "%zu pair%s left out: all lines were disturbed", dropped,
				      dropped == 1 ? " is" : "s are");
	return status ? error_no_memory(error) : 0;
}

/* ---- all ---- */

/* By the first CPU that is still there. */
static int measure_loop(struct cores_study *study, struct fathom_error *error)
{
	int status = -1, lost = 0;
	for (size_t i = 0; i < study->cpu_count && status && lost >= 0; i++)
		status = pairs_loop_ns(study->run.crew, study->cpus[i], FATHOM_HANDOVER_STORE,
				       study->plan->seed, &study->result->curves[0].loop_ns, &lost,
				       error);
	if (status == 0)
		fathom_error_clear(error); /* of those that are gone */
	return status;
}

static int measure(struct cores_study *study, struct fathom_error *error)
{
	struct fathom_curve *curve = &study->result->curves[0];
	if (keep_usable(study, error) || note_reported(study, error) ||
	    measure_loop(study, error) || cores_visit_pairs(study, error))
		return -1;
	study->result->interrupted = study->run.stopped;
	study->result->elapsed_s = study->run.crew->ops->elapsed_s(study->run.crew);
	size_t dropped = drop_unmeasured(&study->run, curve);
	if (!curve->pair_count && study->run.lost_count)
		return error_set(error, FATHOM_UNABLE,
				 "measure again while nothing changes which CPUs may be used",
				 "CPUs were taken away before a pair of them was measured");
	return warn_of_dropped(study, dropped, error);
}

/* What CPUs share, and what it costs: of the classes that were found. A CPU that is gone ends it.
 */
static int measure_more(struct cores_study *study, struct fathom_error *error)
{
	struct fathom_result *result = study->result;
	struct fathom_error refused = {0};
	struct core_groups groups;
	if (study->run.stopped || study->run.late)
		return 0;
	if (core_groups_make(result, 0, &groups, error))
		return -1;
	/* What takes longest comes last. */
	int status = cores_measure_contention(study, &groups, &refused) ||
				     cores_find_sharing(study, &groups, &refused)
			     ? -1
			     : 0;
	core_groups_free(&groups);
	if (status && refused.status != FATHOM_UNABLE)
		error_set(error, refused.status, refused.hint, "%s", refused.text);
	else if (status)
		status = warnings_add(&result->warnings, "sharing-cut", NULL, refused.hint,
				      "what CPUs share was not measured to its end: %s",
				      refused.text);
	else if (study->run.late)
		status = warnings_add(&result->warnings, "sharing-cut", NULL,
				      "use a longer --budget",
				      "the budget of %.3g s was spent before all was measured that "
				      "CPUs share",
				      study->plan->budget_s);
	fathom_error_clear(&refused);
	result->interrupted = study->run.stopped;
	result->elapsed_s = study->run.crew->ops->elapsed_s(study->run.crew);
	return status ? -1 : 0;
}

static int find_classes(struct fathom_result *result, struct fathom_error *error)
{
	document_round(result);
	return core_classes_find(result, error) || core_reported_compare(result, error) ? -1 : 0;
}

/* ---- the pairs again ---- */

static bool are_alike(const struct core_groups *a, const struct core_groups *b)
{
	return a->cpu_count == b->cpu_count && a->class_count == b->class_count &&
	       (a->cpu_count * a->class_count == 0 ||
		memcmp(a->group_of, b->group_of,
		       a->cpu_count * a->class_count * sizeof(*a->group_of)) == 0);
}

/* What rests on classes that are no more; of one thread alone it rests on none. */
static int forget_classes(struct fathom_result *result)
{
	size_t kept = 0, all = result->shared_cache_count + result->contention_count;
	table_free_items(&shared_cache_table, result->shared_caches, result->shared_cache_count);
	result->shared_caches = NULL;
	result->shared_cache_count = 0;
	for (size_t i = 0; i < result->contention_count; i++)
		if (result->contention[i].core_class < 0)
			result->contention[kept++] = result->contention[i];
		else
			table_clear(&contention_table, &result->contention[i]);
	result->contention_count = kept;
	warnings_remove(&result->warnings, "sharing-differs");
	return kept == all ? 0
			   : warnings_add(&result->warnings, "sharing-cut", NULL,
					  "measure again when nothing moves the CPUs",
					  "what CPUs share is not told: pairs that were measured "
					  "again at the "
					  "end are of other classes");
}

/* Hosts move CPUs now and then: what was found at the beginning of the run must hold at its end. */
static int look_again(struct cores_study *study, struct fathom_error *error)
{
	struct fathom_result *result = study->result;
	struct core_groups before, after;
	if (!cores_goes_on(study))
		return 0;
	if (core_groups_make(result, 0, &before, error))
		return -1;
	int status = cores_visit_again(study, error) || find_classes(result, error) ||
				     core_groups_make(result, 0, &after, error)
			     ? -1
			     : 0;
	if (!status) {
		bool moved = warnings_find(&result->warnings, "cpus-moved");
		if ((moved || !are_alike(&before, &after)) && forget_classes(result))
			status = error_no_memory(error);
		core_groups_free(&after);
	}
	core_groups_free(&before);
	result->interrupted = study->run.stopped;
	result->elapsed_s = study->run.crew->ops->elapsed_s(study->run.crew);
	return status;
}

static int open_result(struct fathom_result *result, struct fathom_error *error)
{
	result->curves = calloc(1, sizeof(*result->curves));
	if (!result->curves)
		return error_no_memory(error);
	table_unknown(&curve_table, result->curves);
	result->curve_count = 1;
	result->curves[0].experiment = FATHOM_CORE_TO_CORE;
	result->clock_min_hz = result->clock_median_hz = result->clock_max_hz =
		result->clock_drift = NAN;
	return 0;
}

int cores_measure(const struct fathom_plan *plan, const struct fathom_machine *machine,
		  const struct fathom_observer *observer, struct fathom_result *result,
		  struct fathom_error *error)
{
	struct cores_study study = {
		.plan = plan,
		.result = result,
		.run = {.observer = observer,
			.budget_s = plan->budget_s,
			.rng = rng_make(plan->seed)},
	};
	struct load_since since = load_begin(machine);
	int status = open_result(result, error);
	if (status == 0)
		status = read_cpus(&study, error);
	if (status == 0)
		status = crew_open(machine, (uint32_t)study.cpu_count, &study.run.crew, error);
	if (status == 0)
		status = measure(&study, error);
	if (status == 0)
		status = find_classes(result, error);
	if (status == 0 && !plan->pairs_only)
		status = measure_more(&study, error) || look_again(&study, error) ? -1 : 0;
	if (status == 0)
		status = warn_of_lost(&study, error);
	if (study.run.crew)
		study.run.crew->ops->close(study.run.crew);
	pairs_run_free(&study.run);
	free(study.cpus);
	result->busy_cpus = load_busy_cpus(machine, &since, result->elapsed_s);
	document_round(result);
	return status;
}
