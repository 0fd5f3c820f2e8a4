/* The names that a CPU's maker gives its events: libpfm4's tables (counter_names_pfm.c), or none
 * (counter_names_none.c). */
#pragma once

#include "machine/counters/counter_events.h"

enum counter_name {
	COUNTER_NAME_FOUND,
	COUNTER_NAME_UNKNOWN,
	COUNTER_NAME_INCOMPLETE, /* the event is known, what follows its name is not, or lacks */
	COUNTER_NAME_KERNEL,     /* it would count the kernel */
	COUNTER_NAME_SHARED      /* it counts what several cores share, not one thread */
};

/* Fills type and configs of *event for COUNTER_NAME_FOUND alone. "event", "event.mask",
 * "event:mask", with the masks of the event and the modifiers of the CPU's counters. */
enum counter_name counter_name_find(const char *name, struct counter_event *event);

/* Calls `take` with each name that `wanted` may mean: the masks of an event whose name it starts
 * with, "event.mask", else the events' names. All in small letters; each is gone after its call. */
void counter_name_each(const char *wanted, void (*take)(void *context, const char *name),
		       void *context);

/* Why the names of this CPU's own events are not known; NULL: they are. */
const char *counter_names_missing(void);
