/* What counters.c opens and counters_run.c runs. */
#pragma once

#include "machine/counters/counter_access.h"
#include "machine/counters/counters.h"

/* Of a group that no set was found for yet. */
#define NO_SET SIZE_MAX

struct counter {
	char *name;
	int file;        /* -1: not open */
	size_t group;    /* of an open one */
	uint64_t id;     /* the kernel's, in what it reads of a group */
	uint64_t before; /* value at the reset */
	double idle;     /* what a run of nothing counts */
	struct counter_refusal refusal;
};

struct times { /* ns, the kernel's, of a group */
	uint64_t enabled;
	uint64_t running; /* had counters */
};

struct counter_group {
	int leader; /* file */
	unsigned family;
	bool failed;  /* a call on it did; nothing that it says is believed */
	size_t count; /* events */
	size_t set;   /* those of one set have counters at the same time */
	struct times before;
	double accesses; /* made while it was on, since the reset */
	double runs;     /* the same */
};

struct counters {
	struct counters_door door;
	struct counter *items;
	size_t count;
	struct counter_group *groups;
	size_t group_count;
	size_t set_count;
	size_t turn; /* the set that the next start switches on */
	double accesses;
	uint64_t *bytes; /* room for what the kernel says of any group */
};

/* What the kernel says of a group (PERF_FORMAT_GROUP): a head, then a pair for each event. */
enum { READ_COUNT, READ_ENABLED, READ_RUNNING, READ_HEAD };
enum { PAIR_VALUE, PAIR_ID, PAIR };

/* Of an event, as the kernel tells it, since the reset. */
struct event_total {
	double value; /* as if it had been on a counter all the time */
	double share; /* of the time, that it was */
};

/* Finds out which groups have counters at the same time: fills their sets. */
void counters_gather_sets(struct counters *counters);
/* Learns what a run of nothing counts: the median of several. Errors: FAILED (memory). */
int counters_learn_idle(struct counters *counters, struct fathom_error *error);
