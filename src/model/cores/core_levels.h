/* Where in the tree of joined CPUs one class of pairs ends and the next begins. */
#pragma once

#include <stddef.h>

#include "fathom.h"

#define CORE_LEVELS_MOST 8 /* classes: more kinds of neighbours than any machine has */

/* Partitions of the CPUs that nest, one a class; of the last all CPUs are one group. */
struct core_levels {
	size_t cpu_count, class_count;
	size_t *group_of; /* class by class, of each CPU its group, named by its first CPU */
};

/* `logs` as of core_tree_grow. Errors: FAILED. */
int core_levels_find(const double *logs, size_t cpu_count, struct core_levels *levels,
		     struct fathom_error *error);
void core_levels_free(struct core_levels *levels);
const size_t *core_levels_of(const struct core_levels *levels, size_t class);
/* Leaves that class out: its pairs are of the next. */
void core_levels_drop(struct core_levels *levels, size_t class);
/* The number of the class of the pair. */
size_t core_levels_class(const struct core_levels *levels, size_t cpu_a, size_t cpu_b);
/* How many groups the class has. */
size_t core_levels_groups(const struct core_levels *levels, size_t class);
