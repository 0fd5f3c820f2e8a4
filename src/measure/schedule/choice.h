/* Which points of a plan there is time for: each that is kept gets all its blocks, so that some are
 * left out altogether, evenly, and the ends and what an experiment is about last. */
#pragma once

#include "fathom.h"

/* What is chosen together: a point, what it is held against with it, all laps of a curve. */
struct choice_unit {
	size_t family;  /* of units that differ in one number alone */
	double key;     /* that number */
	double worth;   /* how much is lost with it */
	double bytes;   /* of all its points, to tell costs by */
	double usual_s; /* what a visit takes, by its kind and size alone */
	double cost_s;  /* of a visit: the least that one took, or by those that were measured */
	double took_s;  /* scratch: what the last one took */
	size_t visits;  /* that it had */
	size_t specs;   /* that it has */
	size_t first;   /* of these */
	double first_s; /* what that visit took */
	bool again;     /* its one visit took far longer than was to be expected */
	bool wanted;    /* there is time for it, as far as is known */
	bool gone;      /* for good */
	bool is_lane;   /* of a curve along the lanes, all of which a visit takes */
};

/* Start from {0}. */
struct choice {
	struct choice_unit *units;
	size_t count;
	size_t *unit_of; /* each spec of the plan */
	size_t *order;   /* scratch, `count` long */
};

/* Do the two belong together? In pages and ablation the difference of the two is what the
 * experiment is about. */
bool choice_is_pair(const struct fathom_plan *plan, const struct fathom_spec *a,
		    const struct fathom_spec *b);

/* All specs of the plan, none of which has size 0. Errors: FAILED (memory). */
int choice_open(struct choice *choice, const struct fathom_plan *plan, struct fathom_error *error);
void choice_close(struct choice *choice);

/* Fills the costs of units without visits: as units of the family, or else of all, take. */
void choice_estimate(struct choice *choice);
/* What the wanted ones still need for `visits` each. */
double choice_missing_s(const struct choice *choice, size_t visits);
/* The one that is worth most: it stays, whatever it costs. */
size_t choice_best(const struct choice *choice);
/* Wants all that are not gone; then as many fewer as it takes for what they need for `visits` each
 * to fit in `allowed_s`: the dearest for its worth first, but for those that there is room for in
 * the end. One is always wanted. */
void choice_trim(struct choice *choice, size_t visits, double allowed_s);
/* One to be visited again, or else the one without a visit that is worth most; `count`: there is
 * none that is wanted. */
size_t choice_next(const struct choice *choice);

/* What one visit to the point takes on usual hardware, within a factor of three or so: only for
 * planning. */
double choice_usual_s(const struct fathom_spec *spec);
/* What the ends of all families take, by the usual costs: no plan should have less time. NAN: out
 * of memory. */
double choice_ends_s(const struct fathom_plan *plan);
/* Leaves out of the plan what a time has no room for, by the usual costs. */
int choice_thin(struct fathom_plan *plan, double allowed_s, struct fathom_error *error);
/* Visits that a point of the plan needs for its interval; of a plan that begins with an index
 * array: for its ten means. */
size_t choice_visits(const struct fathom_plan *plan);
