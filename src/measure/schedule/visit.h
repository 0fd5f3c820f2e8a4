/* One visit after another to the points of a plan: what all ways to measure a plan share. */
#ifndef MEASURE_SCHEDULE_VISIT_H
#define MEASURE_SCHEDULE_VISIT_H

#include "base/rng.h"
#include "measure/sampling/clock_record.h"
#include "measure/schedule/schedule.h"

struct visitor {
	const struct fathom_plan *plan;
	struct meter *meter;
	const struct fathom_observer *observer; /* may be NULL */
	struct schedule schedule; /* with the tallies: one a spec, in the plan's order */
	struct clock_record clock;
	struct rng rng;
	const char *stage;         /* what the observer is told */
	double reading_s;          /* of the budget, kept for reading the result */
	size_t event_count;        /* that are counted; 0: none */
	double planned_s, taken_s; /* of rounds: what visits should have taken, and took */
	double extra_s; /* of rounds: by how much visits may be longer than they must; < 0: any */
	bool stopped;
};

/* `more`: tallies that may be added to those of the plan. The meter asks the observer when to stop
 * from here on. Errors: FAILED (memory); visitor_close is due also then. */
int visitor_open(struct visitor *visitor, const struct fathom_plan *plan, struct meter *meter,
		 const struct fathom_observer *observer, size_t more, struct fathom_error *error);
/* Fills the result, where `status` is 0 or 1 (stopped: interrupted), and gives all back. Returns 0,
 * or -1 where that was the status or the report failed. */
int visitor_close(struct visitor *visitor, int status, struct fathom_result *result,
		  struct fathom_error *error);

double visitor_elapsed_s(const struct visitor *visitor);
/* Of the budget, less what reading the result takes; may be negative. */
double visitor_left_s(const struct visitor *visitor);
/* Puts the first `count` of schedule.order in random order. */
void visitor_shuffle(struct visitor *visitor, size_t count);
/* Is the tally visited with the first of its curve? Those of a curve along laps or lanes are. */
bool visitor_goes_along(const struct visitor *visitor, const struct tally *tally);
/* A new placement, a chain, and so many blocks on it; of a curve along the lanes one of each number
 * of them. Returns 0, -1 (errors as the meter's and
 * sampler_run's), or 1: stopped. */
int visitor_visit(struct visitor *visitor, struct tally *tally, unsigned blocks,
		  struct fathom_error *error);

#endif
