/* Where the members of a JSON object begin and end, without reading their values. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/text.h"

/* Adds the document to `text` with an empty list in place of the value of each of its own members
 * that is named in `names` (the last is NULL) and is a list. Only strings and brackets are looked
 * at. False: it is no object, or it ends before that is closed; *wrong says which. */
bool fleet_scan(const char *bytes, size_t length, const char *const *names, struct text *text,
		const char **wrong);
