/* Lists of the public structs, and others, that are a pointer and a count; and lists of CPUs as the
 * kernel writes them: "0-3,8". */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/text.h"

/* Appends a copy of the item to the list that `items` is the address of: &result->levels. -1: out
 * of memory, and the list is as before. */
int list_append(void *items, size_t *count, const void *item, size_t item_bytes);
#define LIST_APPEND(items, count, item) list_append(items, count, item, sizeof(*(item)))

#define CPU_LIST_MOST 8192 /* CPUs of a machine, as many as Linux can be built for (NR_CPUS) */

/* Adds these, which ascend. */
void cpu_list_add(struct text *text, const int *cpus, size_t count);
/* The next range, from which *at then goes on: *low to *high, both in it. false: the list ends
 * there (*at is at its zero), or what follows is no range of CPUs under CPU_LIST_MOST. */
bool cpu_list_next(const char **at, int *low, int *high);
