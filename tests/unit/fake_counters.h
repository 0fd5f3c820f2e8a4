/* A door behind which no kernel is, but a PMU of a few counters whose time passes with each call,
 * and which refuses in all the ways that a kernel has. */
#ifndef FAKE_COUNTERS_H
#define FAKE_COUNTERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <linux/perf_event.h>

#include "machine/counters/counters.h"

#define MOST_FILES 16
#define STEP_NS    1000 /* of a run */

struct fake_event {
	struct perf_event_attr attr;
	bool open;
	int leader; /* index */
	uint64_t value;
	uint64_t enabled_ns;
	uint64_t running_ns;
	bool on;
};

struct fake {
	struct fake_event events[MOST_FILES];
	size_t opened;          /* ever */
	size_t calls;           /* of open */
	unsigned counters;      /* that the PMU has */
	unsigned held;          /* by others */
	unsigned most_in_group; /* 0: as many as counters */
	int group_error;        /* for one too many */
	int refuse;             /* errno of each open, 0: none */
	size_t refuse_from;     /* of that call on */
	uint64_t refuse_config; /* with refuse: only this; 0: all */
	bool multiplexed;       /* every other tick goes to somebody else */
	bool short_read;
	bool wrong_id;
	int control_error;
	size_t switches; /* ioctls that enable or disable */
	uint64_t steps;
	uint64_t slow_call_ns;  /* what a call takes longer than 1 ns */
	size_t disturbed_every; /* every such switch counts 10^6 ns more; 0: none */
	const char *root;       /* NULL: intel-metal */
};

struct counters_door fake_door(struct fake *fake);
/* Each counter that is on goes on by its event's config every ns. */
void fake_pass(struct fake *fake, uint64_t ns);
/* Of the files that were opened. */
bool fake_all_closed(const struct fake *fake);

#endif
