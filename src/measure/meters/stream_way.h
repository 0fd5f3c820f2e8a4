/* How a stream goes fastest on this machine: found out by trying, once for each spec. */
#ifndef MEASURE_METERS_STREAM_WAY_H
#define MEASURE_METERS_STREAM_WAY_H

#include <stddef.h>

#include "fathom.h"

/* Distances are tried in steps of this, within a page: what lies above is up to the frames. */
#define STREAM_WAY_STEP_BYTES 512
#define STREAM_WAY_PAGE_BYTES 4096

struct stream_way {
	uint32_t vector_bytes;
	uint64_t shift_bytes; /* of a copy: its target begins so many bytes behind whole pages after
				 its source */
};

/* Start from {0}. */
struct stream_ways {
	struct stream_way_found *found; /* owned */
	size_t count, capacity;
};

/* One short run that way, going on where the last one ended; returns its ns. */
typedef double stream_way_run(void *context, const struct stream_way *way);

/* The way of `spec`: the widest vectors (of the spec's vector_bytes, where that is not 0) and no
 * shift, unless another of both is more than 2 % faster. Shifts go up to `room_bytes`. What was
 * found once for the same pattern, size, page, width and threads is given again. A third of the
 * runs may be slowed down by any amount. This CPU has vectors of the width that is asked for.
 * Errors: FAILED (memory). */
int stream_ways_find(struct stream_ways *ways, const struct fathom_spec *spec, uint64_t room_bytes,
		     stream_way_run *run, void *context, struct stream_way *way,
		     struct fathom_error *error);
/* Forgets all. */
void stream_ways_free(struct stream_ways *ways);

#endif
