/* What disturbs a measurement while it runs, and what limits it before it starts. */
#ifndef MACHINE_QUIET_H
#define MACHINE_QUIET_H

#include "fathom.h"

/* Running totals of the calling thread and its CPU. A difference of two readings is a disturbance.
 */
struct disturbance {
	uint64_t switches;     /* involuntary context switches */
	uint64_t faults;       /* page faults, minor and major */
	uint64_t run_delay_ns; /* ready to run and not running (schedstat); 0: not known */
	uint64_t steal_ticks;  /* of the CPU, /proc/stat; 0: not known */
	int cpu;               /* where the thread is now */
	unsigned astray;       /* threads that are not on the CPU that they were bound to */
};

struct quiet; /* the open files */

/* For the calling thread, which is astray elsewhere if it is bound to that CPU alone by now:
 * somebody else has bound it anew. What cannot be opened stays 0 for ever. NULL: out of memory. */
struct quiet *quiet_open(int cpu);
void quiet_read(struct quiet *quiet, struct disturbance *now);
void quiet_close(struct quiet *quiet);

/* Appends what limits or disturbs a measurement on this machine: no PMU, THP off, steal, busy SMT
 * sibling, governor, NUMA balancing, reclaim daemons, few CPUs, ... each with the command that
 * lifts it. `root` as in machine.h. */
void quiet_find_conditions(const char *root, const struct fathom_machine *machine,
			   struct fathom_warnings *conditions);

#endif
