/* Lists of the public structs, and others, that are a pointer and a count. */
#pragma once

#include <stddef.h>

/* Appends a copy of the item to the list that `items` is the address of: &result->levels. -1: out
 * of memory, and the list is as before. */
int list_append(void *items, size_t *count, const void *item, size_t item_bytes);
#define LIST_APPEND(items, count, item) list_append(items, count, item, sizeof(*(item)))
