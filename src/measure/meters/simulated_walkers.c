#include "measure/meters/simulated_walkers.h"

#include <math.h>

#include "base/rng.h"

#define LARGE_BYTES ((uint64_t)2 << 20)

/* ---- what is in common ---- */

static void find_common(struct simulated_walkers *walkers, const struct simulated_spec *spec,
			const unsigned *threads)
{
	struct simulated_place a = simulated_cpus_place(spec, threads[0]);
	struct simulated_place b = simulated_cpus_place(spec, threads[1]);
	enum simulated_way way = simulated_cpus_way(&a, &b);
	for (size_t level = 0; level < spec->cache_count; level++) {
		bool shared = level > 0 && level + 1 == spec->cache_count;
		walkers->common[level] =
			way == SIMULATED_WAY_CORE || (shared && way == SIMULATED_WAY_CACHE);
	}
}

static void hand_over(struct simulated_walkers *walkers, size_t to)
{
	const struct simulated_memory *from = &walkers->memories[walkers->last];
	for (size_t level = 0; level < SIMULATED_LEVELS; level++)
		if (walkers->common[level])
			walkers->memories[to].caches[level] = from->caches[level];
	walkers->last = to;
}

int simulated_walkers_open(struct simulated_walkers *walkers, const struct simulated_spec *spec,
			   const unsigned *threads, size_t count, uint64_t bytes, uint64_t key,
			   struct fathom_error *error)
{
	uint64_t page_bytes = spec->huge_pages ? LARGE_BYTES : spec->base_page_bytes;
	int status = 0;
	*walkers = (struct simulated_walkers){.bytes = bytes};
	for (size_t i = 0; i < count && !status; i++) {
		struct simulated_memory *memory = &walkers->memories[i];
		status = simulated_memory_open(memory, spec, error);
		walkers->count += !status;
		walkers->orders[i] = permutation_make(bytes / spec->line_bytes, rng_mix(key, i));
		if (!status)
			status =
				simulated_memory_map(memory, count * bytes, page_bytes, key, error);
	}
	if (status) {
		simulated_walkers_close(walkers);
		return -1;
	}
	if (count > 1)
		find_common(walkers, spec, threads);
	for (size_t level = 0; level < SIMULATED_LEVELS; level++)
		if (walkers->common[level])
			simulated_cache_close(&walkers->memories[1].caches[level]);
	return 0;
}

void simulated_walkers_close(struct simulated_walkers *walkers)
{
	hand_over(walkers, 0);
	for (size_t level = 0; level < SIMULATED_LEVELS; level++)
		if (walkers->common[level])
			walkers->memories[1].caches[level] = (struct simulated_cache){0};
	for (size_t i = 0; i < walkers->count; i++)
		simulated_memory_close(&walkers->memories[i]);
	*walkers = (struct simulated_walkers){0};
}

/* ---- walking ---- */

static double hop(struct simulated_walkers *walkers, size_t who, uint64_t position)
{
	struct simulated_memory *memory = &walkers->memories[who];
	const struct permutation *order = &walkers->orders[who];
	uint64_t line = permutation_forward(order, position % order->count);
	if (who != walkers->last)
		hand_over(walkers, who);
	simulated_memory_load(memory, who * walkers->bytes + line * memory->spec.line_bytes);
	struct simulated_cost cost = simulated_memory_take_cost(memory);
	return cost.ns + cost.cycles / memory->spec.clock_hz * 1e9;
}

void simulated_walkers_walk(struct simulated_walkers *walkers, size_t active, uint64_t hops,
			    double *hop_ns, double *ns)
{
	uint64_t warm = CREW_WARM_LAPS * walkers->orders[0].count;
	uint64_t made[CREW_MOST_WALKERS] = {0};
	double now_ns[CREW_MOST_WALKERS] = {0}, start_ns[CREW_MOST_WALKERS] = {0};
	size_t who = 0;
	while (made[who] < warm + hops) {
		who = active > 1 && now_ns[1] < now_ns[0];
		now_ns[who] += hop(walkers, who, made[who]++);
		if (made[who] == warm)
			start_ns[who] = now_ns[who];
	}
	*ns = now_ns[who];
	for (size_t i = 0; i < active; i++)
		hop_ns[i] =
			made[i] > warm ? (now_ns[i] - start_ns[i]) / (double)(made[i] - warm) : NAN;
}
