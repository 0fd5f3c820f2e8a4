/* The table of experiments: each turns a request into specs, in a short file of its own. */
#pragma once

#include "fathom.h"

/* Of the budget, what a sweep gets that only finds sizes for the rest. */
#define PLAN_SWEEP_SHARE 0.35

struct experiment {
	enum fathom_experiment id;
	enum fathom_axis axis;
	double default_budget_s;
	/* Fills plan->specs, curve after curve, and plan->always_bytes. The plan's other
	 * fields and the request's spec (node spacing) are final. Errors: USAGE, UNABLE. */
	int (*specs)(const struct fathom_request *request, const struct fathom_machine *machine,
		     struct fathom_plan *plan, struct fathom_error *error);
	/* Says what the plan lacks of what was to be expected, and why; NULL: nothing. */
	void (*warn)(const struct fathom_plan *plan, const struct fathom_machine *machine,
		     struct fathom_warnings *warnings);
	bool finds_sizes; /* a sweep, which adds and leaves out sizes; else rounds over all */
};

/* NULL: no such experiment. */
const struct experiment *experiment_find(enum fathom_experiment id);

/* Their functions, as in the struct. */
#define EXPERIMENT_SPECS(name)                                                                     \
	int name##_specs(const struct fathom_request *request,                                     \
			 const struct fathom_machine *machine, struct fathom_plan *plan,           \
			 struct fathom_error *error)
#define EXPERIMENT_WARN(name)                                                                      \
	void name##_warn(const struct fathom_plan *plan, const struct fathom_machine *machine,     \
			 struct fathom_warnings *warnings)
EXPERIMENT_SPECS(latency);
EXPERIMENT_SPECS(patterns);
EXPERIMENT_WARN(patterns);
EXPERIMENT_SPECS(ablation);
EXPERIMENT_WARN(ablation);
EXPERIMENT_SPECS(decay);
EXPERIMENT_SPECS(parallelism);
EXPERIMENT_SPECS(bandwidth);
EXPERIMENT_WARN(bandwidth);
EXPERIMENT_SPECS(cores); /* in place of specs, CPUs */
/* How long its plan takes, about. */
double cores_estimate_s(const struct fathom_plan *plan, const struct fathom_machine *machine);
EXPERIMENT_SPECS(nodes);
#define NODES_PAIR_S 0.5 /* of nodes, beside pairs of CPUs, where touching takes no longer */
/* Of a node with CPUs that may be used and one with memory. */
size_t nodes_count_pairs(const struct fathom_machine *machine);
/* Streams get as many threads as the node of the plan's CPU has cores, and the same memory in all.
 */
void nodes_take_threads(struct fathom_plan *plan, const struct fathom_machine *machine);
EXPERIMENT_SPECS(loaded);
EXPERIMENT_WARN(loaded);
/* Fills plan->cpus: the plan's CPU, then one of each other core, or `threads` of them (0: as is
 * usual), one a core as far as there are. Errors: UNABLE (there is one CPU), USAGE, FAILED. */
int loaded_take_cpus(struct fathom_plan *plan, const struct fathom_machine *machine,
		     uint32_t threads, struct fathom_error *error);
EXPERIMENT_SPECS(distribution);
EXPERIMENT_SPECS(settling);
EXPERIMENT_SPECS(pages);
EXPERIMENT_WARN(pages);
