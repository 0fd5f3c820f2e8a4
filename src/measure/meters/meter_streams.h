/* What of the hardware's meter streams: FATHOM_READ to FATHOM_UPDATE, on one or more threads. */
#pragma once

#include "measure/meter.h"

struct streams;

/* The calling thread is on the place's CPU already. Nothing is mapped yet, and no thread started.
 * `warnings` are for threads that cannot be bound. Machine and warnings must outlive the streams.
 * Errors: FAILED (memory). */
int streams_open(const struct fathom_machine *machine, struct pinning_place place,
		 struct fathom_warnings *warnings, struct streams **streams,
		 struct fathom_error *error);
/* Accepts NULL. */
void streams_close(struct streams *streams);

/* As the meter's own; `meter` is asked when to stop. A hop is a line of each stream of each thread.
 */
int streams_prepare(struct streams *streams, struct meter *meter, const struct fathom_spec *spec,
		    uint64_t key, bool redraw, struct meter_placement *placement,
		    struct fathom_error *error);
double streams_warm(struct streams *streams, uint64_t hops);
void streams_run(struct streams *streams, struct meter *meter, uint64_t hops, double *ns,
		 bool *arrived);
void streams_interference(struct streams *streams, struct interference *now);
/* Instructions of the timed loop a line; 0: not known. */
uint32_t streams_instructions(const struct fathom_spec *spec);
