#include "simulate/simulated_coherence.h"

#include <math.h>

/* A hand-over is two requests, of who writes and of who reads, and a request is three messages: to
 * the directory, on to the owner, and from there back. */
#define REQUESTS 2
#define MESSAGES 3

/* Of the messages of a request one way, `near`, leads to a directory beside the one who asks, or
 * beside the owner, so that times of hand-overs are as in the text if the home is with one of the
 * two. Sockets and dies of one node share a directory, which is equally far from both. */
static void price_messages(struct simulated_coherence *coherence)
{
	const struct simulated_spec *spec = coherence->spec;
	double *message_ns = coherence->message_ns;
	bool shared = spec->nodes < spec->topology.sockets * spec->topology.dies;
	for (int way = 0; way < SIMULATED_WAYS; way++)
		message_ns[way] = spec->handover_ns[way] / REQUESTS / MESSAGES;
	double near_ns = message_ns[SIMULATED_WAY_DIE];
	for (int way = SIMULATED_WAY_SOCKET; way < SIMULATED_WAYS; way++) {
		double request_ns = spec->handover_ns[way] / REQUESTS;
		message_ns[way] = way == SIMULATED_WAY_SOCKET && shared
					  ? request_ns - 2 * near_ns
					  : (request_ns - near_ns) / 2;
	}
}

static double draw_pause_ns(struct simulated_coherence *coherence)
{
	return -coherence->spec->move_ns * log(1 - rng_unit(&coherence->moves));
}

struct simulated_coherence simulated_coherence_make(const struct simulated_spec *spec)
{
	struct simulated_coherence coherence = {
		.spec = spec,
		.moves = rng_make(rng_mix(spec->seed, 104)),
	};
	for (unsigned cpu = 0; cpu < spec->cpus; cpu++)
		coherence.thread_of[cpu] = simulated_cpus_thread(spec, cpu);
	price_messages(&coherence);
	coherence.next_move_ns = draw_pause_ns(&coherence);
	return coherence;
}

struct simulated_line simulated_coherence_line(const struct simulated_coherence *coherence,
					       unsigned home_cpu, struct rng *rng)
{
	struct simulated_place home =
		simulated_cpus_place(coherence->spec, coherence->thread_of[home_cpu]);
	return (struct simulated_line){
		.node = home.node,
		.slice = rng_unit(rng),
		.owner = -1,
		.last = -1,
	};
}

/* ---- how far ---- */

/* 0..1: how much of half the ring is between the core and the slice. */
static double ring_share(const struct simulated_spec *spec, unsigned core, double slice)
{
	double stops = (double)spec->topology.cores;
	double apart = fabs((double)(core % spec->topology.cores) / stops - slice);
	return 2 * fmin(apart, 1 - apart);
}

/* 1 in the mean. */
static double spread(const struct simulated_spec *spec, double share)
{
	return 1 + spec->slices * (share - 0.5);
}

/* To the directory of the line's node. */
static double home_ns(const struct simulated_coherence *coherence,
		      const struct simulated_place *place, const struct simulated_line *line)
{
	const struct simulated_spec *spec = coherence->spec;
	uint64_t nodes_a_socket = spec->nodes / spec->topology.sockets;
	if (place->node == line->node)
		return coherence->message_ns[SIMULATED_WAY_DIE];
	return coherence
		->message_ns[place->socket == line->node / nodes_a_socket ? SIMULATED_WAY_SOCKET
									  : SIMULATED_WAY_OTHER];
}

/* Of a request of one core for the line that another one has. */
static double request_ns(const struct simulated_coherence *coherence,
			 const struct simulated_line *line, const struct simulated_place *from,
			 const struct simulated_place *to)
{
	const struct simulated_spec *spec = coherence->spec;
	enum simulated_way way = simulated_cpus_way(from, to);
	if (way == SIMULATED_WAY_CACHE)
		return coherence->message_ns[way] *
		       (spread(spec, ring_share(spec, from->core, line->slice)) +
			spread(spec, ring_share(spec, to->core, line->slice)) + 1);
	return spread(spec, line->slice) *
	       (home_ns(coherence, from, line) + home_ns(coherence, to, line) +
		coherence->message_ns[way]);
}

/* ---- the protocol ---- */

static bool has(const struct simulated_line *line, unsigned core)
{
	return line->sharers[core / 64] >> core % 64 & 1;
}

