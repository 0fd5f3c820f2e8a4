/* The one loop that measures the points of a plan: whoever schedules them says which come next, and
 * they are visited in random order while there is time. */
#pragma once

#include "measure/schedule/runner.h"

struct scheduler;

struct scheduler_ops {
	/* Fills schedule.order with what comes next, and *count with how many these are; 0: nothing
	 * does. Returns 0, -1 with an error, or 1: stopped. */
	int (*next)(struct scheduler *scheduler, size_t *count, struct fathom_error *error);
	/* Sets planned_s and planned_blocks of an accumulator that is about to be visited.
	 * `waiting`: how many of `next` are not visited yet, itself included. */
	void (*plan)(struct scheduler *scheduler, struct accumulator *accumulator, size_t waiting);
	/* Learns of a visit what the plan of others needs; NULL: nothing. */
	void (*learn)(struct scheduler *scheduler, struct accumulator *accumulator,
		      uint64_t hops_before);
};

/* Begins the struct of whoever schedules. */
struct scheduler {
	struct runner runner;
	const struct scheduler_ops *ops;
	bool must_visit; /* all that comes next, whatever time is left */
	size_t visits;   /* that the last `next` came to */
	double touch_s;  /* what touching memory took so far */
};

/* Learns what the loops cost by themselves, touches the memory, and measures until nothing comes
 * next. runner_open comes before it. Returns 0, -1 (errors as runner_visit's), or 1: stopped. */
int scheduler_run(struct scheduler *scheduler, struct fathom_error *error);
/* Memory is touched for the first time here and not in the visits, whose times plan the rest.
 * Returns the same. */
int scheduler_touch(struct scheduler *scheduler, const struct fathom_spec *spec,
		    struct fathom_error *error);
