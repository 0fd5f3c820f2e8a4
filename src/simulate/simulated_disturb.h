/* What a simulated machine that is not alone does to times: noise, outliers of which the counters
 * tell half, and stolen time of which nothing tells (disturb=). */
#pragma once

#include "base/rng.h"
#include "machine/interference.h"
#include "simulate/simulated_spec.h"

struct simulated_disturb {
	const struct simulated_spec *spec; /* stays the caller's */
	struct rng noise, storms;
	uint64_t calls; /* that were timed so far */
	struct rng turns;
	double turn_ends_ns; /* simulated time */
	uint64_t turn_bytes; /* that are read in it; 0: a pause */
	struct interference counted;
};

struct simulated_disturb simulated_disturb_make(const struct simulated_spec *spec);
/* What is stolen from the timed call that comes now, in ns; once for each. `now_ns`: the simulated
 * time; `spec`: of the point that is measured, or NULL (of none: the clock). */
double simulated_disturb_steal(struct simulated_disturb *disturb, double now_ns,
			       const struct fathom_spec *spec);
/* How many bytes the program on the core's other thread reads over and over at that time, which
 * never goes back. */
uint64_t simulated_disturb_turn(struct simulated_disturb *disturb, double now_ns);
/* What a run of `ns` seems to take, in ns; what is stolen from it is in that. */
double simulated_disturb_run(struct simulated_disturb *disturb, double ns, double now_ns,
			     const struct fathom_spec *spec);
