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

int latency_specs(const struct fathom_request *request, const struct fathom_machine *machine,
		  struct fathom_plan *plan, struct fathom_error *error);

int patterns_specs(const struct fathom_request *request, const struct fathom_machine *machine,
		   struct fathom_plan *plan, struct fathom_error *error);
void patterns_warn(const struct fathom_plan *plan, const struct fathom_machine *machine,
		   struct fathom_warnings *warnings);
int ablation_specs(const struct fathom_request *request, const struct fathom_machine *machine,
		   struct fathom_plan *plan, struct fathom_error *error);
void ablation_warn(const struct fathom_plan *plan, const struct fathom_machine *machine,
		   struct fathom_warnings *warnings);
int decay_specs(const struct fathom_request *request, const struct fathom_machine *machine,
		struct fathom_plan *plan, struct fathom_error *error);
int parallelism_specs(const struct fathom_request *request, const struct fathom_machine *machine,
		      struct fathom_plan *plan, struct fathom_error *error);
int bandwidth_specs(const struct fathom_request *request, const struct fathom_machine *machine,
		    struct fathom_plan *plan, struct fathom_error *error);
void bandwidth_warn(const struct fathom_plan *plan, const struct fathom_machine *machine,
		    struct fathom_warnings *warnings);
int pages_specs(const struct fathom_request *request, const struct fathom_machine *machine,
		struct fathom_plan *plan, struct fathom_error *error);
void pages_warn(const struct fathom_plan *plan, const struct fathom_machine *machine,
		struct fathom_warnings *warnings);
