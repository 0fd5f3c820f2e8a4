#include "measure/cores/sharing.h"

#include <math.h>

#include "base/rng.h"
#include "base/stats.h"

#define MORE_BLOCKS 3 /* than wanted, for those that are disturbed */
#define LEAST_HOPS  16384
#define LINE_BYTES  128 /* cycles are of whole lines of any machine */
#define LOOK_BLOCKS 3   /* to see whether there is a step */
/* A hop outside a cache over one inside: below it is noise, or translation. */
#define LEAST_STEP 1.25
/* Larger ones are looked for from below: to walk twice what a host has may take minutes. */
#define MOST_TAKEN_BYTES ((uint64_t)64 << 20)
#define PAST_THE_STEP    0.8  /* of the largest step: it will not grow again */
#define AS_LARGE         0.95 /* of the largest step */
#define MOST_INNER       0.3  /* of a cache: two threads have that twice, and cycles must not fit */

int sharing_walk(struct crew *crew, int cpu_a, int cpu_b, uint64_t bytes, size_t blocks,
		 uint64_t key, struct sharing_blocks *found, int *lost, struct fathom_error *error)
{
	const int cpus[] = {cpu_a, cpu_b};
	uint32_t count = cpu_b >= 0 ? 2 : 1;
	uint64_t lap = bytes / LINE_BYTES, hops = lap > LEAST_HOPS ? lap : LEAST_HOPS;
	int status = 0;
	size_t wanted = found->count + blocks;
	*lost = -1;
	if (crew->ops->seat(crew, cpus, count, lost, error))
		return -1;
	for (size_t i = 0; i < blocks + MORE_BLOCKS && found->count < wanted && !status; i++) {
		double hop_ns[CREW_MOST_WALKERS];
		enum crew_outcome outcome = CREW_DISTURBED;
		status = crew->ops->lay(crew, count, bytes, rng_mix(key, i), error);
		if (!status)
			status = crew->ops->walk(crew, count, hops, hop_ns, &outcome, error);
		if (!status && outcome == CREW_DONE && hop_ns[0] > 0)
			found->ns[found->count++] = hop_ns[0];
	}
	crew->ops->clear(crew);
	return status;
}

/* ---- the length of a cycle ---- */

static uint64_t whole(double bytes)
{
	return (uint64_t)(bytes / LINE_BYTES) * LINE_BYTES;
}

/* Median of a few; NAN: all are disturbed. */
static int look(struct crew *crew, int cpu, uint64_t bytes, uint64_t key, double *ns, int *lost,
		struct fathom_error *error)
{
	struct sharing_blocks blocks = {.count = 0};
	if (sharing_walk(crew, cpu, -1, bytes, LOOK_BLOCKS, rng_mix(key, bytes), &blocks, lost,
			 error))
		return -1;
	*ns = stats_median(blocks.ns, blocks.count);
	return 0;
}

/* Half octaves up, to the longest cycle at which twice as much takes most longer; the hops of the
 * length before the last are those of half as long a one. Where a walk was
 * always disturbed, longer ones would be, too. */
static int climb(struct pairs_run *run, int cpu, uint64_t inner_bytes, uint64_t to_bytes,
		 uint64_t key, struct sharing_cycle *cycle, int *lost, struct fathom_error *error)
{
	double from_bytes = inner_bytes ? 2.0 * (double)inner_bytes : (double)to_bytes / 16;
	double before_ns[2] = {NAN, NAN}, best = LEAST_STEP, ns = 0, next_s = 0;
	struct crew *crew = run->crew;
	for (double bytes = from_bytes; bytes <= 2.0 * (double)to_bytes && !isnan(ns);
	     bytes *= M_SQRT2) {
		double start_s = crew->ops->elapsed_s(crew);
		cycle->cut =
			!pairs_run_goes_on(run, "sharing", 1) || start_s + next_s > run->budget_s;
		if (cycle->cut)
			break;
		if (look(crew, cpu, whole(bytes), key, &ns, lost, error))
			return -1;
		next_s = M_SQRT2 * (crew->ops->elapsed_s(crew) - start_s);
		double step = ns / before_ns[0];
		if (step > fmax(LEAST_STEP, AS_LARGE * best)) {
			best = fmax(best, step);
			*cycle = (struct sharing_cycle){
				.bytes = whole(bytes / 2), .twice_ns = ns, .measured = true};
		} else if (cycle->measured && step < PAST_THE_STEP * best) {
			break;
		}
		before_ns[0] = before_ns[1];
		before_ns[1] = ns;
	}
	bool cut = cycle->cut, disturbed = isnan(ns);
	if (cut || disturbed || (double)inner_bytes > MOST_INNER * (double)cycle->bytes)
		*cycle = (struct sharing_cycle){.cut = cut, .disturbed = disturbed};
	return 0;
}

int sharing_find_cycle(struct pairs_run *run, int cpu, uint64_t inner_bytes, uint64_t size_bytes,
		       uint64_t key, struct sharing_cycle *cycle, int *lost,
		       struct fathom_error *error)
{
	double size = (double)size_bytes, inner = (double)inner_bytes;
	/* Two threads that have the cache before for themselves, where this one holds only what
	 * that one evicts, reach twice that more together: their cycles must not fit in all of it.
	 */
	uint64_t bytes = whole(inner > size / 16 ? size * 3 / 4 + inner / 2 : size * 2 / 3);
	double once_ns, twice_ns;
	*cycle = (struct sharing_cycle){0};
	if (inner <= MOST_INNER * size && size_bytes <= MOST_TAKEN_BYTES) {
		if (look(run->crew, cpu, bytes, key, &once_ns, lost, error) ||
		    look(run->crew, cpu, 2 * bytes, key, &twice_ns, lost, error))
			return -1;
		if (twice_ns / once_ns >= LEAST_STEP) {
			*cycle = (struct sharing_cycle){.bytes = bytes, .twice_ns = twice_ns};
			return 0;
		}
	}
	return climb(run, cpu, inner_bytes, size_bytes, key, cycle, lost, error);
}
