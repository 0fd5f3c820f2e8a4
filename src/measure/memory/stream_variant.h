/* The fastest variant of a stream on this machine, vector width and shift, found by timing each
 * once for a spec. */
#pragma once

#include <stddef.h>

#include "fathom.h"
#include "kernels/kernels.h"

/* Distances are tried in steps of this, within a page: what lies above is up to the frames. */
#define STREAM_WAY_STEP_BYTES 512
#define STREAM_WAY_PAGE_BYTES 4096

struct stream_variant {
	uint32_t vector_bytes;
	uint64_t shift_bytes; /* of a copy: its target begins so many bytes behind whole pages after
				 its source */
};

/* Start from {0}. */
struct stream_variants {
	struct stream_variant_found *found; /* owned */
	size_t count;
};

/* One short run that variant, going on where the last one ended; returns its ns. */
typedef double stream_variant_run(void *context, const struct stream_variant *variant);

/* The loops of a pattern; NULL: this CPU has none of that width (0: of any). */
const struct kernel *stream_kernel(enum fathom_pattern pattern, uint32_t vector_bytes);

/* The variant of `spec`: the widest vectors (of the spec's vector_bytes, where that is not 0) and
 * no shift, unless another of both is more than 2 % faster. Shifts go up to `room_bytes`. What was
 * found once for the same pattern, size, page, width and threads is given again. A third of the
 * runs may be slowed down by any amount. This CPU has vectors of the width that is asked for.
 * Errors: FAILED (memory). */
int stream_variants_find(struct stream_variants *variants, const struct fathom_spec *spec,
			 uint64_t room_bytes, stream_variant_run *run, void *context,
			 struct stream_variant *variant, struct fathom_error *error);
/* Forgets all. */
void stream_variants_free(struct stream_variants *variants);
