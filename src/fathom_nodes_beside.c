/* The memory of NUMA nodes in what the pairs of CPUs left of the budget. */
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/warnings.h"
#include "fathom_join.h"
#include "fathom_measure.h"
#include "fathom_nodes.h"
#include "machine/machine.h"
#include "measure/experiments/experiments.h"
#include "measure/plan/plan.h"
#include "model/node_access.h"

#define LEAST_PAIR_S      0.05
#define LEAST_TIMES_CACHE 2 /* with less the numbers would be of the last cache */
#define AMPLE_S           1e9

/* That it was not measured, and why. */
static int note(struct fathom_result *result, const char *id, const char *where, const char *hint,
		const char *text, struct fathom_error *error)
{
	return warnings_note(&result->warnings, id, where, hint, "%s", text)
		       ? error_no_memory(error)
		       : 0;
}

static int note_left_out(struct fathom_result *result, const char *text, struct fathom_error *error)
{
	return note(result, "nodes-left-out", "memory of NUMA nodes",
		    "'fathom cores --nodes' measures it alone, in a budget of its own", text,
		    error);
}

static int make_plan(const struct fathom_plan *pairs, const struct fathom_machine *machine,
		     double pair_s, struct fathom_plan **plan, struct fathom_error *error)
{
	struct fathom_request request;
	fathom_request_for(&request, FATHOM_NODES);
	request.spec.seed = pairs->seed;
	request.target = pairs->target;
	request.keep_samples = pairs->keep_samples;
	request.budget_s = pair_s;
	return fathom_plan_make(&request, machine, plan, error);
}

/* With the least time a pair of nodes, from the usual one on, in which the size is as large as with
 * any. *plan NULL: there is no such time. `pairs`: of nodes. */
static int find_plan(const struct fathom_plan *asked, const struct fathom_machine *machine,
		     uint64_t wanted_bytes, double left_s, size_t pairs, struct fathom_plan **plan,
		     struct fathom_error *error)
{
	double most_s = left_s / (double)pairs;
	double pair_s = fmin(NODES_PAIR_S, most_s);
	*plan = NULL;
	while (pair_s >= LEAST_PAIR_S) {
		struct fathom_plan *made;
		if (make_plan(asked, machine, pair_s, &made, error))
			return -1;
		if (made->specs[0].size_bytes >= wanted_bytes) {
			made->budget_s = pair_s * (double)pairs;
			*plan = made;
			return 0;
		}
		fathom_plan_free(made);
		if (pair_s >= most_s)
			return 0;
		pair_s = fmin(2 * pair_s, most_s);
	}
	return 0;
}

/* The line was not asked for. */
static int add_part(struct fathom_result *result, struct fathom_result *part,
		    struct fathom_error *error)
{
	for (size_t i = 0; i < part->warnings.count; i++)
		if (strcmp(part->warnings.items[i].id, "line-unknown") != 0 &&
		    warnings_copy(&result->warnings, &part->warnings.items[i], NULL))
			return error_no_memory(error);
	return join_curves(result, part, error) || node_access_find(result, error) ? -1 : 0;
}

/* Why they cannot be measured is no reason to lose the rest. */
static int measure(const struct fathom_plan *plan, struct fathom_machine *machine,
		   const struct fathom_observer *observer, struct fathom_result *result,
		   struct fathom_error *error)
{
	struct fathom_error why = {0};
	struct fathom_result *part = NULL;
	if (nodes_measure(plan, machine, observer, &part, &why)) {
		int status = warnings_add(&result->warnings, "nodes-failed", "memory of NUMA nodes",
					  why.hint, "%s", why.text);
		fathom_error_clear(&why);
		return status ? error_no_memory(error) : 0;
	}
	int status = add_part(result, part, error);
	part->machine = NULL; /* is the caller's */
	fathom_result_free(part);
	return status;
}

static int measure_within(const struct fathom_plan *pairs, struct fathom_machine *machine,
			  const struct fathom_observer *observer, struct fathom_result *result,
			  struct fathom_error *error)
{
	struct fathom_error why = {0};
	struct fathom_plan *plan;
	double left_s = pairs->budget_s - result->elapsed_s;
	if (make_plan(pairs, machine, AMPLE_S, &plan, &why)) {
		int status = note_left_out(result, why.text, error);
		fathom_error_clear(&why);
		return status;
	}
	uint64_t wanted_bytes = plan->specs[0].size_bytes;
	fathom_plan_free(plan);
	if (wanted_bytes < LEAST_TIMES_CACHE * machine_largest_cache_bytes(machine))
		return note_left_out(
			result, "there is too little memory to measure past the caches", error);
	if (find_plan(pairs, machine, wanted_bytes, left_s, nodes_count_pairs(machine), &plan,
		      error))
		return -1;
	if (!plan)
		return note_left_out(result, "the budget left too little time for it", error);
	struct part_observer part = {observer,        NULL, result->elapsed_s, plan->budget_s,
				     pairs->budget_s, {0}};
	int status = measure(plan, machine, part_observer_make(&part), result, error);
	fathom_plan_free(plan);
	return status;
}

int nodes_measure_beside(const struct fathom_plan *pairs, const struct fathom_machine *machine,
			 const struct fathom_observer *observer, struct fathom_result *result,
			 struct fathom_error *error)
{
	struct fathom_machine own = *machine;
	if (!pairs->nodes || result->interrupted)
		return 0;
	if (machine_memory_nodes(machine) < 2)
		return note(result, "one-node", "memory of other NUMA nodes (there is one node)",
			    NULL, "one NUMA node has all the memory", error);
	if (warnings_find(&result->warnings, "cpus-moved"))
		return note_left_out(result, "CPUs were moved while pairs were measured", error);
	own.allowed_cpus = pairs->cpus; /* of the others nothing is told */
	own.default_cpu = plan_cpu_at(pairs, 0);
	return measure_within(pairs, &own, observer, result, error);
}
