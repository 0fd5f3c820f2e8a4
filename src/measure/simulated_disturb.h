/* The fault plan of a simulated machine (disturb=): stolen time that no counter tells of. */
#ifndef MEASURE_SIMULATED_DISTURB_H
#define MEASURE_SIMULATED_DISTURB_H

#include "base/rng.h"
#include "measure/simulated_spec.h"

struct simulated_disturb {
	const struct simulated_spec *spec; /* stays the caller's */
	uint64_t calls;                    /* that were timed so far */
	struct rng rng;                    /* of the storms alone */
};

struct simulated_disturb simulated_disturb_make(const struct simulated_spec *spec);
/* What the plan adds to the timed call that comes now, in ns; call it once for each. */
double simulated_disturb_next(struct simulated_disturb *disturb);

#endif
