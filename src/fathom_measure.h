/* Measuring beside a result that is there already, and latency under load. */
#pragma once

#include "fathom.h"

struct turn;

/* Whoever observes the whole is told of a part of it how far the whole is. */
struct part_observer {
	const struct fathom_observer *whole; /* may be NULL */
	const char *stage;                   /* NULL: as the part says */
	double before_s, part_s, budget_s;   /* what was spent before, of the part, of the whole */
	struct fathom_observer own;
};
/* For the part; as long as *part is there. NULL: nobody observes. */
const struct fathom_observer *part_observer_make(struct part_observer *part);

/* As fathom_measure; but where the plan has a sweep alone to find the levels, those of `known` are
 * taken and there is no sweep. NULL: as fathom_measure. */
int measure_beside(const struct fathom_plan *plan, struct fathom_machine *machine,
		   const struct fathom_observer *observer, const struct fathom_result *known,
		   struct fathom_result **result, struct fathom_error *error);

/* As fathom_measure, of a plan of one part, in turns with others (measure/sampling/turns.h). */
int measure_in_turns(const struct fathom_plan *plan, struct fathom_machine *machine,
		     const struct fathom_observer *observer, struct turn *turn,
		     struct fathom_result **result, struct fathom_error *error);

/* What a plan of FATHOM_CORE_TO_CORE measures, into a result that has its machine. Errors: UNABLE
 * (threads cannot be bound, or fewer than two CPUs are left), FAILED. */
int cores_measure(const struct fathom_plan *plan, const struct fathom_machine *machine,
		  const struct fathom_observer *observer, struct fathom_result *result,
		  struct fathom_error *error);
/* What a plan of FATHOM_LOADED measures, into a result that has its machine. Errors: UNABLE (a CPU
 * that may not be used), FAILED. */
int loaded_measure(const struct fathom_plan *plan, const struct fathom_machine *machine,
		   const struct fathom_observer *observer, struct fathom_result *result,
		   struct fathom_error *error);
/* What a plan of FATHOM_DISTRIBUTION measures, into a result that has its machine. Errors: UNABLE
 * (a counter that is missing or too coarse, a CPU that may not be used), FAILED. */
int distribution_measure(const struct fathom_plan *plan, const struct fathom_machine *machine,
			 const struct fathom_observer *observer, struct fathom_result *result,
			 struct fathom_error *error);
