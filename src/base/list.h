/* Lists of the public structs, and others, that are a pointer and a count; and lists of CPUs as the
 * kernel writes them: "0-3,8". */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/text.h"
#include "fathom.h"

/* Appends a copy of the item to the list that `items` is the address of: &result->levels. -1: out
 * of memory, and the list is as before. */
int list_append(void *items, size_t *count, const void *item, size_t item_bytes);
#define LIST_APPEND(items, count, item) list_append(items, count, item, sizeof(*(item)))

#define CPU_LIST_MOST 8192 /* CPUs of a machine, as many as Linux can be built for (NR_CPUS) */

/* Does the list, which may be NULL, have the CPU? */
bool cpu_list_has(const char *list, int cpu);
/* NULL: the machine has no kinds, or none has the CPU. */
const struct fathom_cpu_kind *cpu_kind_of(const struct fathom_machine *machine, int cpu);
/* What the OS reports for the CPU, -1 for the default one; of its kind it may be nothing. */
struct cpu_caches {
	const struct fathom_cache *items;
	size_t count;
};
struct cpu_caches cpu_caches_of(const struct fathom_machine *machine, int cpu);
/* Adds these, which ascend. */
void cpu_list_add(struct text *text, const int *cpus, size_t count);
/* The next range, from which *at then goes on: *low to *high, both in it. false: the list ends
 * there (*at is at its zero), or what follows is no range of CPUs under CPU_LIST_MOST. */
bool cpu_list_next(const char **at, int *low, int *high);
