/* What the other threads of a core are kept busy with. */
#pragma once

#include "machine/pinning.h"

struct siblings;

/* Those of the place's CPU do what it says; NULL: nothing. `cache_bytes`: of the largest cache.
 * Errors: UNABLE (there are none, or one cannot be bound), FAILED (memory). */
int siblings_open(const struct fathom_machine *machine, struct pinning_place place,
		  uint64_t cache_bytes, struct siblings **siblings, struct fathom_error *error);
/* What those of the CPU that stream go through, all of them together; 0: there are none. */
uint64_t siblings_streamed_bytes(const struct fathom_machine *machine, int cpu,
				 uint64_t cache_bytes);
/* They do nothing until it ends. Accepts NULL. */
void siblings_rest(struct siblings *siblings, bool rest);
/* Accepts NULL. */
void siblings_close(struct siblings *siblings);
