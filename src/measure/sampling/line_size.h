/* The machine's line size, measured: the smallest distance at which the second of two words in a
 * node that is not in the first-level cache is no longer there together with the first. */
#pragma once

#include "measure/meter.h"

/* The span that it needs: the meter's capacity must be as large. */
#define LINE_SPAN_BYTES (1u << 20)

/* *line_bytes: 16 to 512, or 0 where it could not be determined (no step that stands out, or
 * another one each time). A busy machine hides steps and shows others: what differs from
 * `reported_bytes` has to be found in three of five tries; in two, where nothing is reported (0).
 * Errors: as the meter's. */
int line_size_measure(struct meter *meter, enum fathom_page page, uint64_t seed,
		      uint64_t reported_bytes, uint64_t *line_bytes, struct fathom_error *error);
