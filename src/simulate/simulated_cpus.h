/* The CPUs of a simulated machine: where each is, and what the OS claims of it. */
#pragma once

#include "simulate/simulated_spec.h"

/* Where a hardware thread is: numbers over the whole machine. */
struct simulated_place {
	unsigned core, cache, die, socket, node;
};

/* Hardware threads are counted core by core. Which one a CPU is, as long as nothing moves. */
unsigned simulated_cpus_thread(const struct simulated_spec *spec, unsigned cpu);
struct simulated_place simulated_cpus_place(const struct simulated_spec *spec, unsigned thread);
/* The nearest thing that both are in. */
enum simulated_way simulated_cpus_way(const struct simulated_place *a,
				      const struct simulated_place *b);

bool simulated_cpus_has(const struct simulated_cpu_set *set, unsigned cpu);
/* May the CPU be used at that time? */
bool simulated_cpus_usable(const struct simulated_spec *spec, unsigned cpu, double now_ns);

/* What the OS claims of a CPU. */
struct fathom_cpu simulated_cpus_claimed(const struct simulated_spec *spec, unsigned cpu);

/* What follows from several keys: the number of CPUs and of nodes. Errors: BAD_INPUT. */
int simulated_cpus_finish(struct simulated_spec *spec, struct fathom_error *error);
