#include "measure/meters/hardware_walkers.h"

#include <math.h>

#include "base/error.h"
#include "base/rng.h"
#include "base/stopwatch.h"
#include "machine/pages.h"
#include "machine/pinning.h"
#include "measure/memory/chain_kernel.h"

#define NODE_BYTES  64
#define LAP_CHUNKS  8    /* of a lap, between two looks at who is done */
#define LEAST_CHUNK 4096 /* hops, some us */

static void lay(void *own)
{
	struct walker *walker = own;
	struct hardware_walkers *all = walker->all;
	const struct fathom_spec spec = {
		.size_bytes = all->bytes,
		.node_bytes = NODE_BYTES,
		.lanes = 1,
		.threads = 1,
		.pattern = FATHOM_RANDOM_CYCLE,
		.link = FATHOM_LINK_POINTER,
	};
	walker->status = buffer_populate(&walker->buffer, all->bytes, &walker->error);
	if (walker->status == 0)
		chain_build(&walker->chain, &spec, walker->buffer.memory, NODE_BYTES,
			    rng_mix(all->key, (uint64_t)(walker - all->members)));
}

int hardware_walkers_open(struct hardware_walkers *all, const int *cpus, uint32_t count,
			  uint64_t bytes, uint64_t key, struct fathom_error *error)
{
	static const struct team_task task = {.before = lay};
	bool large = pages_check(all->machine, FATHOM_PAGE_THP, bytes, NULL) == 0;
	void *own[CREW_MOST_WALKERS];
	int status = 0;
	hardware_walkers_close(all);
	all->bytes = bytes;
	all->key = key;
	if (count * bytes > all->machine->limit_bytes)
		return error_set(error, FATHOM_UNABLE, "'fathom info' says what limits memory",
				 "the cycles are larger than the memory available here");
	for (uint32_t i = 0; i < count && !status; i++) {
		struct walker *walker = &all->members[i];
		const struct pinning_place place = {.cpu = cpus[i], .node = -1};
		*walker = (struct walker){.all = all, .cpu = cpus[i]};
		own[i] = walker;
		status = buffer_open(&walker->buffer, all->machine,
				     large ? FATHOM_PAGE_THP : FATHOM_PAGE_DEFAULT, bytes, place,
				     error);
	}
	if (status)
		return -1;
	team_run(all->team, count, &task, own);
	for (uint32_t i = 0; i < count; i++)
		if (all->members[i].status)
			return error_set(error, all->members[i].error.status,
					 all->members[i].error.hint, "%s",
					 all->members[i].error.text);
	return 0;
}

static void walk(void *own)
{
	struct walker *walker = own;
	struct hardware_walkers *all = walker->all;
	const struct chain *chain = &walker->chain;
	const struct kernel *kernel = chain_kernel(&chain->spec);
	struct kernel_work work = chain_work(chain);
	uint64_t warm = CREW_WARM_LAPS * chain->nodes, made = 0, start_ns = 0, begun = 0;
	uint64_t chunk = chain->nodes / LAP_CHUNKS;
	chunk = chunk > LEAST_CHUNK ? chunk : LEAST_CHUNK;
	while (!atomic_load_explicit(&all->done, memory_order_relaxed)) {
		chain_walk(chain, kernel, &work, chunk);
		made += chunk;
		if (!start_ns && made >= warm) {
			start_ns = stopwatch_now_ns();
			begun = made;
		}
		if (made >= warm + all->hops && made > begun)
			atomic_store_explicit(&all->done, true, memory_order_relaxed);
	}
	walker->hops = made - begun;
	walker->ns = (double)(stopwatch_now_ns() - start_ns);
	walker->through = start_ns && walker->hops;
	walker->proven = work.cursor == chain_cursor_at(chain, made);
	walker->away = pinning_current_cpu() != walker->cpu;
}

int hardware_walkers_walk(struct hardware_walkers *all, uint32_t count, uint64_t hops,
			  double *hop_ns, bool *steady, struct fathom_error *error)
{
	static const struct team_task task = {.work = walk};
	void *own[CREW_MOST_WALKERS];
	bool proven = true;
	*steady = true;
	all->hops = hops;
	atomic_store(&all->done, false);
	for (uint32_t i = 0; i < count; i++)
		own[i] = &all->members[i];
	team_run(all->team, count, &task, own);
	for (uint32_t i = 0; i < count; i++) {
		const struct walker *walker = &all->members[i];
		hop_ns[i] = walker->through ? walker->ns / (double)walker->hops : NAN;
		*steady &= !walker->away;
		proven &= walker->proven;
	}
	return proven ? 0
		      : error_set(error, FATHOM_FAILED, NULL,
				  "a cycle did not arrive where it must");
}

void hardware_walkers_close(struct hardware_walkers *all)
{
	for (int i = 0; i < CREW_MOST_WALKERS; i++) {
		buffer_close(&all->members[i].buffer);
		fathom_error_clear(&all->members[i].error);
		all->members[i] = (struct walker){0};
	}
}
