/* What the control groups of this process allow it, versions 1 and 2.
 *
 * A limit binds all groups below it, so the whole path up to the root of the hierarchy is read
 * (control groups(7), Documentation/admin-guide/cgroup-v2.rst). */
#pragma once

#include <stdbool.h>
#include <stdint.h>

struct cgroup_memory {
	uint64_t left_bytes; /* what may still be taken: limit - (usage - inactive file pages) */
	char *file;          /* the path of the limit, without the root; free() it */
};

struct cgroup_quota {
	double cpus; /* CPU time per time */
	char *file;
	const char *lift; /* what to write there to lift it */
};

/* The tightest of them. false: no limit is known, *memory untouched. `root` as in tree.h. */
bool cgroup_find_memory(const char *root, struct cgroup_memory *memory);
bool cgroup_find_quota(const char *root, struct cgroup_quota *quota);
