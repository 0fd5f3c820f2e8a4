/* What is learnt of a meter before it is asked for numbers, each from repeated runs of which a
 * third may be disturbed by any amount. */
#pragma once

#include "measure/meter.h"

struct calibrate_cost {
	double ns;
	double error_ns; /* half its 95 % interval */
	double over_ns;  /* what was found above the most that is believed: it is no part of ns */
	bool clear;      /* within bounds, and known well enough */
};

/* What a run takes besides its hops, for meter->fixed_cost_ns: twice the time of N hops less that
 * of 2N, in one line, as the median of sets of pairs. Per point that difference would treble the
 * scatter; what it cancels is the same for all. Sets are taken until the cost is known to 0.1 % of
 * the shortest run; what is more than 1 us, or a tenth of the shortest run, or not known so well
 * even of 128 sets, is not clear. Errors: as the meter's; FAILED (the chain did not arrive where it
 * must).
 */
int calibrate_fixed_cost(struct meter *meter, enum fathom_page page, uint64_t seed,
			 struct calibrate_cost *cost, struct fathom_error *error);
/* The same, anew until it is clear or that time is over, at most CALIBRATE_MOST_S: what kept the
 * core busy for all of a trial ends. Of what is never clear the best known counts. */
#define CALIBRATE_MOST_S 1.0
int calibrate_fixed_cost_within(struct meter *meter, enum fathom_page page, uint64_t seed,
				double seconds, struct calibrate_cost *cost,
				struct fathom_error *error);
/* Whether the cost is not what meter->fixed_cost_ns says, by more than such a difference can be
 * off and results can bear. */
bool calibrate_cost_differs(const struct meter *meter, const struct calibrate_cost *cost);

/* How much longer a hop of the independent order takes than a plain one, both in one line: what its
 * generator costs, and the half-width of that. `spec`: whose spacing, link and page kind count.
 * Errors: as sampler_time_hops. */
int calibrate_independent(struct meter *meter, const struct fathom_spec *spec, double *overhead_ns,
			  double *error_ns, struct fathom_error *error);

/* What an access of so many lanes takes where each has its line in the first cache: what the loop
 * alone takes, as the shortest of some runs. Errors: as the meter's. */
int calibrate_lanes(struct meter *meter, const struct fathom_spec *spec, double *floor_ns,
		    struct fathom_error *error);
