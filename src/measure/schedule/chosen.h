/* The points of rounds that there is time for: what was measured of them decides. */
#pragma once

#include "measure/schedule/choice.h"
#include "measure/schedule/runner.h"

struct chosen {
	struct choice choice;
	size_t *spec_of;           /* of each accumulator of the schedule: its place in the plan */
	struct accumulator *aside; /* those that were taken out */
	size_t *aside_spec_of;     /* of each of them */
	size_t aside_count;
	size_t visits;   /* that a point needs */
	unsigned blocks; /* of each visit */
	double since_s,
		expected_s; /* of the round that goes on: when it began, what it should take */
};

/* Before any visit: one accumulator a spec. Errors: FAILED (memory). chosen_close is due also then.
 */
int chosen_open(struct chosen *chosen, const struct runner *runner, unsigned blocks,
		struct fathom_error *error);
void chosen_close(struct chosen *chosen);

/* The first visit that tells most of those that there will be time for: fills schedule.order with
 * the accumulators to visit, and returns how many they are; 0: there are no more. Lanes of their
 * curve that there is no time for are taken out of the schedule. `left_s`: for all that is to be
 * measured. */
size_t chosen_next(struct chosen *chosen, struct runner *runner, double left_s);
/* Takes those out of the schedule that there is no time for. Returns how many. */
size_t chosen_keep(struct chosen *chosen, struct runner *runner, double left_s);
/* Puts back what was taken out before its first visit, as much as there is time for now. Lanes stay
 * out. Returns how many. */
size_t chosen_restore(struct chosen *chosen, struct runner *runner, double left_s);
/* In the end: takes those out that have fewer visits than they need, but for the one that is worth
 * most. Returns how many. */
size_t chosen_finish(struct chosen *chosen, struct runner *runner);
