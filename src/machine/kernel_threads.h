/* The kernel's own threads: which of them exist, and how much they ran. */
#pragma once

#include <stddef.h>
#include <stdint.h>

struct kernel_thread {
	char *name;
	uint64_t pid;
	double share; /* of the time since it began that it ran on a CPU; NAN: not known */
};

struct kernel_threads {
	struct kernel_thread *items;
	size_t count;
};

/* Those whose name begins with one of the `prefixes` (a list that NULL ends), by pid. None where
 * /proc shows none: in a container it does not. `root` as in tree.h. */
struct kernel_threads kernel_threads_find(const char *root, const char *const *prefixes);
void kernel_threads_free(struct kernel_threads *threads);
