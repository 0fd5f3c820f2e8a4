#include "simulate/simulated_cpus.h"

#include "base/error.h"

#define SHUFFLE 0.618 /* of the CPUs: neighbours are far apart */

static uint64_t product(const struct simulated_topology *topology)
{
	return topology->sockets * topology->dies * topology->caches * topology->cores *
	       topology->threads;
}

static uint64_t cache_count(const struct simulated_topology *topology)
{
	return topology->sockets * topology->dies * topology->caches;
}

/* ---- places ---- */

static uint64_t common_divisor(uint64_t a, uint64_t b)
{
	while (b) {
		uint64_t rest = a % b;
		a = b;
		b = rest;
	}
	return a;
}

static uint64_t shuffle_step(uint64_t cpus)
{
	uint64_t step = (uint64_t)(SHUFFLE * (double)cpus);
	while (step < 1 || common_divisor(step, cpus) > 1)
		step++;
	return step;
}

unsigned simulated_cpus_thread(const struct simulated_spec *spec, unsigned cpu)
{
	uint64_t threads = spec->topology.threads, cores = spec->cpus / threads;
	switch (spec->numbering) {
	case SIMULATED_BY_CORE:
		return cpu;
	case SIMULATED_SHUFFLED:
		return (unsigned)(cpu * shuffle_step(spec->cpus) % spec->cpus);
	default:
		return (unsigned)(cpu % cores * threads + cpu / cores);
	}
}

static struct simulated_place place_in(const struct simulated_topology *topology, uint64_t nodes,
				       unsigned thread)
{
	unsigned core = thread / (unsigned)topology->threads;
	unsigned cache = core / (unsigned)topology->cores;
	unsigned die = cache / (unsigned)topology->caches;
	return (struct simulated_place){
		.core = core,
		.cache = cache,
		.die = die,
		.socket = die / (unsigned)topology->dies,
		.node = (unsigned)(cache * nodes / cache_count(topology)),
	};
}

struct simulated_place simulated_cpus_place(const struct simulated_spec *spec, unsigned thread)
{
	return place_in(&spec->topology, spec->nodes, thread);
}

enum simulated_way simulated_cpus_way(const struct simulated_place *a,
				      const struct simulated_place *b)
{
	if (a->core == b->core)
		return SIMULATED_WAY_CORE;
	if (a->cache == b->cache)
		return SIMULATED_WAY_CACHE;
	if (a->die == b->die)
		return SIMULATED_WAY_DIE;
	return a->socket == b->socket ? SIMULATED_WAY_SOCKET : SIMULATED_WAY_OTHER;
}

/* ---- what may be used ---- */

bool simulated_cpus_has(const struct simulated_cpu_set *set, unsigned cpu)
{
	return set->words[cpu / 64] >> cpu % 64 & 1;
}

bool simulated_cpus_usable(const struct simulated_spec *spec, unsigned cpu, double now_ns)
{
	return cpu < spec->cpus && !simulated_cpus_has(&spec->offline, cpu) &&
	       (now_ns < spec->lost_ns || !simulated_cpus_has(&spec->lost, cpu));
}

/* ---- what the OS claims ---- */

/* As Linux numbers them on bare metal, or, of a topology that is made up, as QEMU does: the threads
 * of a core beside each other. Dies are reported where a socket has several. */
struct fathom_cpu simulated_cpus_claimed(const struct simulated_spec *spec, unsigned cpu)
{
	bool truth = !spec->os_topology.sockets;
	const struct simulated_topology *topology = truth ? &spec->topology : &spec->os_topology;
	struct simulated_place place =
		place_in(topology, spec->nodes, truth ? simulated_cpus_thread(spec, cpu) : cpu);
	return (struct fathom_cpu){
		.cpu = (int)cpu,
		.core = (int)place.core,
		.cache = (int)place.cache,
		.die = topology->dies > 1 ? (int)place.die : -1,
		.socket = (int)place.socket,
		.node = (int)simulated_cpus_place(spec, simulated_cpus_thread(spec, cpu)).node,
	};
}

/* ---- the text ---- */

static bool is_beyond(const struct simulated_cpu_set *set, uint64_t cpus)
{
	for (unsigned cpu = (unsigned)cpus; cpu < SIMULATED_MOST_CPUS; cpu++)
		if (simulated_cpus_has(set, cpu))
			return true;
	return false;
}

static int refuse(struct fathom_error *error, const char *key, const char *reason)
{
	return error_set(error, FATHOM_BAD_INPUT,
			 "docs/simulated-machines.md has the keys of CPUs and nodes",
			 "simulated machine: '%s' %s", key, reason);
}

int simulated_cpus_finish(struct simulated_spec *spec, struct fathom_error *error)
{
	spec->cpus = product(&spec->topology);
	if (!spec->nodes)
		spec->nodes = spec->topology.sockets;
	if (spec->os_topology.sockets && product(&spec->os_topology) != spec->cpus)
		return refuse(error, "os_cpus", "has another number of CPUs than 'cpus'");
	if (spec->nodes % spec->topology.sockets || cache_count(&spec->topology) % spec->nodes)
		return refuse(error, "nodes", "do not divide the sockets and their caches evenly");
	if (is_beyond(&spec->offline, spec->cpus) || is_beyond(&spec->lost, spec->cpus))
		return refuse(error, "offline' or 'lost", "names a CPU that is not there");
	for (unsigned cpu = 0; cpu < spec->cpus; cpu++)
		if (simulated_cpus_usable(spec, cpu, 0))
			return 0;
	return refuse(error, "offline", "leaves no CPU");
}
