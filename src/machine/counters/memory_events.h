/* What the controllers of memory can count: perf's files in /sys, read. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct memory_event {
	char *name; /* "uncore_imc_0/cas_count_read/" */
	int cpu;    /* whom to ask: one of each socket */
	bool writes;
	double bytes; /* that a count stands for */
	uint32_t type;
	uint64_t configs[3]; /* config, config1, config2 of struct perf_event_attr */
};

/* Reads and writes of all controllers; or none, and why. */
struct memory_events {
	struct memory_event *items; /* by name, then by CPU */
	size_t count;
	char *missing; /* one sentence; NULL: there are some, or nothing that is known is listed */
};

/* `root` as in tree.h. All controllers of a kind or none: a part of them would make a sum that is
 * wrong. Give back with memory_events_free. -1: out of memory. */
int memory_events_find(const char *root, struct memory_events *events);
/* Accepts {0}. */
void memory_events_free(struct memory_events *events);
