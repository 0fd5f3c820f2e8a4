/* CPUs joined to groups, the nearest first: agglomerative clustering by the mean of the logarithms
 * of the latencies between two groups. Source: average linkage (UPGMA), Sokal and Michener, A
 * statistical method for evaluating systematic relationships (1958). */
#pragma once

#include <stddef.h>

#include "fathom.h"

struct core_join {
	size_t a, b;         /* a CPU of either group */
	double height;       /* mean logarithm between the two groups; INFINITY: no pair */
	size_t pairs;        /* measured between the two groups */
	double sum, squares; /* of their logarithms */
};

struct core_tree {
	size_t cpu_count;
	struct core_join *joins; /* cpu_count - 1, ascending */
};

/* `logs`: cpu_count x cpu_count, symmetric; NAN: not measured. Errors: FAILED. */
int core_tree_grow(const double *logs, size_t cpu_count, struct core_tree *tree,
		   struct fathom_error *error);
void core_tree_free(struct core_tree *tree);
/* Of each CPU its group, named by its first CPU, once the first `joins` are made. */
void core_tree_cut(const struct core_tree *tree, size_t joins, size_t *group_of);
