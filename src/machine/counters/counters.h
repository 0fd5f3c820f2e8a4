/* Hardware counters of the calling thread, user space only. Beyond this file nothing opens any.
 *
 *   counters_open, then counters_start / counters_stop round each timed run, counters_read at the
 *   end; counters_reset before what is to be read apart.
 *
 * Events of one family (accesses and misses of one cache, cycles and instructions) are a group:
 * counted at the same time or not at all. Groups that do not fit in the CPU's counters together
 * take turns, from one start to the next; so a start and a stop cost a system call for each group
 * whose turn it is. They cost some microseconds and some lines of the first cache: read the clock
 * between them, not around them. What they count of themselves is subtracted. */
#pragma once

#include <sys/types.h>

#include "machine/counters/counter_events.h"

struct perf_event_attr;

/* The kernel's side, or a test's: each sets errno as the call of that name does. */
struct counters_door {
	void *context;
	/* `cpu` -1: for the calling thread, on any CPU; else for all that runs there. `leader`: of
	 * the group to join; -1: leads its own. */
	int (*open)(void *context, const struct perf_event_attr *event, int cpu, int leader);
	int (*control)(void *context, int file, unsigned long request, void *argument);
	ssize_t (*read)(void *context, int file, void *bytes, size_t capacity);
	void (*close)(void *context, int file);
	const char *root; /* as in tree.h: where the reasons of a refusal are looked up */
};

extern const struct counters_door counters_kernel;

struct counters;

/* Opens the events, which are copied, for the calling thread, pinned to `cpu` (-1: it is not). What
 * cannot be counted is no error but an event with its reason. door NULL: the kernel.
 * Errors: FAILED (memory, open files). */
int counters_open(const struct counter_events *events, int cpu, const struct counters_door *door,
		  struct counters **counters, struct fathom_error *error);
/* Forgets what was counted. */
void counters_reset(struct counters *counters);
void counters_start(struct counters *counters);
/* `accesses`: how many were made since the start. */
void counters_stop(struct counters *counters, double accesses);
/* What was counted since the reset, an access: one for each event, in their order. Not between
 * start and stop. Give back with counts_free. NULL: out of memory. */
struct fathom_count *counters_read(const struct counters *counters);
void counters_close(struct counters *counters);

/* Whether this thread may count: 0, or the errno with which the kernel refuses. */
int counters_probe(void);
