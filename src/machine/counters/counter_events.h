/* Events that hardware counters count, and their names. */
#pragma once

#include "fathom.h"

/* What the kernel is asked for: type and configs as in struct perf_event_attr. */
struct counter_event {
	char *name; /* as it was asked for */
	uint32_t type;
	uint64_t config;
	uint64_t config1;
	uint64_t config2;
	unsigned family;     /* events of one family are counted at the same time, if possible */
	const char *missing; /* why there is no such event on this CPU; NULL: there may be one */
};

struct counter_events {
	struct counter_event *items;
	size_t count;
};

/* What is counted where nothing else is asked for, as a list. */
#define COUNTER_EVENTS_DEFAULT                                                                     \
	"cycles,instructions,l1d_reads,l1d_misses,llc_reads,llc_misses,dtlb_reads,dtlb_misses,"    \
	"page_walks,page_walk_cycles"

/* "cycles,l1d_cache_refill,r01c2": generic names (docs/counters.md), names of this CPU's own events
 * where libpfm4 was built in, raw codes in hexadecimal. Capitals do not matter. Give back with
 * counter_events_free.
 * Errors: USAGE, the name quoted: unknown, with the nearest names as the hint; a malformed code;
 * twice the same; an event that does not count what one thread does in user space. */
int counter_events_parse(const char *list, struct counter_events *events,
			 struct fathom_error *error);
/* Accepts {0}. */
void counter_events_free(struct counter_events *events);
