#include "model/checks/misses.h"

/* Of an access to memory. In the surveys of corpus/documents no miss of a TLB takes over 0.06 of
 * it. */
#define MOST_SHARE (1 / 3.0)

bool misses_are_doubtful(const struct fathom_result *result, const struct fathom_tlb *tlb)
{
	for (size_t i = 0; i < result->level_count; i++)
		if (result->levels[i].kind == FATHOM_LEVEL_MEMORY)
			return tlb->penalty_ns > MOST_SHARE * result->levels[i].latency_ns;
	return false;
}
