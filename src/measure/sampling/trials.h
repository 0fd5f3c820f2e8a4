/* What repeated trials of one measurement agree on, where others are disturbed by any amount. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/* The mean of the trials round the shortest interval that holds a quarter of them: at most two and
 * a half times its length off that mean, or `step`, in multiples of which they may come. A quarter
 * of the trials may be anything, and up to two thirds where these do not agree with each other:
 * what disturbs one of three calls disturbs 5 of 9 differences of two. Sorts `values`. Source: the
 * shorth, Andrews et al., Robust Estimates of Location (1972), of a quarter in place of half; the
 * mean is what it misses where values are spread evenly, or crowd on the steps of a timer. NAN: no
 * trials. */
double trials_find(double *values, size_t count, double step);

/* What sets of trials, taken one after the other, are each about. What keeps a core busy for
 * milliseconds disturbs all trials of some sets. */
#define TRIALS_SETS 128
struct trials_sets {
	double values[TRIALS_SETS];
	size_t count;
};
struct trials_center {
	double value;      /* the median of the sets */
	double half_width; /* of its 95 % interval; NAN: of too few */
};
struct trials_center trials_of_sets(const struct trials_sets *sets);
/* Is another set worth it? While its half-width is more than so much, and there is room. */
bool trials_go_on(const struct trials_sets *sets, double half_width);
