/* What the loops of several lanes take by themselves, where every lane has its line in the first
 * cache: measured between the rounds until two agree, held against what was measured. */
#pragma once

#include "kernels/kernels.h"
#include "measure/schedule/schedule.h"

struct floor {
	unsigned passes;            /* that measured it */
	double least_ns, second_ns; /* an access, of these */
	bool decided;
	double ns; /* once it is decided; NAN: it is not known */
};

/* Start from {0}. */
struct floors {
	unsigned passes;
	struct floor of[FATHOM_STORE_STACK + 1][FATHOM_LINK_UNKNOWN][FATHOM_MOST_LANES + 1];
};

/* Measures those once that the schedule has lanes for, and that no two passes agree on yet.
 * Errors: as calibrate_lanes. */
int floors_measure(struct floors *floors, const struct schedule *schedule, struct meter *meter,
		   struct fathom_error *error);
/* Sets the floor of each accumulator of several lanes, unless it is the latency of the first cache
 * that binds it. One that is above what was measured is measured again; what stays so, or never was
 * the same twice, is no floor, and a warning says so. Errors: the same; FAILED (memory). */
int floors_measure_all(struct floors *floors, struct schedule *schedule, struct meter *meter,
		       struct fathom_warnings *warnings, struct fathom_error *error);
