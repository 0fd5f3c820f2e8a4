/* Counters of memory's controllers: what goes over the bus of all memory, whoever asks for it.
 *
 * What the kernel lists is opened once; then memory_counters_start and memory_counters_stop round
 * each time that is to be counted. Each asks every controller, which takes some microseconds. */
#pragma once

#include "machine/counters/counters.h"

struct memory_traffic { /* bytes a second; NAN: it was not counted */
	double read, written;
	double on_share; /* of the time, that a counter was on; of the one where it was least. Under
			    1 the kernel let events take turns, and what they count is scaled */
};

struct memory_counters;

/* Counters that may not be used, and none at all, are no error but a reason. `guest`: so that it
 * can be told. door NULL: the kernel. Errors: FAILED (memory). */
int memory_counters_open(const struct counters_door *door, bool guest,
			 struct memory_counters **counters, struct fathom_error *error);
/* One sentence; NULL: they count. */
const char *memory_counters_missing(const struct memory_counters *counters);
/* What is counted, each name once, ended by NULL: "uncore_imc_0/cas_count_read/". */
const char *const *memory_counters_names(const struct memory_counters *counters);
void memory_counters_start(struct memory_counters *counters);
struct memory_traffic memory_counters_stop(struct memory_counters *counters);
/* Accepts NULL. */
void memory_counters_close(struct memory_counters *counters);
