/* What is learnt of a meter before it is asked for numbers. */
#ifndef MEASURE_CALIBRATE_H
#define MEASURE_CALIBRATE_H

#include "measure/meter.h"

/* Sets meter->fixed_cost_ns: twice the time of N hops less that of 2N, in one line, the median of
 * many. Per point that difference would treble the scatter; what it cancels is the same for all.
 * Errors: as the meter's; FAILED (the chain did not arrive where it must). */
int calibrate_fixed_cost(struct meter *meter, enum fathom_page page, uint64_t seed,
			 struct fathom_error *error);

/* How much longer a hop of the independent order takes than a plain one, both in one line: what its
 * generator costs, and the half-width of that. `spec`: whose spacing, link and page kind count.
 * Errors: as sampler_run. */
int calibrate_independent(struct meter *meter, const struct fathom_spec *spec, double *overhead_ns,
			  double *error_ns, struct fathom_error *error);

/* What an access of so many lanes takes where each has its line in the first cache: what the loop
 * alone takes, as the shortest of some runs. Errors: as the meter's. */
int calibrate_lanes(struct meter *meter, const struct fathom_spec *spec, double *floor_ns,
		    struct fathom_error *error);

#endif
