/* Which class a pair of CPUs is of: the groups of a curve's classes, taken out of their lists. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "fathom.h"

#define CORE_GROUPS_MOST_CPUS 1024 /* of a curve: as many as a cpu_set_t holds */

struct core_groups {
	int *cpus; /* ascending: those of the curve's pairs */
	size_t cpu_count;
	const struct fathom_core_class **classes; /* the result's, the nearest pairs first */
	size_t class_count;
	size_t *group_of; /* class by class, of each CPU its group */
};

/* Has any curve pairs? */
bool core_groups_any(const struct fathom_result *result);
/* The CPUs of any core_to_core curve, with those classes of the result that are of
 * it. After an error there is nothing to free. Errors: BAD_INPUT (too many CPUs; a class
 * whose groups do not hold each CPU once, or do not join those of the class before), FAILED. */
int core_groups_make(const struct fathom_result *result, size_t curve, struct core_groups *groups,
		     struct fathom_error *error);
void core_groups_free(struct core_groups *groups);
/* Its place among `cpus`; cpu_count: it is none of them. */
size_t core_groups_place(const struct core_groups *groups, int cpu);
/* The number of the class of the pair, by places among `cpus`; class_count: none has it. */
size_t core_groups_class(const struct core_groups *groups, size_t place_a, size_t place_b);
