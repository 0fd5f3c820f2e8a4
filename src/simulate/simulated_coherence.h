/* Lines on their way between the cores of a simulated machine: a directory protocol with the states
 * modified, exclusive, shared and invalid (MESI), in which the owner of a line forwards it. Each
 * core has a cache that holds all lines which it was given; the caches that cores share, and
 * memory, only tell how far messages have to go. */
#pragma once

#include "base/rng.h"
#include "simulate/simulated_cpus.h"

enum simulated_access {
	SIMULATED_LOAD,
	SIMULATED_STORE,
	SIMULATED_ATOMIC /* reads and writes at once: a store that takes `lock` more */
};

struct simulated_line {
	unsigned node; /* whose directory knows it */
	double slice;  /* 0..1, by the hash of its address: where in a cache, and in the fabric */
	int owner;     /* the core that has it modified or exclusive; -1: none */
	int last;      /* the hardware thread that touched it last; -1: none */
	uint64_t sharers[SIMULATED_MOST_CPUS / 64]; /* cores that have it */
	double free_ns; /* when the directory has ended what it was asked before */
};

struct simulated_coherence {
	const struct simulated_spec *spec;       /* stays the caller's */
	unsigned thread_of[SIMULATED_MOST_CPUS]; /* where each CPU is now */
	double message_ns[SIMULATED_WAYS];       /* one of the three of a request */
	double next_move_ns;
	struct rng moves;
};

struct simulated_coherence simulated_coherence_make(const struct simulated_spec *spec);

/* A line that nobody has, in the memory of the node on which the CPU is now. */
struct simulated_line simulated_coherence_line(const struct simulated_coherence *coherence,
					       unsigned home_cpu, struct rng *rng);
/* The CPU accesses the line at that time; returns when it is done. One request of a line is served
 * at a time, in the order of calls: these come in the order of their times. */
double simulated_coherence_access(const struct simulated_coherence *coherence,
				  struct simulated_line *line, unsigned cpu,
				  enum simulated_access access, double now_ns);
/* Where CPUs are not pinned, some have changed places until then. */
void simulated_coherence_pass(struct simulated_coherence *coherence, double now_ns);
