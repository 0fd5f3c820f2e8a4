#include "base/quoted.h"

#include <math.h>

#define USUAL_BYTES     ((double)(1 << 30))
#define TIMES_THE_LAST  32
#define TIMES_AT_LEAST  4 /* memory's alone, nearly */
#define TIMES_REPORTED  4 /* a cache so much larger is not the one that the OS reports */
#define SHARE_OF_MEMORY 0.25
/* The most L3 that real machines have a thread, with a margin (a cache-rich server part that is
 * sold with one core a cluster). */
#define LARGEST_L3_PER_CPU_BYTES ((uint64_t)64 << 20)

bool quoted_is_credible(const struct fathom_machine *machine, const struct fathom_cache *cache)
{
	return !machine->hypervisor || cache->level < 3 ||
	       cache->size_bytes / LARGEST_L3_PER_CPU_BYTES < cache->shared_cpus;
}

/* The largest for data; *credible: all of them are. */
static double last_reported(const struct fathom_machine *machine, bool *credible)
{
	double last = 0;
	*credible = true;
	for (size_t i = 0; machine && i < machine->cache_count; i++) {
		const struct fathom_cache *cache = &machine->caches[i];
		if (cache->kind == FATHOM_CACHE_INSTRUCTION)
			continue;
		last = fmax(last, (double)cache->size_bytes);
		*credible &= quoted_is_credible(machine, cache);
	}
	return last;
}

static double most_bytes(const struct fathom_machine *machine)
{
	double most = INFINITY;
	if (machine && machine->memory_bytes)
		most = SHARE_OF_MEMORY * (double)machine->memory_bytes;
	if (machine && machine->limit_bytes)
		most = fmin(most, (double)machine->limit_bytes);
	return most;
}

uint64_t quoted_bytes(const struct fathom_machine *machine, double reach_bytes)
{
	bool credible;
	double last = last_reported(machine, &credible), wanted = USUAL_BYTES;
	double most = most_bytes(machine);
	if (reach_bytes > TIMES_REPORTED * last)
		last = reach_bytes;
	if (last > 0 && credible)
		wanted = fmin(TIMES_THE_LAST * last, fmax(USUAL_BYTES, TIMES_AT_LEAST * last));
	wanted = exp2(round(log2(wanted)));
	return (uint64_t)(wanted <= most ? wanted : exp2(floor(log2(fmax(1, most)))));
}