static void give(struct simulated_line *line, unsigned core)
{
	line->sharers[core / 64] |= (uint64_t)1 << core % 64;
}

/* The farthest core that has it: all others must give it up before it can be written. */
static double invalidate_ns(const struct simulated_coherence *coherence,
			    const struct simulated_line *line, const struct simulated_place *from)
{
	const struct simulated_spec *spec = coherence->spec;
	double longest_ns = 0;
	for (unsigned word = 0; word < SIMULATED_MOST_CPUS / 64; word++)
		for (uint64_t left = line->sharers[word]; left; left &= left - 1) {
			unsigned core = 64 * word + (unsigned)__builtin_ctzll(left);
			struct simulated_place to =
				simulated_cpus_place(spec, core * (unsigned)spec->topology.threads);
			if (core != from->core)
				longest_ns =
					fmax(longest_ns, request_ns(coherence, line, from, &to));
		}
	return longest_ns;
}

/* Whoever has it nearest sends it; memory, where nobody has. */
static double fetch_ns(const struct simulated_coherence *coherence,
		       const struct simulated_line *line, const struct simulated_place *from)
{
	const struct simulated_spec *spec = coherence->spec;
	double shortest_ns = INFINITY;
	for (unsigned word = 0; word < SIMULATED_MOST_CPUS / 64; word++)
		for (uint64_t left = line->sharers[word]; left; left &= left - 1) {
			unsigned core = 64 * word + (unsigned)__builtin_ctzll(left);
			struct simulated_place to =
				simulated_cpus_place(spec, core * (unsigned)spec->topology.threads);
			shortest_ns = fmin(shortest_ns, request_ns(coherence, line, from, &to));
		}
	if (shortest_ns < INFINITY)
		return shortest_ns;
	return spec->memory_cost.ns + spec->memory_cost.cycles / spec->clock_hz * 1e9 +
	       2 * home_ns(coherence, from, line);
}

double simulated_coherence_access(const struct simulated_coherence *coherence,
				  struct simulated_line *line, unsigned cpu,
				  enum simulated_access access, double now_ns)
{
	const struct simulated_spec *spec = coherence->spec;
	const struct simulated_cost *hit = &spec->caches[0].cost, *lock = &spec->lock_cost;
	double cycle_ns = 1e9 / spec->clock_hz;
	unsigned thread = coherence->thread_of[cpu];
	struct simulated_place from = simulated_cpus_place(spec, thread);
	bool writes = access != SIMULATED_LOAD;
	bool is_here = has(line, from.core);
	double ns = hit->ns + hit->cycles * cycle_ns;
	double start_ns = now_ns;
	if (is_here && line->last >= 0 && (unsigned)line->last != thread &&
	    (unsigned)line->last / spec->topology.threads == from.core)
		ns = fmax(ns, spec->handover_ns[SIMULATED_WAY_CORE] - ns);
	bool asks = writes ? line->owner != (int)from.core : !is_here;
	if (asks) {
		start_ns = fmax(now_ns, line->free_ns);
		ns = writes && is_here ? invalidate_ns(coherence, line, &from)
				       : fetch_ns(coherence, line, &from);
		line->free_ns = start_ns + ns;
	}
	if (access == SIMULATED_ATOMIC)
		ns += (lock->ns + lock->cycles * cycle_ns) / 2; /* one of two such accesses */
	if (writes && asks)
		for (unsigned word = 0; word < SIMULATED_MOST_CPUS / 64; word++)
			line->sharers[word] = 0;
	give(line, from.core);
	if (asks)
		line->owner = writes ? (int)from.core : -1;
	line->last = (int)thread;
	return start_ns + ns;
}

/* ---- CPUs that move ---- */

void simulated_coherence_pass(struct simulated_coherence *coherence, double now_ns)
{
	while (coherence->spec->move_ns > 0 && coherence->next_move_ns <= now_ns) {
		unsigned a = (unsigned)rng_below(&coherence->moves, coherence->spec->cpus);
		unsigned b = (unsigned)rng_below(&coherence->moves, coherence->spec->cpus);
		unsigned thread = coherence->thread_of[a];
		coherence->thread_of[a] = coherence->thread_of[b];
		coherence->thread_of[b] = thread;
		coherence->next_move_ns += draw_pause_ns(coherence);
	}
}
