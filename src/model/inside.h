/* A size to measure a level at: one whose accesses hardly any other level serves. */
#ifndef MODEL_INSIDE_H
#define MODEL_INSIDE_H

#include "fathom.h"

/* Such a size inside each cache of result->levels whose end was seen, and one for memory, in the
 * order of the levels: four times the cache before where that is well inside, else half-way, by
 * ratio, between the two; of memory the size that its latency is of, but not more than
 * `most_bytes`. *levels[i] is the level of sizes_bytes[i]. At most `most`; how many: 0 where no
 * level was found. */
size_t inside_sizes(const struct fathom_result *result, uint64_t most_bytes, uint64_t *sizes_bytes,
		    const struct fathom_level **levels, size_t most);

#endif
