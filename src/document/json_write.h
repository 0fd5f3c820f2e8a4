/* Structs to JSON, by the table. */
#pragma once

#include "document/json_put.h"
#include "document/table.h"

/* `from`, which the table is of, inside `parent` (NULL: inside nothing). NULL: out of memory. */
json_t *json_of(const struct table *table, const void *from, const void *parent);
