/* Requests to plans. (fathom_plan_make is public; a plan that came from outside is checked here.)
 */
#pragma once

#include "fathom.h"

/* Does it make sense, whatever the machine? Errors: USAGE, naming the spec or field. */
int plan_check_itself(const struct fathom_plan *plan, struct fathom_error *error);
/* Can it be measured as it stands, on that machine? Errors: USAGE, UNABLE, naming the spec. */
int plan_check(const struct fathom_plan *plan, const struct fathom_machine *machine,
	       struct fathom_error *error);
/* The same; then fills what is known once the specs are: memory and time. */
int plan_finish(struct fathom_plan *plan, const struct fathom_machine *machine,
		struct fathom_error *error);
/* How many specs stand before the first whose size is still to be found. */
size_t plan_known_count(const struct fathom_plan *plan);

/* Of one that is measured on several CPUs. */
#define PLAN_MOST_CPUS 64
/* Fills plan->cpus and plan->cpu from what was asked (fathom_request); NULL: nothing. Errors:
 * FAILED (memory). */
int plan_list_cpus(const char *asked, const struct fathom_machine *machine,
		   struct fathom_plan *plan, struct fathom_error *error);
/* Of how many parts a plan of FATHOM_LATENCY or FATHOM_BANDWIDTH is: of each CPU and each state of
 * its siblings one. 1 of all other plans. */
size_t plan_part_count(const struct fathom_plan *plan);
/* The same of plan->siblings. Errors: USAGE (no such state), FAILED. */
int plan_list_siblings(const char *asked, struct fathom_plan *plan, struct fathom_error *error);
size_t plan_cpu_count(const struct fathom_plan *plan);
/* -1: there are fewer. */
int plan_cpu_at(const struct fathom_plan *plan, size_t number);
/* Does the list of CPUs make sense? Errors: USAGE. */
int plan_check_cpus(const struct fathom_plan *plan, struct fathom_error *error);
/* May this process use its CPUs, and is there memory on its node? Errors: USAGE. */
int plan_check_places(const struct fathom_plan *plan, const struct fathom_machine *machine,
		      struct fathom_error *error);

struct plan_size {
	uint64_t bytes;
	bool shared;          /* by all threads: each takes its part of it, */
	uint64_t least_bytes; /* which is left out where it is smaller than that */
};
/* Puts curves of these sizes, ascending, in place of those without; the specs before them are
 * dropped. plan->specs is allocated anew: the old one remains the caller's. Errors: FAILED. */
int plan_insert_sizes(struct fathom_plan *plan, const struct plan_size *sizes, size_t count,
		      struct fathom_error *error);
