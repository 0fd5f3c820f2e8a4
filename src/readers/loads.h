/* Latencies under load, by curve: what the readers of them have in common. */
#pragma once

#include "document/read_span.h"
#include "fathom.h"

/* Is the word somewhere in it? Upper and lower case of ASCII letters are the same. */
bool span_has(struct span span, const char *word);

/* Adds its share of reads, bandwidth and latency to the curve of that tool and that share of reads,
 * which is made where there is none. A value that is NAN is passed over, and counted in `skipped`.
 * Errors: BAD_INPUT (no such latency or bandwidth), FAILED. */
int loads_add(struct fathom_result *result, struct span tool, const struct fathom_load *load,
	      size_t line, size_t *skipped, struct fathom_error *error);
/* Warns of what was passed over. Errors: BAD_INPUT (nothing is left), FAILED. */
int loads_end(struct fathom_result *result, size_t skipped, struct fathom_error *error);
