/* Levels are looked for in what is being measured: in its budget, and the observer learns of it. */
#pragma once

#include "fathom.h"
#include "measure/meter.h"

/* How much of a budget is spent. */
struct search_clock {
	double (*elapsed_s)(void *context);
	void *context;
	double budget_s;
};

/* The clock of a meter whose run has such a budget. */
struct search_clock search_clock_of(struct meter *meter, double budget_s);

/* Who is told meanwhile how far the budget is spent. */
struct search {
	const struct fathom_observer *whole; /* may be NULL */
	struct search_clock clock;
	double told;       /* of the budget */
	uint64_t asked_ns; /* to stop; 0: not yet */
};

/* fathom_fit of what was measured. Where all of the budget is spent, what was found so far must do
 * ("search-cut", unless that is far ahead of all else). Half a second after the observer says stop
 * the search ends: the result is then interrupted, has no levels, and a warning says so. Errors:
 * FAILED (memory). */
int search_levels(struct fathom_result *result, const struct fathom_observer *observer,
		  const struct search_clock *clock, struct fathom_error *error);
/* For a sweep's advisor, `context` is a struct search: sizes where the reaches of the levels that
 * the main curve shows so far are least certain. Errors: FAILED (memory). */
int search_next_sizes(void *context, const struct fathom_result *so_far, uint64_t *sizes_bytes,
		      size_t most, size_t *count, struct fathom_error *error);

/* ---- fathom_order.c ---- */

/* Of a curve of another tool whose order is known, or declared, and that the levels do not explain:
 * where they would if the order were the other one, cycle or independent, a warning says so
 * ("order-unlikely"). Another says that its sizes are too few ("coarse"). Of accesses that are
 * declared to overlap the levels are left as far as their times tell: where they end at most.
 * Errors: FAILED (memory). */
int order_check(struct fathom_result *result, struct fathom_error *error);
