/* A chain in memory of its own, and how far it was walked. */
#pragma once

#include "measure/memory/buffer.h"
#include "measure/memory/chain.h"

/* Start from {0}. */
struct chain_place {
	struct buffer buffer;
	struct chain chain;
	struct kernel_work work;
	uint64_t position; /* hops since it was written: whoever walks adds them */
};

/* Maps and touches memory for the spec, and writes the chain; `line_bytes`, `key`: as for
 * chain_build. *obtained: its pages, read back. Returns 1 where the observer (NULL: none) stopped
 * it. Errors: as buffer_open. */
int chain_place_open(struct chain_place *place, const struct fathom_machine *machine,
		     struct pinning_place where, const struct fathom_spec *spec,
		     uint64_t line_bytes, uint64_t key, const struct fathom_observer *observer,
		     struct pages_obtained *obtained, struct fathom_error *error);
/* Is the cursor where so many hops lead? */
bool chain_place_arrived(const struct chain_place *place);
void chain_place_close(struct chain_place *place);
