/* Who shares a cache: what follows from cycles that two CPUs walked at the same time. */
#pragma once

#include "document/core_groups.h"

/* Fills what follows from the blocks, which it sorts, of a hop alone and together, and from
 * test->twice_ns. */
void core_sharing_judge(struct fathom_sharing_test *test, double *alone_ns, size_t alone,
			double *together_ns, size_t together);

/* The groups of CPUs that share the cache, by its tests: those of the farthest class of which
 * pairs do. Errors: FAILED (memory). */
int core_sharing_find_members(struct fathom_shared_cache *cache, const struct core_groups *groups,
			      struct fathom_error *error);
/* What the OS says: those of the result's CPUs that are in `groups`. `kind`: what the CPUs of a
 * group share, SMT (a core), SAME_CACHE (the last cache) or OTHER_SOCKET (nothing: each has its
 * own); UNKNOWN: it does not say. Errors: FAILED (memory). */
int core_sharing_find_reported(struct fathom_shared_cache *cache,
			       const struct fathom_result *result, const struct core_groups *groups,
			       enum fathom_core_class_kind kind, struct fathom_error *error);
/* Warns where the OS says something else than what was measured. Errors: FAILED (memory). */
int core_sharing_compare(struct fathom_result *result, struct fathom_error *error);
