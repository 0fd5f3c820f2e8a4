/* Arithmetic and rules of one spec. */
#ifndef MEASURE_SPEC_H
#define MEASURE_SPEC_H

#include "fathom.h"

/* 2^32 words of 4 bytes: as far as indexes of 32 bits reach. */
#define SPEC_INDEX_SPAN_BYTES (1ull << 34)

/* Is it something that can be measured? Errors: USAGE, naming the field. */
int spec_check(const struct fathom_spec *spec, struct fathom_error *error);
uint64_t spec_nodes(const struct fathom_spec *spec);
/* Accesses in a lap. */
uint64_t spec_accesses(const struct fathom_spec *spec);
/* What has to be mapped: the span, and behind it the array of FATHOM_INDEX_ARRAY, from
 * spec_index_offset on. */
uint64_t spec_memory_bytes(const struct fathom_spec *spec);
uint64_t spec_index_offset(const struct fathom_spec *spec);
/* Distinct lines of `line_bytes` that a lap touches. */
uint64_t spec_lines_touched(const struct fathom_spec *spec, uint64_t line_bytes);

#endif
