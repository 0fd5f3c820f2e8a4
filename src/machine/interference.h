/* Counters of what interferes with a measurement while it runs: preemption, page faults, steal,
 * migrations. */
#pragma once

#include "fathom.h"

/* Running totals of the calling thread and its CPU. The difference of two is the interference in
 * between. */
struct interference {
	uint64_t switches;     /* involuntary context switches */
	uint64_t faults;       /* page faults, minor and major */
	uint64_t run_delay_ns; /* ready to run and not running (schedstat); 0: not known */
	uint64_t steal_ticks;  /* of the CPU, /proc/stat; 0: not known */
	int cpu;               /* where the thread is now */
	unsigned astray;       /* threads that are not on the CPU that they were bound to */
};

struct interference_counters; /* the open files */

/* For the calling thread, which is astray elsewhere if it is bound to that CPU alone by now:
 * somebody else has bound it anew. What cannot be opened stays 0 for ever. NULL: out of memory. */
struct interference_counters *interference_open(int cpu);
void interference_read(struct interference_counters *counters, struct interference *now);
void interference_close(struct interference_counters *counters);
/* Interrupts of that CPU since it was started (/proc/interrupts), which takes long to read; NAN:
 * not known. */
double interference_interrupts(int cpu);
