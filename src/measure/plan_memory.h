/* How much memory a plan takes. */
#ifndef MEASURE_PLAN_MEMORY_H
#define MEASURE_PLAN_MEMORY_H

#include "fathom.h"

struct plan_memory {
	uint64_t needed_bytes;   /* all that there is at the same time: its spans */
	uint64_t streamed_bytes; /* of these, by streams, of all threads */
	uint64_t mapped_bytes;   /* for all of it, room to move included */
};

struct plan_memory plan_memory(const struct fathom_plan *plan,
			       const struct fathom_machine *machine);
/* The span of the largest chain or stream. */
uint64_t plan_largest_bytes(const struct fathom_plan *plan);

#endif
