/* Visits the points of a plan one after the other: what sweeps and rounds share. */
#pragma once

#include "base/rng.h"
#include "measure/sampling/clock_record.h"
#include "measure/schedule/schedule.h"

struct runner {
	const struct fathom_plan *plan;
	struct meter *meter;
	const struct fathom_observer *observer; /* may be NULL */
	struct schedule schedule; /* with the accumulators: one a spec, in the plan's order */
	struct clock_record clock;
	struct rng rng;
	const char *stage;  /* for the observer */
	double fit_s;       /* of the budget, kept for fitting the result */
	double beside_s;    /* that blocks took beside a program on the core's other thread */
	size_t event_count; /* that are counted; 0: none */
	bool stopped;
};

/* `more`: accumulators that may be added to those of the plan. The meter asks the observer when to
 * stop from here on. Errors: FAILED (memory); runner_close is due also then. */
int runner_open(struct runner *runner, const struct fathom_plan *plan, struct meter *meter,
		const struct fathom_observer *observer, size_t more, struct fathom_error *error);
/* Fills the result, where `status` is 0 or 1 (stopped: interrupted), and gives all back. Returns 0,
 * or -1 where that was the status or the report failed. */
int runner_close(struct runner *runner, int status, struct fathom_result *result,
		 struct fathom_error *error);

double runner_elapsed_s(const struct runner *runner);
/* Of the budget, less what fitting the result takes; may be negative. */
double runner_left_s(const struct runner *runner);
/* Its number, from 1, becomes the stage. */
void runner_begin_round(struct runner *runner, size_t round);
/* Tells the observer how far the run is, and of the point just visited; NULL: of none. */
void runner_tell(const struct runner *runner, const struct accumulator *accumulator);
/* Puts the first `count` of schedule.order in random order. */
void runner_shuffle(struct runner *runner, size_t count);
/* Is the accumulator visited with the first of its curve? Those of a curve along laps or lanes are.
 */
bool runner_goes_along(const struct runner *runner, const struct accumulator *accumulator);
/* A new placement, a chain, and so many blocks on it; of a curve along the lanes one of each number
 * of them. Returns 0, -1 (errors as the meter's and
 * sampler_run's), or 1: stopped. */
int runner_visit(struct runner *runner, struct accumulator *accumulator, unsigned blocks,
		 struct fathom_error *error);
