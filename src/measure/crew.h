/* What several threads do at once, each on a CPU that was stated: the hardware, or a simulated
 * machine. Whatever measures between CPUs knows this interface alone.
 *
 * An operation is a function of struct crew_ops, in meters/crew_hardware.c and crew_simulated.c. To
 * add one: on the hardware its loop is in kernels/, each member's part a task of the team
 * (sampling/team.h) that notes what it found; on a simulated machine the members' accesses are made
 * in the order of their times (simulate/simulated_coherence.h), and the time goes through
 * pass_time(). */
#pragma once

#include "fathom.h"

enum crew_outcome {
	CREW_DONE,
	CREW_DISTURBED, /* a member was preempted, away or waited for too long: no time is known */
};

/* Members that go for words at the same time, one operation after the other. */
struct crew_contention {
	enum fathom_operation operation;
	enum fathom_layout layout;
	double ns; /* how long */
};

#define CREW_LINE_WORDS      8 /* of a line, of FATHOM_LAYOUT_OWN_WORDS */
#define CREW_MOST_WALKERS    2
#define CREW_MOST_CONTENDERS 128
#define CREW_WARM_LAPS       2 /* of a cycle, before a walk is timed */

struct crew {
	const struct crew_ops *ops;
	double shortest_run_ns; /* a timed run should last at least this long */
};

struct crew_ops {
	/* Puts member i on cpus[i]; the calling thread is member 0. Errors: UNABLE (that CPU may
	 * not be used, or no thread be bound; *lost, which may be NULL, is the CPU then), FAILED.
	 */
	int (*seat)(struct crew *crew, const int *cpus, uint32_t count, int *lost,
		    struct fathom_error *error);
	/* `count` lines in place of those before, each at a random place in a page of its own that
	 * was mapped anew and that a thread on that CPU touched first. Members stay seated. Errors:
	 * as seat. */
	int (*place)(struct crew *crew, int home_cpu, uint32_t count, uint64_t key, int *lost,
		     struct fathom_error *error);
	/* Members 0 and 1 hand the line to each other; of one member alone it takes both sides.
	 * *ns: of so many round trips, after a few that are not timed. */
	enum crew_outcome (*exchange)(struct crew *crew, enum fathom_handover how, uint32_t line,
				      uint64_t rounds, double *ns);
	/* All that are seated, CREW_MOST_CONTENDERS at most, contend for what->ns. op_ns[i]: the
	 * mean of member i's operations, NAN where it made none. Errors: FAILED. */
	int (*contend)(struct crew *crew, const struct crew_contention *what, uint64_t key,
		       double *op_ns, enum crew_outcome *outcome, struct fathom_error *error);
	/* A random cycle through all lines of `bytes` for each of the first `count` members, at
	 * most CREW_MOST_WALKERS, which touch them first; on large pages where there are some. In
	 * place of those before; members stay seated until they have walked. Errors: FAILED,
	 * UNABLE. */
	int (*lay)(struct crew *crew, uint32_t count, uint64_t bytes, uint64_t key,
		   struct fathom_error *error);
	/* The first `count` walk their cycles at once: CREW_WARM_LAPS, then until one has made
	 * `hops` more. hop_ns[i]: of each a hop, while all walked. Once after each lay. Errors:
	 * FAILED (one did not arrive where it must). */
	int (*walk)(struct crew *crew, uint32_t count, uint64_t hops, double *hop_ns,
		    enum crew_outcome *outcome, struct fathom_error *error);
	/* Gives back what was laid. */
	void (*clear)(struct crew *crew);
	/* Seconds since the crew was opened, on its own time. */
	double (*elapsed_s)(struct crew *crew);
	/* The calling thread may be on any of the machine's CPUs again. */
	void (*close)(struct crew *crew);
};

#define CREW_MOST_LINES 64

/* Up to `most` members. The machine must outlive the crew. Errors: FAILED. */
int crew_open(const struct fathom_machine *machine, uint32_t most, struct crew **crew,
	      struct fathom_error *error);
