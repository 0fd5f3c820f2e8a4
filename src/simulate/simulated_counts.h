/* What hardware counters would say on a simulated machine. */
#pragma once

#include "machine/counters/counter_events.h"
#include "simulate/simulated_memory.h"

struct simulated_counts {
	char **events; /* as asked for */
	size_t event_count;
	double *totals; /* one an event */
	double accesses;
};

/* Errors: FAILED (memory). Accepts counts that are open already: these are closed. */
int simulated_counts_open(struct simulated_counts *counts, const struct counter_events *events,
			  struct fathom_error *error);
void simulated_counts_close(struct simulated_counts *counts);
/* What a loop is, beside the loads that the memory was asked for. */
struct simulated_loop {
	double instructions; /* of an access */
	double more_loads; /* the same: of what it has just loaded, so that they hit the first cache
			    */
};

/* Adds what the loads since the last simulated_memory_forget did, in so many `accesses` that took
 * so many cycles (NAN: no clock). */
void simulated_counts_add(struct simulated_counts *counts, const struct simulated_memory *memory,
			  struct simulated_loop loop, double accesses, double cycles);
/* As counters_read; then all is forgotten. */
struct fathom_count *simulated_counts_take(struct simulated_counts *counts);
