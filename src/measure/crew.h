/* What several threads do at once, each on a CPU that was stated: the hardware, or a simulated
 * machine. Whatever measures between CPUs knows this interface alone.
 *
 * An operation is a function of struct crew_ops, in meters/crew_hardware.c and crew_simulated.c. To
 * add one, of n members that add to words, or that walk chains: on the hardware its loop is in
 * kernels/, each member's part a task of the team (sampling/team.h) that notes what it found in its
 * seat; on a simulated machine the members' accesses are made in the order of their times
 * (simulate/simulated_coherence.h), and the time goes through pass_time(). */
#pragma once

#include "fathom.h"

enum crew_outcome {
	CREW_DONE,
	CREW_DISTURBED, /* a member was preempted, away or waited for too long: no time is known */
};

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
	int (*place)(struct crew *crew, int home_cpu, uint32_t count, uint64_t key,
		     struct fathom_error *error);
	/* Members 0 and 1 hand the line to each other; of one member alone it takes both sides.
	 * *ns: of so many round trips, after a few that are not timed. */
	enum crew_outcome (*exchange)(struct crew *crew, enum fathom_handover how, uint32_t line,
				      uint64_t rounds, double *ns);
	/* Seconds since the crew was opened, on its own time. */
	double (*elapsed_s)(struct crew *crew);
	/* The calling thread may be on any of the machine's CPUs again. */
	void (*close)(struct crew *crew);
};

#define CREW_MOST_LINES 64

/* Up to `most` members. The machine must outlive the crew. Errors: FAILED. */
int crew_open(const struct fathom_machine *machine, uint32_t most, struct crew **crew,
	      struct fathom_error *error);
