/* How much memory a plan takes. */
#pragma once

#include "fathom.h"

struct plan_memory {
	/* What is mapped for chains on pages of each kind, room to move included; 0: there are
	 * none. What can be had beyond the spans is shared out between them. */
	uint64_t chains_bytes[FATHOM_PAGE_UNKNOWN];
	uint64_t needed_bytes;   /* all that there is at the same time: whole pages of its spans */
	uint64_t streamed_bytes; /* of these, by streams, of all threads */
	uint64_t sibling_bytes;  /* of these, by the core's other threads, where they stream */
	uint64_t at_once_bytes;  /* of these, what other CPUs touch meanwhile */
	uint64_t mapped_bytes;   /* for all of it, room to move included: over the machine's limit
				  * only where what is needed is */
};

struct plan_memory plan_memory(const struct fathom_plan *plan,
			       const struct fathom_machine *machine);
/* Is that cache one for several cores? */
bool plan_is_shared(const struct fathom_machine *machine, const struct fathom_cache *cache);
/* The largest cache that a core has for itself, as the OS tells; 0: it tells of none. */
uint64_t plan_private_bytes(const struct fathom_machine *machine);
/* Of a plan of FATHOM_LOADED what each CPU makes its traffic in: those that make it together as
 * much as the chain has, and each past the caches of its core. */
uint64_t plan_traffic_bytes(const struct fathom_plan *plan, const struct fathom_machine *machine);
/* The span of the largest chain or stream. */
uint64_t plan_largest_bytes(const struct fathom_plan *plan);
