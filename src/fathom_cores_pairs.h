/* Which pairs of CPUs are measured, in which order and how often. */
#pragma once

#include "document/core_groups.h"
#include "measure/cores/pairs_run.h"

struct cores_study {
	const struct fathom_plan *plan;
	struct fathom_result *result; /* its first curve has the pairs, and it the CPUs */
	struct pairs_run run;
	int *cpus; /* ascending: those that threads can be bound to */
	size_t cpu_count;
	size_t visits; /* that most pairs had at least */
};

/* Adds pairs and visits them, until their classes are told; then some of each class with other
 * homes and by compare-and-swap. Errors: FAILED. */
int cores_visit_pairs(struct cores_study *study, struct fathom_error *error);
/* Visits the same again, but for the others' homes and hand-overs, half as often: after all the
 * rest, so that what moved meanwhile shows as a difference between halves. Errors: FAILED. */
int cores_visit_again(struct cores_study *study, struct fathom_error *error);

/* Of the result that has its classes, which are `groups`: shared_caches, and contention. Errors:
 * UNABLE (a CPU may not be used any more), FAILED. */
int cores_find_sharing(struct cores_study *study, const struct core_groups *groups,
		       struct fathom_error *error);
int cores_measure_contention(struct cores_study *study, const struct core_groups *groups,
			     struct fathom_error *error);

/* What is known of the pairs so far, by places among the CPUs. */
struct cores_matrix {
	size_t count;
	double *logs; /* NAN: not measured */
	bool *listed; /* as a pair, measured or not */
};

/* What fathom_cores_sample.c asks for. Errors: FAILED. */
struct fathom_curve *cores_curve(struct cores_study *study);
size_t cores_place(const struct cores_study *study, int cpu);
/* May it go on? */
bool cores_goes_on(const struct cores_study *study);
/* By places; a pair that is there already is not added again. */
int cores_add_pair(struct cores_study *study, struct cores_matrix *matrix, size_t a, size_t b,
		   struct fathom_error *error);
/* One visit to each pair from `first` on, and what follows from it in the matrix. */
int cores_visit_new(struct cores_study *study, size_t first, struct cores_matrix *matrix,
		    struct fathom_error *error);
/* What follows from the visits to these pairs; `matrix` may be NULL. */
int cores_conclude(struct cores_study *study, size_t first, struct cores_matrix *matrix,
		   struct fathom_error *error);
/* The classes of what there is by now. */
int cores_find_groups(struct cores_study *study, struct core_groups *groups,
		      struct fathom_error *error);
pairs_other_cpu cores_third; /* of a study */

/* Pairs that tell the classes, few of all. Errors: FAILED. */
int cores_visit_sample(struct cores_study *study, struct cores_matrix *matrix,
		       struct fathom_error *error);
