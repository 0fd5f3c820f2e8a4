/* Which pairs tell the classes without measuring all: every CPU against an anchor, and those that
 * are about as far from it as each other against an anchor among them, and so on. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "fathom.h"

struct core_anchors;

/* Two places among the CPUs. */
struct core_pair {
	size_t a, b;
};

/* Errors: FAILED, here and below. */
int core_anchors_open(size_t cpu_count, uint64_t seed, struct core_anchors **anchors,
		      struct fathom_error *error);
void core_anchors_close(struct core_anchors *anchors);
/* The pairs to measure next, `*count` of them: none where the classes can be told. They are the
 * anchors' own until the next call. `logs` as of core_tree_grow: what is known by now, so that all
 * pairs of the last call are, but those of CPUs that are gone. */
int core_anchors_next(struct core_anchors *anchors, const double *logs,
		      const struct core_pair **pairs, size_t *count, struct fathom_error *error);
